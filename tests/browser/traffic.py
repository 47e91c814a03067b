"""What a page has asked of the app and has not been answered yet: read from its own socket, before Streamlit reads it."""

from __future__ import annotations

# The fields of BackMsg and of ForwardMsg that matter. EARLY is a run that ends because another one is to begin at once.
RERUN, FRAGMENT, IS_POLL, REQUEST_URLS = 11, 5, 6, 16
METADATA, RUN, FRAGMENTS = 2, 6, 2
NEW_SESSION, FINISHED, EARLY, URLS = 4, 6, 2, 19

# What is owed is a run of the page, a run of a fragment, or `any` run. A run of the page answers all of it. A fragment that
# polls may do so for ever: what it asks by itself is not counted, nor is what it hears.
LISTEN = f"""(() => {{
    const traffic = {{owed: new Set(), urls: 0, uploads: 0, ours: true, input: 0, moved: 0, calm: 0, settled: false}};
    window.traffic = traffic;
    const move = () => {{ traffic.moved = performance.now(); traffic.calm = 0; }};

    const fields = (bytes) => {{
        const found = new Map();
        let at = 0;
        const number = () => {{
            let value = 0, scale = 1, byte;
            do {{ byte = bytes[at++]; value += (byte & 127) * scale; scale *= 128; }} while (byte > 127);
            return value;
        }};
        while (at < bytes.length) {{
            const tag = number(), kind = tag % 8;
            const size = kind === 0 ? 0 : kind === 2 ? number() : kind === 1 ? 8 : 4;
            const value = kind === 0 ? number() : bytes.subarray(at, at += size);
            found.set(tag >> 3, [...(found.get(tag >> 3) ?? []), value]);
        }}
        return found;
    }};
    const text = (bytes) => new TextDecoder().decode(bytes);
    const within = (told, field) => fields(told.get(field)?.[0] ?? []);

    const asked = (told) => {{
        const rerun = within(told, {RERUN});
        if (told.has({REQUEST_URLS})) traffic.urls++;
        else if (told.has({RERUN}) && !rerun.get({IS_POLL})?.[0]) traffic.owed.add(text(rerun.get({FRAGMENT})?.[0]) || 'page');
        else return;
        move();
    }};

    const heard = (told) => {{
        if (told.has({NEW_SESSION})) {{
            const ran = (within(within(told, {METADATA}), {RUN}).get({FRAGMENTS}) ?? []).map(text);
            const before = traffic.owed.size;
            if (ran.length) for (const name of [...ran, 'any']) traffic.owed.delete(name);
            else traffic.owed.clear();
            traffic.ours = traffic.owed.size < before;
        }} else if (told.has({FINISHED})) {{
            if (told.get({FINISHED})[0] === {EARLY}) traffic.owed.add('any');
        }} else if (told.has({URLS})) {{
            traffic.urls--;
            traffic.ours = true;
        }} else return;
        if (traffic.ours || traffic.owed.size) move();
    }};

    window.WebSocket = class extends WebSocket {{
        constructor(...given) {{
            super(...given);
            Object.assign(traffic, {{owed: new Set(), urls: 0}});
            this.addEventListener('message', (event) => heard(fields(new Uint8Array(event.data))));
        }}
        send(data) {{
            asked(fields(data));
            super.send(data);
        }}
    }};

    const send = XMLHttpRequest.prototype.send;
    XMLHttpRequest.prototype.send = function (...given) {{
        traffic.uploads++;
        this.addEventListener('loadend', () => {{ traffic.uploads--; move(); }});
        send.apply(this, given);
    }};

    const touched = () => {{ traffic.input = performance.now(); }};
    for (const name of ['mousedown', 'mouseup', 'click', 'keydown', 'keyup', 'input', 'change', 'popstate'])
        window.addEventListener(name, touched, true);
}})()"""

# A page may ask up to INPUT_MS after what somebody did: some fields wait for more of it. A page that was just loaded may still
# load what asks. TURNS are those of the page itself: a machine that gives it no time gives it no turn either.
# What nobody answers for very long has been dropped: a fragment that is gone, for example.
INPUT_MS, LOADED_MS, QUIET_MS, TURNS = 250, 250, 100, 4
FORGOTTEN_MS = 30_000
TURN_MS = 15
SETTLED = f"""busy => {{
    const traffic = window.traffic, now = performance.now();
    const state = document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState;
    const owed = traffic.owed.size || traffic.urls > 0 || traffic.uploads > 0;
    const quiet = owed ? {FORGOTTEN_MS} : traffic.settled ? {QUIET_MS} : {LOADED_MS};
    if (state !== 'notRunning' || document.querySelector(busy) || now - traffic.input < {INPUT_MS} || now - traffic.moved < quiet)
        return false;
    if (++traffic.calm < {TURNS}) return false;
    traffic.calm = 0;
    return traffic.settled = true;
}}"""
