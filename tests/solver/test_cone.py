"""Cone sampling: budgets, angles, step limits, and walls that hold in thousands of random schemas."""

from typing import get_args

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.problem import settings as names
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver import solve
from discover_core.solver.cone import Cone, embedding_width, in_cone
from discover_core.solver.fence import Fence
from discover_core.solver.search import layout_of
from discover_core.solver.strategies import STRATEGIES

from ..problem.test_walls import random_problem
from .cases import mixed


def odd_model(table):
    """Different for every cell, without a known interval."""
    total = np.zeros(len(table))
    for j, name in enumerate(table.columns):
        cells = table[name]
        total += np.cos(j + (cells.cat.codes if isinstance(cells.dtype, pd.CategoricalDtype) else cells).to_numpy(dtype=float))
    return total


@pytest.mark.parametrize("schemas", [50, pytest.param(200, marks=pytest.mark.slow)])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_wall_is_ever_crossed_in_random_schemas(strategy, schemas):
    rng = np.random.default_rng([len(strategy), schemas])
    tried = moved = 0
    while tried < schemas:
        try:
            made = random_problem(rng)
        except InputError:
            continue
        target = Target.values(rng.normal(0, 2, int(rng.integers(1, 8))))
        bounds = Bounds(1, 1, slices=2, band=["dkw", "bootstrap"][tried % 2])
        problem = Problem(made.rows, made.schema, odd_model, made.actions, target, bounds)
        settings = Settings(
            strategy,
            ["joint", "rowwise"][int(rng.integers(2))],
            k=int(rng.integers(1, 4)),
            h=int(rng.integers(1, 5)),
            candidates=8,
            iterations=3,
            seed=tried,
            origin=["factual", "current"][int(rng.integers(2))],
            guidance=str(rng.choice(get_args(names.Guidance))),
            numeric_step=float(rng.uniform(0.05, 1)),
            encoding=["onehot", "label"][int(rng.integers(2))],
        )
        layout = layout_of(problem, settings)
        steps = list(solve(problem, settings))
        for step in steps:
            assert problem.walls.violations(layout.table(step.cells)) == []
            np.testing.assert_array_equal(layout.cells(layout.table(step.cells)), step.cells)
            assert step.q <= step.q_before + 1e-12
        tried += 1
        moved += bool((steps[-1].cells != steps[0].cells).any())
    assert moved > schemas / 4


def cone_of(problem, **changes):
    settings = Settings(**changes)
    return Cone.of(layout_of(problem, settings), Fence.of(problem), settings)


@pytest.mark.parametrize("h", [1, 2, 3, 5, 9])
def test_exactly_h_features_are_chosen_among_the_open_ones(h):
    problem = mixed(20, actions=mixed().actions.lock("Income").only_increase("Saving"))
    cone = cone_of(problem, h=h, candidates=50)
    rows = np.arange(20)
    chosen = cone.choose(rows, np.random.default_rng(0))
    free = problem.walls.open[rows]
    assert not (chosen & ~free).any()
    np.testing.assert_array_equal(chosen.sum(axis=2), np.broadcast_to(np.minimum(free.sum(axis=1), h), (50, 20)))
    assert (chosen.any(axis=(0, 1)) == free.any(axis=0)).all()


@pytest.mark.parametrize("angle", [10, 45, 90])
def test_directions_lie_in_the_cone_and_fill_it(angle):
    rng = np.random.default_rng(0)
    axis = rng.normal(size=(4_000, 5))
    mask = rng.random(axis.shape) < 0.8
    axis = np.where(mask, axis, 0)
    found = in_cone(axis, np.radians(angle), rng, mask)
    some = mask.any(axis=1)
    np.testing.assert_allclose(np.linalg.norm(found[some], axis=1), 1, rtol=1e-12)
    assert not found[~mask].any()
    cosine = np.sum(found * axis, axis=1)[some] / np.linalg.norm(axis, axis=1)[some]
    tilt = np.degrees(np.arccos(np.clip(cosine, -1, 1)))
    assert tilt.max() <= angle + 1e-6
    assert tilt.max() > 0.95 * angle


def test_without_guidance_every_direction_is_as_likely():
    found = in_cone(np.zeros((20_000, 3)), 0.5, np.random.default_rng(1))
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-12)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=0.02)
    np.testing.assert_allclose(found.T @ found / len(found), np.eye(3) / 3, atol=0.02)


def test_numbers_step_against_the_pull_and_no_further_than_the_limit():
    problem = mixed(6)
    cone = cone_of(problem, candidates=300, angle=30.0, origin="current")
    rows = np.arange(6)
    block = np.broadcast_to(cone.layout.cells(problem.factual), (300, 6, 5))
    chosen = np.zeros(block.shape, dtype=bool)
    chosen[..., 0] = True
    pull = np.zeros((6, cone.layout.encoding.width))
    pull[:, 0] = [1, -1, 1, -1, 1, -1]
    moved = cone.move(rows, block, block, chosen, pull, np.random.default_rng(0))
    np.testing.assert_array_equal(moved[..., 1:], block[..., 1:])
    step = moved[..., 0] - block[..., 0]
    assert np.abs(step).max() <= 0.1 * 10 + 1e-12
    assert (step * pull[:, 0] <= 0).all()
    assert np.abs(step).max() > 0.5


def test_categories_are_drawn_by_algorithm_3():
    """Against the softmax written out, at a temperature that keeps several levels in play."""
    problem = mixed(4)
    cone = cone_of(problem, candidates=30_000, guidance="none", categorical_step=1e-9)
    rows = np.arange(4)
    block = np.broadcast_to(cone.layout.cells(problem.factual), (30_000, 4, 5))
    chosen = np.zeros(block.shape, dtype=bool)
    chosen[..., 3] = True
    moved = cone.move(rows, block, block, chosen, np.zeros((4, cone.layout.encoding.width)), np.random.default_rng(0))
    table = cone.tables[3]
    for row in rows:
        far = np.sum((table - table[int(block[0, row, 3])]) ** 2, axis=1)
        share = np.exp(-far / 2) / np.exp(-far / 2).sum()
        np.testing.assert_allclose(np.bincount(moved[:, row, 3].astype(int), minlength=5) / 30_000, share, atol=0.012)


def test_categorical_guidance_favours_the_level_that_the_pull_points_to():
    problem = mixed(4)
    block_of = cone_of(problem).layout.encoding.blocks[3]
    rows = np.zeros(4, dtype=np.int64)
    pull = np.zeros((4, cone_of(problem).layout.encoding.width))
    pull[:, block_of.start + 2] = -1.0
    share = {}
    for guidance in ("both", "none"):
        cone = cone_of(problem, candidates=5_000, guidance=guidance, categorical_step=3.0)
        block = np.broadcast_to(cone.layout.cells(problem.factual)[rows], (5_000, 4, 5))
        chosen = np.zeros(block.shape, dtype=bool)
        chosen[..., 3] = True
        moved = cone.move(rows, block, block, chosen, pull, np.random.default_rng(0))
        share[guidance] = np.mean(moved[..., 3] == 2)
    assert share["both"] > share["none"] + 0.02


def test_embeddings_are_fixed_and_as_wide_as_the_paper_says():
    assert [embedding_width(v) for v in (2, 3, 5, 6, 10, 11, 20, 21, 500)] == [4, 6, 6, 8, 8, 12, 12, 16, 16]
    first, second = cone_of(mixed(), seed=1), cone_of(mixed(), seed=2)
    assert first.tables[3].tobytes() == second.tables[3].tobytes()
    assert first.tables[3].shape == (5, 6)
