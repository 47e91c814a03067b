"""Questions in a server's store, put there from outside, so that a person of a test need only press a button."""

from __future__ import annotations

from itertools import islice
from typing import Any

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.solver.solve import solve
from discover_core.store.step_codec import LEVELS, step_row
from discover_core.store.store import Store

from .visitor import Visitor

BEGIN = "continue-run"  # the button of a run that has stopped
COMPARED = 300  # steps of a long run


def ask(store: Store, scenario: dc.Scenario, name: str = "German Credit") -> str:
    """A run that waits for somebody to continue it. Its id."""
    run_id = store.add(Question(name, scenario, data_title="German Credit", model_title="XGBoost"), "nobody")
    store.fail(run_id, "stopped", "It has not begun.")
    return run_id


def begun(store: Store, run_id: str) -> bool:
    """Whether somebody has continued a run that had stopped or failed."""
    return store.state(run_id).state not in ("stopped", "failed")


def undisturbed(scenario: dc.Scenario, steps: int | None = None) -> list[dict[str, Any]]:
    """All that the store keeps of each step of a run that nothing disturbs, or of the first ones, but the time it took."""
    found = islice(solve(scenario.problem(), scenario.settings, levels=LEVELS), steps)
    return [dict(step_row(step)) for step in found]


def check_beginning(store: Store, run_id: str, scenario: dc.Scenario) -> None:
    """A run that was long enough for all that happened to it has taken the steps of one that nothing disturbs."""
    found = stored_steps(store, run_id)[:COMPARED]
    assert found == undisturbed(scenario, len(found))


def end_run(store: Store, run_id: str, visitor: Visitor, more: int = 20) -> None:
    """Stop a run that has more to do than anybody waits for, once it has taken some further steps."""
    done = store.state(run_id).done
    visitor.until(lambda: store.state(run_id).done >= done + more)
    store.request(run_id, "stop")
    visitor.until(lambda: store.state(run_id).over)
    assert store.state(run_id).state == "stopped"


def stored_steps(store: Store, run_id: str) -> list[dict[str, Any]]:
    """The same of what is stored."""
    rows = [dict(row._mapping) for row in store.steps(run_id)]
    return [{name: value for name, value in row.items() if name not in ("run", "seconds")} for row in rows]
