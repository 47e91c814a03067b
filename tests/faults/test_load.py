"""Many people on one server, some of whom start runs at the same moment."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest

import discover_core as dc
from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask, stored_steps, undisturbed
from .process_tree import megabytes
from .visitor import WAIT, Visitor

CORES = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
DEMOS = ("german_credit", "compas")
ASKED = 2.0  # seconds for 95 of 100 clicks, where the machine has not much else to do
READS = (1.0, 5.0)  # seconds that somebody looks at a page before the next click
PAGES = ("", "data", "model", "scenario", "solve", "apply")


@dataclass
class Seen:
    """What one person met."""

    answers: list[float] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    looks: int = 0
    waited: bool = False


@pytest.mark.parametrize(
    ("people", "count", "scenario", "timed"),
    [
        pytest.param(10, 4, german(300), False, id="bounded", marks=pytest.mark.slow),
        pytest.param(20, 8, german(2000), True, id="long", marks=pytest.mark.soak),
    ],
)
def test_people_on_all_pages_and_runs_at_the_same_moment(
    people: int, count: int, scenario: dc.Scenario, timed: bool, server: Server, store: Store
) -> None:
    runs, together, over = [ask(store, scenario) for _ in range(count)], threading.Barrier(count, timeout=WAIT), threading.Event()

    def starts(run_id: str) -> Seen:
        """Begin a run at the same moment as the others, and watch it to its end."""
        with Visitor(server.url) as visitor:
            visitor.open("solve", f"run={run_id}")
            together.wait()
            visitor.press(BEGIN)
            waited, end = False, time.monotonic() + 6 * WAIT
            while not visitor.has("to-results"):
                assert time.monotonic() < end, f"the run does not end; the page says:\n{visitor.text}"
                visitor.watch()
                waited = waited or "Waiting for one of" in visitor.text
            visitor.press("to-results")
            return Seen(visitor.answers, visitor.troubles, visitor.looks, waited)

    def looks_around(number: int) -> Seen:
        """Open a demo and go from page to page, until the runs are over."""
        with Visitor(server.url) as visitor:
            visitor.open("scenario", f"demo={DEMOS[number % len(DEMOS)]}")
            turn, random = 0, np.random.default_rng(number)
            while not over.wait(random.uniform(*READS)):
                visitor.go(PAGES[(number + turn) % len(PAGES)])
                turn += 1
            return Seen(visitor.answers, visitor.troubles, visitor.looks)

    with ThreadPoolExecutor(people) as everybody:
        around = [everybody.submit(looks_around, number) for number in range(people - count)]
        starting = [everybody.submit(starts, run_id) for run_id in runs]
        try:
            watched = [each.result() for each in starting]
        finally:
            over.set()
        seen = [*watched, *(each.result() for each in around)]

    assert [store.state(run_id).state for run_id in runs] == ["finished"] * count
    assert [trouble for each in seen for trouble in each.troubles] == []
    if count // 2 >= CORES:
        assert any(each.waited for each in watched), "nobody was told that a run waits"
    whole = undisturbed(scenario)
    assert all(stored_steps(store, run_id) == whole for run_id in runs)
    answers = np.array([answer for each in seen for answer in each.answers])
    print(
        f"\n{people} people, {count} runs at the same moment on {CORES} cores: none failed, all gave the same bits; "
        f"{sum(each.waited for each in watched)} were told that they wait; {len(answers)} clicks answered in "
        f"{np.median(answers):.2f} s (median), {np.quantile(answers, 0.95):.2f} s (95%), {answers.max():.2f} s (slowest); "
        f"{sum(each.looks for each in seen):,} looks at a run; the server took {megabytes(server.process.pid):.0f} MB."
    )
    assert not timed or np.quantile(answers, 0.95) < ASKED
