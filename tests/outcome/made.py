"""Finished runs without a solver: a group, its edits and its scores as a test wants them, in the classes of the store."""

import json

import numpy as np

import discover_core as dc
from discover_core.outcome.outcome import Outcome
from discover_core.scenario.sources import SampleTable, TrainedModel
from discover_core.scenario.target_specification import Shift
from discover_core.solver.cells import Layout
from discover_core.store.run_progress import RunProgress
from discover_core.store.step_codec import Head, pack_head, unpack_head
from discover_core.store.store import Run
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("Duration", "numeric", low=4, high=72, step=1, unit="months"),
        Column("Rate", "numeric", low=0.0, high=10.0, unit="%"),
        Column("Since", "numeric", low=10_000, high=20_000, step=1, date=True),
        Column("Savings", "ordinal", levels=("none", "some", "rich")),
        Column("Housing", "nominal", levels=("rent", "own", "free")),
        Column("<script>; =a → b", "nominal", levels=("-1", "@x", "+1")),
    )
)


def outcome(before, after, schema=SCHEMA, scores=None, rows=None, weights=None) -> Outcome:
    """A run whose group has the cells `before` and ends with the cells `after`."""
    before, after = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    n = len(before)
    actions = dc.Actionability.free(schema)
    for name, weight in (weights or {}).items():
        actions = actions.weight(name, weight)
    scenario = dc.Scenario(
        SampleTable("german_credit"), schema, dc.Cohort(), TrainedModel("logistic"), actions, Shift(-0.1),
        dc.Bounds(0.5, 0.5), dc.Settings(),
    )  # fmt: skip
    outputs = np.linspace(0.2, 0.9, n) if scores is None else np.asarray(scores, dtype=float)
    width = len(schema.features)
    centre, scale = np.zeros(width), np.arange(1.0, width + 1)
    places = np.arange(n) * 3 if rows is None else np.asarray(rows)
    head = Head(places, before, outputs, dc.Target.values(outputs), centre, scale, (0.0, 1.0))
    return _opened(scenario, head, 1, after, outputs - 0.1 * (before != after).any(axis=1))


def solved(scenario) -> Outcome:
    """A scenario solved here, without a worker, as the store would open it."""
    result = dc.run(scenario.problem(), scenario.settings)
    weights = {rule.name: rule.weight for rule in scenario.actions}
    ready = scenario.schema.prepare(result.problem.reference)
    head = unpack_head(pack_head(result.problem, Layout(Encoding.fit(ready, scenario.schema, weights))))
    best = result.best_step
    return _opened(scenario, head, best.iteration, best.cells, best.outputs)


def _opened(scenario, head, best, cells, outputs) -> Outcome:
    kept = json.dumps(scenario.to_dict())
    run = Run("id", "A run", "finished", None, None, None, None, 0, 0, 1, best, best, False, "", "", None, kept, "{}", None)
    return Outcome(RunProgress(run, head), head, best, cells, outputs)


def random_cells(n, rng) -> np.ndarray:
    """Cells of SCHEMA; the continuous rate has all its digits."""
    return np.column_stack([
        rng.integers(4, 73, n), rng.uniform(0, 10, n), rng.integers(10_000, 20_001, n),
        rng.integers(0, 3, n), rng.integers(0, 3, n), rng.integers(0, 3, n),
    ]).astype(float)  # fmt: skip


def random_outcome(n=60, seed=0, share=0.3) -> Outcome:
    """About this share of the cells is drawn anew, in about two thirds of the people."""
    rng = np.random.default_rng(seed)
    before = random_cells(n, rng)
    drawn = (rng.random((n, 6)) < share) & (rng.random((n, 1)) < 2 / 3)
    after = np.where(drawn, random_cells(n, rng), before)
    return outcome(before, after, rows=rng.permutation(10 * n)[:n])
