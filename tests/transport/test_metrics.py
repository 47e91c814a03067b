"""The report's numbers, against POT, plain loops and examples made by hand."""

from dataclasses import replace

import numpy as np
import ot
import pytest

import discover_core as dc
from discover_core.problem.target import Target
from discover_core.table.encoding import Encoding
from discover_core.transport.metrics import mmd2, report_slices
from discover_core.transport.usual import Usual

from ..solver.cases import MIXED, mixed, mixed_rows


def test_an_unchanged_group_is_at_distance_zero():
    problem = mixed(12)
    found = dc.metrics(problem, problem.rows)
    assert (found.ot_x, found.rows_changed, found.cells_changed, found.ares_cost) == (0, 0, 0, 0)
    assert (found.cells_per_person, found.effort, found.broken) == (0, 0, 0)
    assert np.isnan(found.usual)
    assert found.mmd == pytest.approx(0, abs=1e-12)
    assert found.share_before == found.share_after == np.mean(problem.outputs >= 0.5)


@pytest.mark.parametrize("target", [Target.beta(0.1, 0.9, n=12), Target.values([0.1, 0.2, 0.9])])
def test_distances_agree_with_pot(target):
    problem = mixed(12, target)
    after = mixed_rows(12, seed=5)
    found = dc.metrics(problem, after, threshold=0.3)
    encoding = Encoding.fit(problem.reference, MIXED)
    x, z = encoding.encode(problem.factual), encoding.encode(MIXED.prepare(after))
    slices = report_slices(encoding.width, 12)
    assert len(slices) == 2_000
    assert found.ot_x == pytest.approx(ot.sliced_wasserstein_distance(z, x, projections=slices.T) ** 2, rel=1e-10)
    outputs = problem.score(MIXED.prepare(after))
    assert found.ot_y == pytest.approx(ot.emd2_1d(outputs, target.left.copy(), metric="sqeuclidean"), rel=1e-10)
    assert found.share_after == np.mean(outputs >= 0.3)
    kernel = [[np.exp(-np.sum((a - b) ** 2) / 2) for b in np.vstack([x, z])] for a in np.vstack([x, z])]
    kernel = np.array(kernel)
    by_hand = kernel[:12, :12].mean() + kernel[12:, 12:].mean() - 2 * kernel[:12, 12:].mean()
    assert found.mmd == pytest.approx(by_hand, rel=1e-10)
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(np.vstack([x, z])) for b in np.vstack([x, z])[i + 1 :]]
    assert dc.metrics(problem, after, kernel="median").mmd == pytest.approx(mmd2(x, z, float(np.median(gaps))), rel=1e-10)


def test_costs_and_counts_by_hand():
    problem = mixed(4)
    after = problem.factual.copy()
    ranges = problem.ranges()
    narrow = {c.name: replace(c, usual=(c.low, (c.low + c.high) / 2)) if c.role == "numeric" else c for c in problem.schema}
    usual = replace(problem.schema, columns=tuple(narrow.values()))
    after.loc[0, "Income"] += 1.5
    after.loc[0, "Months"] -= 6
    after["Job"] = after["Job"].cat.set_categories(MIXED["Job"].levels)
    codes = after["Job"].cat.codes.to_numpy().copy()
    codes[2] = (codes[2] + 1) % 5
    after["Job"] = [MIXED["Job"].levels[c] for c in codes]
    found = dc.metrics(problem, after)
    assert (found.rows_changed, found.cells_changed, found.cells_per_person) == (2, 3, 1.5)
    spread = problem.reference[["Income", "Months"]].std(ddof=0)
    assert found.effort == pytest.approx(np.hypot(1.5 / spread["Income"], 6 / spread["Months"]) + 1)
    assert found.broken == 0
    income, months = (high - low for low, high in (ranges["Income"], ranges["Months"]))
    assert found.ares_cost == pytest.approx(np.sqrt((1.5 / income) ** 2 + (6 / months) ** 2 + 0.25), rel=1e-12)
    # what is usual decides what is offered, not what a change is measured by
    offered = replace(problem, schema=usual, actions=replace(problem.actions, schema=usual))
    assert offered.ranges() != ranges
    assert dc.metrics(offered, after).ares_cost == found.ares_cost


def test_effort_has_the_weights():
    problem = mixed(4)
    after = problem.rows.assign(Income=problem.rows["Income"] - 1)
    weighted = replace(problem, actions=problem.actions.weight("Income", 3.0))
    assert dc.metrics(weighted, after).effort == pytest.approx(3 * dc.metrics(problem, after).effort)
    assert dc.metrics(weighted, after).usual == dc.metrics(problem, after).usual


def test_another_methods_table_is_judged_by_the_walls_and_by_how_usual_its_people_are():
    problem = mixed(24)
    walled = replace(problem, actions=problem.actions.lock("Home").only_increase("Months").limit("Income", 2, 8))
    after = problem.rows.copy()
    after["Home"] = after["Home"].map({"own": "rent", "rent": "own"})
    assert dc.metrics(walled, after).broken == 24
    after["Months"] -= 1
    assert dc.metrics(walled, after).broken == 48
    one = problem.rows.copy()
    one.loc[3, "Income"] = 99.0
    found = dc.metrics(walled, one)
    assert (found.broken, found.usual) == (1, 1)
    home = mixed_rows(200, 99).iloc[:24].reset_index(drop=True)  # people of the reference itself
    usual = Usual.of(problem)
    points = (usual.encoding.encode(MIXED.prepare(table)) for table in (home, problem.rows))
    assert dc.metrics(problem, home).usual == np.median(usual.percentile(*points))


@pytest.mark.slow
def test_mmd_of_many_rows_is_sampled_in_bounded_memory():
    rng = np.random.default_rng(0)
    x, z = rng.normal(size=(5_000, 3)), rng.normal(1, 1, (5_000, 3))
    assert mmd2(x, z) == pytest.approx(mmd2(x[:2_000], z[:2_000]), rel=0.1)


def test_very_many_rows_get_fewer_slices():
    assert len(report_slices(3, 100_000)) == 200
    assert len(report_slices(3, 10**7)) == 100
