#!/bin/sh
# Print the path of a Chromium or Chrome that starts. With --install, try Debian's package first when there is none.
# CHROMIUM=/path/to/it names one that is not on the PATH.

find_one() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" /Applications/Chromium.app/Contents/MacOS/Chromium; do
        [ -n "$name" ] || continue
        path=$(command -v "$name") || continue
        "$path" --version >/dev/null 2>&1 || continue
        printf '%s\n' "$path"
        return 0
    done
    return 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }
}

find_one && exit 0
if [ "${1:-}" = --install ] && may_install; then
    echo "Installing Chromium for the browser tests ..." >&2
    export DEBIAN_FRONTEND=noninteractive
    { as_root apt-get update && as_root apt-get install -y --no-install-recommends chromium; } >&2
    find_one && exit 0
fi
echo "The browser tests need Chromium or Chrome: install one (on Debian: apt-get install chromium), or set CHROMIUM to its path." >&2
exit 1
