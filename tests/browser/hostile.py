"""A question whose every name and value wants to be more than text, and what a page must look like with it."""

from __future__ import annotations

import io
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from playwright.sync_api import Page, expect

import discover_core as dc
from discover_core.problem.audit_plan import AuditPlan
from discover_core.problem.targets import Threshold
from discover_core.scenario.question import Question
from discover_core.scenario.sources import TableFile, TrainedModel
from discover_core.store.files import data_files
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.workers.runner import Runner
from tests.workers.scenarios import until
from ui.app.text import UNSEEN

MARK = "zqx"  # in every one of them, and nowhere else
LONG = f"{MARK}-long-" + "w" * 10_000
SCRIPT = f"<script>window.ran=1</script>{MARK}"
IMAGE = f'<img src="http://evil.example/{MARK}.png" onerror="window.ran=1">'
PICTURE = f"![{MARK}](http://evil.example/{MARK}.png)"
LINK = f"[{MARK}](javascript:window.ran=1)"
NAMES = (
    LINK,
    IMAGE,
    f"[{MARK}](http://evil.example/)",
    f"http://evil.example/{MARK}",
    f"www.evil.example/{MARK}",
    f"{MARK}@evil.example",
    f"<a href='javascript:window.ran=1'>{MARK}</a>",
    f"<svg onload=window.ran=1>{MARK}",
    f"&lt;b&gt;{MARK}&#33;",
    f"$\\frac{{1}}{{2}}$ {MARK}",
    f":material/skull: {MARK}",
    f":red[{MARK}] :smile:",
    f"\u202e{MARK} gnirts\u202c",
    f"👩‍👩‍👧 {MARK} 漢字",
    f'=HYPERLINK("http://evil.example","{MARK}")',
    f"| {MARK} | --- | # `{MARK}`",
    f"__proto__ {MARK}",
    LONG,
)
KIND, WHO, LATE = f"$x^2$ :red[kind] {MARK}", f"[who {MARK}](javascript:window.ran=1)", f"<b>late</b> {MARK}"
YES, NO = f":red[yes] {MARK}", f"no {SCRIPT}"
TITLE, FILE = f"{PICTURE} {SCRIPT} $x^2$ :red[{MARK}]", f"<img src=x onerror=window.ran=1> {LINK}.csv"

# What content may never become, and what it may never have done.
CREATED = f"""() => {{
    const some = 'a, img, iframe, script, object, embed, svg a, svg image, .katex, [onerror], [onload]';
    const found = [...document.querySelectorAll(some)];
    const bad = found.filter(node => /{MARK}|evil|javascript:/.test(node.outerHTML.split('</style>').pop().slice(0, 4000))
        && !(node.tagName === 'A' && node.getAttribute('href')?.match('^[/#]'))).map(node => node.outerHTML.slice(0, 200));
    const styled = [...document.querySelectorAll('[class*="ColoredText"], [data-testid="stIconMaterial"]')]
        .filter(node => /{MARK}|skull/.test(node.textContent)).map(node => node.outerHTML.slice(0, 200));
    const inner = ['meta', 'uirevision'];
    const text = plot => JSON.stringify([plot.data, plot.layout], (key, value) => inner.includes(key) ? null : value);
    const drawn = [...document.querySelectorAll('.js-plotly-plot')].flatMap(plot =>
        text(plot).match(/<(a |img|script|svg|b>late)[^"]{{0,60}}/g) ?? []);
    return [...bad, ...styled, ...drawn, ...(window.ran ? ['a script ran'] : [])];
}}"""
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SAFE_NAME = re.compile(r"[^\x00-\x1f\x7f<>:\"/\\|?*\u202a-\u202e\u2066-\u2069]{1,200}")
PICTURES = """() => [...document.querySelectorAll('.js-plotly-plot')]
    .map(plot => plot._context?.toImageButtonOptions?.filename ?? 'newplot')"""
FORMULA = re.compile(r"\s*[=@+]|\s*-(?![\d.∞])")
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def table() -> pd.DataFrame:
    rng, n = np.random.default_rng(0), 240
    first, second, third = rng.normal(0, 1, (3, n)).round(3)
    late = rng.random(n) < 1 / (1 + np.exp(-2 * first - second))
    return pd.DataFrame(
        {
            SCRIPT: first,
            PICTURE: second,
            LONG: third,
            KIND: [NAMES[i % len(NAMES)] for i in range(n)],
            WHO: [f"{NAMES[i % len(NAMES)]} {i}" for i in range(n)],
            LATE: np.where(late, YES, NO),
        }
    )


def question(home: Path) -> Question:
    """About 120 of its people, audited, its file in a data folder."""
    rows = table()
    content = rows.to_csv(index=False).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(home))
        source = TableFile(data_files().put(content, "people.csv"))
        schema = dc.Schema.infer(source.table(data_files()), outcome=LATE)
    scenario = dc.Scenario(
        data=source,
        schema=schema,
        cohort=dc.Cohort(sample=200, seed=0),
        model=TrainedModel("logistic"),
        actions=dc.Actionability.default(schema),
        target=Threshold(0.5, 0.8, "below"),
        bounds=dc.Bounds(2.0, 0.3, delta=0.2, slices=5),
        settings=dc.Settings(k=5, candidates=10, iterations=10),
        audit=AuditPlan(kind="programmes"),
        people=WHO,
        name=TITLE,
    )
    return Question(TITLE, scenario, data_title=FILE, model_title=f"{LINK} {SCRIPT}")


def put(home: Path, store: Store) -> str:
    """The question, saved, and solved into a store by this process. The run's id."""
    asked = question(home)
    SavedScenarios(store).save(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(home))
        runner = Runner(store, ThreadPoolExecutor(1))
        run_id = runner.start(asked)
        until(store, run_id, lambda run: run.over)
        runner.close()
    return run_id


def harm(page: Page, *texts: str) -> list[str]:
    """What of the content has become more than text, is wider than the window, or does not stand there as it is."""
    expect(page.get_by_test_id("stException")).to_have_count(0)
    found = [str(one) for one in page.evaluate(CREATED)]
    if (wider := page.evaluate(WIDER)) > 0:
        found.append(f"{wider} pixels wider than the window")
    said = page.locator("body").inner_text().replace(UNSEEN, "")
    found += [f"not there: {text[:80]}" for text in texts if text not in said]
    return [*found, *(f"a picture called {name!r}" for name in page.evaluate(PICTURES) if not safe_name(name))]


def safe_name(name: str) -> bool:
    return bool(SAFE_NAME.fullmatch(name)) and not RESERVED.fullmatch(name) and not name.startswith((".", "-", " ", "="))


def harm_of_files(page: Page) -> list[str]:
    """Names that are none on some system, and cells that a spreadsheet takes for formulas, in all files that a page offers."""
    found = []
    for button in page.locator('[data-testid="stDownloadButton"] button:enabled').all():
        if button.is_visible():
            with page.expect_download() as waiting:
                button.click()
            name, content = waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()
            cells = []
            if name.endswith(".csv"):
                cells = (
                    pd.read_csv(io.BytesIO(content), dtype=str, header=None, keep_default_na=False).to_numpy().ravel().tolist()
                )
            elif name.endswith(".xlsx"):
                book = openpyxl.load_workbook(io.BytesIO(content))
                cells = [f"={cell.value}" for sheet in book for line in sheet for cell in line if cell.data_type == "f"]
            elif name.endswith(".json"):
                json.loads(content)
            found += [f"{name}: {cell[:80]}" for cell in cells if FORMULA.match(cell)]
            found += [] if safe_name(name) else [f"a file called {name!r}"]
    return found
