"""Outcomes without a solver: a group, its edits and its scores as a test wants them."""

import numpy as np

import discover_core as dc
from discover_core.outcome.group import Group
from discover_core.outcome.outcome import Outcome
from discover_core.problem.targets import Shift, TargetContext
from discover_core.solver.cells import Layout
from discover_core.table.encoding import Encoding
from discover_core.table.people import row_names
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


def outcome(
    before, after, schema=SCHEMA, scores=None, rows=None, weights=None, scores_after=None, target=None, specification=None
) -> Outcome:
    """A group with the cells `before` that ends with the cells `after`; those who change score .1 less, unless it is said."""
    before, after = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
    n, width = len(before), len(schema.features)
    actions = dc.Actionability.free(schema)
    for name, weight in (weights or {}).items():
        actions = actions.weight(name, weight)
    outputs = np.linspace(0.2, 0.9, n) if scores is None else np.asarray(scores, dtype=float)
    known = {rule.name: rule.weight for rule in actions}
    layout = Layout(Encoding.from_scales(schema, np.zeros(width), np.arange(1.0, width + 1), known, "onehot"))
    places = np.arange(n) * 3 if rows is None else np.asarray(rows)
    asked_for = specification or Shift(-0.1)
    wished = asked_for.target(TargetContext(outputs, lambda cohort: outputs)) if target is None else target
    asked = (wished, (0.0, 1.0), schema, layout, actions, dc.Bounds(0.5, 0.5), dc.Settings())
    group = Group(places, row_names(places), False, before, outputs, *asked, asked_for)
    moved = outputs - 0.1 * (before != after).any(axis=1) if scores_after is None else np.asarray(scores_after, dtype=float)
    return Outcome("A run", group, after, moved, 1)


def solved(scenario) -> Outcome:
    """A scenario solved here, without a worker."""
    return Outcome.of_result(dc.run(scenario.problem(), scenario.settings), specification=scenario.target)


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
