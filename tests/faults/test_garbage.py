"""A model that returns garbage in the middle of a run ends that run, with one sentence and every step before it, and no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy
from discover_core.store.store import Store
from discover_core.workers.runner import Runner
from tests.workers.held_model import PICKLES, HoldableProcesses
from tests.workers.scenarios import german, until

from .asked import stored_steps, undisturbed
from .garbage_model import GARBAGE, garbage

pytestmark = pytest.mark.slow


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(PICKLES, "1")
    made = Runner(Store(), HoldableProcesses(2))
    yield made
    made.close()
    made.executor.shutdown()


def test_a_model_that_returns_garbage_ends_its_own_run_only(runner: Runner) -> None:
    sane = runner.start(Question("sane", german(150)))
    mad = {kind: runner.start(Question(kind, german(40), model_copy=ModelCopy(garbage(kind)))) for kind in GARBAGE}
    for kind, run_id in mad.items():
        run = until(runner.store, run_id, lambda run: run.over, 300)
        assert run.state == "failed", kind
        assert re.fullmatch(r".{20,250}", run.sentence), kind
        steps = runner.store.steps(run_id)
        assert [step.iteration for step in steps] == list(range(run.done + 1)), kind
        assert run.done > 0, kind
    assert until(runner.store, sane, lambda run: run.over, 300).state == "finished"
    assert stored_steps(runner.store, sane) == undisturbed(german(150))
    print(f"\n{len(mad)} kinds of garbage: one sentence each, every step before it kept, the run beside them undisturbed.")
