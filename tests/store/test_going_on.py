"""From stored steps a run goes on to the same bits: what the next iteration depends on is all in the store."""

from dataclasses import replace

import pytest

import discover_core as dc
from discover_core.problem.budget import Budget
from discover_core.problem.targets import Beta, Threshold
from discover_core.scenario.question import Question
from discover_core.store.step_codec import LEVELS, place_of, step_row
from discover_core.store.store import Store

from ..workers.scenarios import german

TARGETS = {"threshold": Threshold(0.3, 0.8, "below", 0.02), "shape": Beta(2.0, 5.0)}


BUDGETS = {
    "free": {},
    "limited": {
        "budget": Budget(people=15, features=2, effort=2.5, total_effort=12.0, first="Credit amount"),
        "rules": ("Credit amount <= 900 * Duration", "Checking account and Savings change together"),
    },
}


@pytest.mark.parametrize("limits", BUDGETS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("selection", ["personal", "rowwise"])
def test_stored_steps_are_gone_on_from(selection, target, limits, tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    scenario = replace(german(40, selection=selection, k=5, h=1), target=TARGETS[target], **BUDGETS[limits])
    problem, settings, store = scenario.problem(), scenario.settings, Store()
    whole = list(dc.solve(problem, settings, levels=LEVELS))
    assert len(whole) > (12 if limits == "free" else 2)
    if selection == "personal":
        assert any(len(step.unhelped) for step in whole)
    run_id = store.add(Question("a run", scenario), "server")
    token = store.claim(run_id, 1)
    for step in whole:
        store.write(run_id, token, step_row(step), 0.1)
        if step.iteration in (0, 1, 7, 12, len(whole) - 2, len(whole) - 1):
            rest = list(dc.solve(problem, settings, place_of(store.steps(run_id)), LEVELS))
            assert [step_row(later) for later in rest] == [step_row(later) for later in whole[step.iteration + 1 :]]
