"""Sorted lines: the incremental scorer against sorting anew, Proposition 3.1, and the guidance against differences."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.transport import lines as module
from discover_core.transport.lines import Lines
from discover_core.transport.plan import wasserstein2


def brute(values, goal, spread):
    """Sort and match, from the definition."""
    costs = (np.sort(values, axis=1) - goal) ** 2 + (0 if spread is None else spread)
    return costs.sum() / values.size


def case(rng):
    """A random state, rows to edit and candidates: many ties, any k up to n, with or without spread."""
    n, lines, count = int(rng.integers(1, 14)), int(rng.integers(1, 5)), int(rng.integers(1, 7))
    k = n if rng.random() < 0.15 else int(rng.integers(1, n + 1))
    whole = rng.random() < 0.6

    def draw(*shape):
        return rng.integers(-2, 3, shape).astype(float) if whole else rng.normal(size=shape)

    spread = rng.random((lines, n)) if rng.random() < 0.4 else None
    made = Lines.of(draw(lines, n), np.sort(draw(lines, n), axis=1), spread)
    return made, rng.permutation(n)[:k], draw(count, lines, k)


@pytest.mark.parametrize("seed", range(8))
def test_edit_costs_and_merged_order_agree_with_sorting_anew(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    if seed % 2:
        monkeypatch.setattr(module, "CHUNK", 30)
    for _ in range(500):
        made, rows, candidates = case(rng)
        costs = made.edit_costs(rows, candidates)
        for cost, candidate in zip(costs, candidates, strict=True):
            values = made.values.copy()
            values[:, rows] = candidate
            assert cost == pytest.approx(brute(values, made.goal, made.spread), rel=1e-12, abs=1e-13)
        after = made.edited(rows, candidates[-1])
        np.testing.assert_array_equal(after.values, values)
        np.testing.assert_array_equal(after.ranked, np.sort(values, axis=1))
        np.testing.assert_array_equal(np.take_along_axis(values, after.order, axis=1), after.ranked)
        np.testing.assert_array_equal(np.sort(after.order, axis=1), np.broadcast_to(np.arange(made.size), values.shape))
        assert after.cost() == pytest.approx(costs[-1], rel=1e-12, abs=1e-13)


def test_a_long_chain_of_edits_stays_exact():
    rng = np.random.default_rng(1)
    made = Lines.of(rng.normal(size=(6, 80)), np.sort(rng.normal(size=(6, 80)), axis=1))
    for _ in range(200):
        rows = rng.permutation(80)[:5]
        new = np.round(rng.normal(size=(6, 5)), 1)
        expected = made.edit_costs(rows, new[None])[0]
        made = made.edited(rows, new)
        assert made.cost() == pytest.approx(expected, rel=1e-12)
    assert made.cost() == pytest.approx(brute(made.values, made.goal, None), rel=1e-13)


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 8))
@settings(max_examples=100, deadline=None)
def test_proposition_3_1_row_scores_sum_to_the_distance(seed, n, lines):
    rng = np.random.default_rng(seed)
    x, goal = np.round(rng.normal(size=(lines, n)), 1), np.sort(np.round(rng.normal(size=(lines, n)), 1), axis=1)
    made = Lines.of(x, goal)
    distance = np.mean([wasserstein2(a, b) for a, b in zip(x, goal, strict=True)])
    assert made.impact.sum() == pytest.approx(distance, rel=1e-12)
    assert made.cost() == pytest.approx(distance, rel=1e-12)
    row = int(rng.integers(n))
    by_hand = np.mean([(x[i, row] - goal[i, list(made.order[i]).index(row)]) ** 2 / n for i in range(lines)])
    assert made.impact[row] == pytest.approx(by_hand, rel=1e-12, abs=1e-15)


def test_pull_is_the_gradient():
    rng = np.random.default_rng(2)
    made = Lines.of(rng.normal(size=(4, 30)), np.sort(rng.normal(size=(4, 30)), axis=1), rng.random((4, 30)))
    rows, h = np.array([3, 17, 8]), 1e-6
    pull = made.pull(rows)
    for line in range(4):
        for i, row in enumerate(rows):
            up, down = made.values.copy(), made.values.copy()
            up[line, row] += h
            down[line, row] -= h
            slope = (brute(up, made.goal, made.spread) - brute(down, made.goal, made.spread)) / (2 * h)
            assert pull[line, i] == pytest.approx(slope, rel=1e-6, abs=1e-9)
    at_home = Lines.of(made.goal, made.goal)
    assert not at_home.pull(rows).any()
    np.testing.assert_array_equal(at_home.met(rows), made.goal[:, rows])


def peak(work):
    tracemalloc.start()
    work()
    high = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return high


def test_memory_does_not_grow_with_lines_or_edited_rows():
    rng = np.random.default_rng(0)

    def used(n, lines, k, count):
        made = Lines.of(rng.normal(size=(lines, n)), np.sort(rng.normal(size=(lines, n)), axis=1))
        candidates = rng.normal(size=(count, lines, k))
        return peak(lambda: made.edit_costs(np.arange(k), candidates))

    allowed = 8 * 1.5 * module.CHUNK
    assert used(2_000, 800, 2, 20) < allowed
    assert used(20_000, 8, 40, 60) < allowed
    assert used(20_000, 8, 40, 20) < allowed
    assert used(200, 200, 5, 2_000) < allowed
