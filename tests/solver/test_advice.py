"""The advice on bounds: equal to what a run shows, true to its inequalities, finite when limits are not."""

import math
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.certificate.limits import Limiter
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.solver.advice import (
    Ground,
    advise,
    chance,
    gather,
    input_limit,
    input_limiter,
    output_limits,
    round_up,
    survey,
    thinned,
)
from discover_core.solver.cells import Layout
from discover_core.solver.obstacles import obstacles
from discover_core.solver.search import layout_of
from discover_core.solver.solve import solve
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema

from .cases import MIXED, mixed

ANY = Target.beta(0.1, 0.9, n=200, seed=0)
DKW = Bounds(0.5, 0.05)


def of_problem(problem, settings, editable=MIXED.feature_names):
    """The advice for the rows of a problem as a group of its own table."""
    table = pd.concat([problem.factual, problem.reference], ignore_index=True)
    group = np.arange(len(problem.factual))
    layout = layout_of(problem, settings)
    people = gather(layout, table, group, group, settings.seed)
    slices, seed = problem.bounds.slices, settings.seed
    ground = survey(layout, people, chance(layout, people, slices, seed), editable, slices, seed)
    return ground, advise(ground, problem.outputs, problem.target, problem.bounds, problem.interval, settings.seed)


def normal_ground(n, population, seed=0, editable=("a", "b")):
    schema = Schema((Column("a", "numeric", low=-9, high=9), Column("b", "numeric", low=-9, high=9)))
    table = pd.DataFrame(np.random.default_rng(seed).normal(size=(population, 2)), columns=["a", "b"])
    layout = Layout(Encoding.fit(table, schema))
    people = gather(layout, table, np.arange(n), np.arange(population), 0)
    return survey(layout, people, chance(layout, people, 20, 0), editable, 20, 0)


@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
@pytest.mark.parametrize("target", [ANY, Target.quantiles([0, 1], [0.1, 0.3]), Target.values([0.2, 0.4, 0.6])])
@pytest.mark.parametrize("seed", [0, 5])
def test_the_scale_begins_where_a_run_begins(band, target, seed):
    actions = Actionability.free(MIXED).weight("Job", 3).lock("Home")
    bounds = Bounds(0.5, 0.1, alpha=0.1, delta=0.2, slices=6, band=band)
    problem = mixed(200, target=target, bounds=bounds, actions=actions)
    settings = Settings(seed=seed)
    _, advice = of_problem(problem, settings, actions.editable)
    first = next(iter(solve(problem, settings)))
    assert (advice.floor_x, advice.today_y) == (first.ucl_x, first.ucl_y)
    assert advice.distance_y == pytest.approx(first.q_y)
    assert math.isfinite(first.ucl_x)


@given(st.integers(0, 10**6), st.floats(0, 3), st.sampled_from([0.1, 0.15, 0.3]))
def test_a_limit_is_bound_by_the_floor_and_the_way_moved(seed, scale, delta):
    """sqrt(UCL) <= sqrt(floor) + sqrt(SW^2/(1 - 2 delta)), and no limit is below a quarter of the floor."""
    rng = np.random.default_rng(seed)
    factual = np.sort(rng.normal(size=(3, 600)), axis=1)
    moved = np.sort(rng.choice([0.0, 1.0]) * factual + scale * rng.standard_t(3, size=(3, 600)), axis=1)
    limiter = Limiter(Bounds(1, 1, delta=delta, slices=3), factual, ANY, (0, 1))
    floor, limit = (limiter.input_limit(inputs, 0.05) for inputs in (factual, moved))
    way = np.mean((moved - factual) ** 2) / (1 - 2 * delta)
    assert math.sqrt(limit) <= math.sqrt(floor) + math.sqrt(way) + 1e-9
    assert limit >= floor / 4 - 1e-12


def test_a_group_that_chance_drew_passes_the_suggestion():
    """Another sample of the same population, which nobody tuned, is well inside the suggested input bound."""
    ground = normal_ground(300, 4000)
    advice = advise(ground, np.full(300, 0.5), ANY, DKW, (0, 1), 0)
    limiter = Limiter(DKW, ground.factual, ANY, (0, 1))
    others = [normal_ground(300, 300, seed).factual for seed in range(1, 21)]
    limits = [limiter.input_limit(other, DKW.alpha) for other in others]
    assert advice.floor_x < np.mean(limits) < advice.suggested_x < advice.anything_x


def test_a_suggestion_never_lies_beyond_anything_goes():
    scores = np.linspace(0.5, 0.9, 40)
    target = Target.threshold(scores, 0.5, 0.5, "below")
    ground = Ground(np.zeros((5, 40)), np.zeros((5, 40)), np.full(40, 100.0))  # chance alone would go anywhere
    advice = advise(ground, scores, target, DKW, (0.0, 1.0), 0, inputs_at=(0.1, 0.2))
    assert 0.1 < advice.suggested_x < 0.2


def test_noise_speaks_of_groups_of_n():
    """Halves of 250 scaled to a group of 500 agree with halves of 500, and with theory: 2 var / n times what trimming leaves."""
    small = np.mean([normal_ground(500, 500, seed).trimmed_noise(0.15) for seed in range(8)])
    large = np.mean([normal_ground(500, 4000, seed).trimmed_noise(0.15) for seed in range(8)])
    assert small == pytest.approx(large, rel=0.25)
    twice = np.mean([normal_ground(1000, 4000, seed).trimmed_noise(0.15) for seed in range(8)])
    assert large / twice == pytest.approx(2, rel=0.25)
    assert normal_ground(500, 4000).trimmed_noise(0) > normal_ground(500, 4000).trimmed_noise(0.15)


def test_anything_goes_keeps_only_what_is_locked():
    locked = normal_ground(100, 300, editable=())
    np.testing.assert_array_equal(locked.anything, locked.factual)
    free = normal_ground(100, 300)
    assert np.ptp(free.anything, axis=1) == pytest.approx(0)
    half = normal_ground(100, 300, editable=("a",))
    assert (np.ptp(half.anything, axis=1) > 0.1).mean() > 0.8
    assert np.mean((half.anything - half.factual) ** 2) < np.mean((free.anything - free.factual) ** 2)


@pytest.mark.parametrize("band", ["dkw", "bootstrap"])
@pytest.mark.parametrize("editable", [(), ("a",), ("a", "b")])
def test_what_is_at_hand_changes_nothing(band, editable):
    ground, outputs, bounds = normal_ground(200, 400, editable=editable), np.linspace(0.1, 0.9, 200), replace(DKW, band=band)
    limiter = input_limiter(ground.factual, bounds, 0, 200)
    ends = input_limit(limiter, ground.factual), input_limit(limiter, ground.anything)
    target = Target.values(outputs / 2)
    scores = output_limits(outputs, target, bounds, (0, 1), 0, ground.factual)
    anew = advise(ground, outputs, target, bounds, (0, 1), 0)
    assert advise(ground, outputs, target, bounds, (0, 1), 0, ends, scores) == anew
    assert scores[:2] == (anew.today_y, anew.floor_y)


@given(st.floats(1e-6, 1e6))
def test_rounding_up_keeps_two_digits(value):
    up = round_up(value)
    assert value * (1 - 1e-9) <= up <= value * 1.1 * (1 + 1e-9)
    assert float(f"{up:.1e}") == up


@pytest.mark.parametrize("n", [1, 2, 50])
@pytest.mark.parametrize("interval", [None, (0.0, 1.0)])
def test_suggestions_are_finite_where_limits_are_not(n, interval):
    ground = normal_ground(n, n)
    outputs = np.linspace(0.5, 0.9, n)
    target = Target.threshold(outputs, 0.5, 0.8, "below")
    advice = advise(ground, outputs, target, DKW, interval, 0)
    assert math.isinf(advice.floor_x)
    assert math.isinf(advice.today_y) == (interval is None)
    bounds = replace(DKW, u_x=advice.suggested_x, u_y=advice.suggested_y)
    said = obstacles(ground, advice, target, bounds, interval)
    assert "at least 180 rows" in said[0]
    assert len(said) == (2 if interval is None else 1)
    assert advice.times_chance(bounds.u_x) > 0


def test_a_target_that_is_met_already_suggests_its_floor():
    outputs = np.linspace(0, 1, 200)
    advice = advise(normal_ground(200, 400), outputs, Target.values(outputs), DKW, (0, 1), 0)
    assert advice.today_y == advice.floor_y
    assert advice.suggested_y == round_up(advice.floor_y, 4)
    assert advice.way(advice.suggested_y) == 0


def test_the_suggested_output_bound_just_lets_nine_tenths_of_the_way_pass():
    outputs = np.linspace(0.5, 1, 400)
    target = Target.values(outputs / 4)
    ground = normal_ground(400, 400)
    advice = advise(ground, outputs, target, DKW, (0, 1), 0)
    assert advice.floor_y < advice.suggested_y < advice.today_y
    limiter = Limiter(DKW, ground.factual, target, (0, 1))
    for way, passes in ((0.9, True), (0.89, False)):
        assert (limiter.output_limit(outputs + way * (target.left - outputs), DKW.alpha) <= advice.suggested_y) == passes
    assert advice.way(advice.floor_y) == 1
    assert advice.way(advice.today_y) == 0


@pytest.mark.parametrize("side", ["input", "output"])
@pytest.mark.parametrize("exact", [False, True])
def test_the_number_of_people_named_is_the_least_that_helps(side, exact):
    """A larger group with the same quantiles: every person taken r times."""
    ground = normal_ground(400, 400)
    outputs = np.linspace(0.1, 0.9, 400)
    target = Target.quantiles([0, 1], [0.1, 0.9]) if exact else Target.values(outputs)
    advice = advise(ground, outputs, target, DKW, (0, 1), 0)
    assert obstacles(ground, advice, target, replace(DKW, u_x=advice.floor_x, u_y=advice.floor_y), (0, 1)) == []
    bounds = replace(DKW, u_x=9.0, u_y=advice.floor_y / 3) if side == "output" else replace(DKW, u_x=advice.floor_x / 3, u_y=9.0)
    (said,) = obstacles(ground, advice, target, bounds, (0, 1))
    assert f"the {side} limit" in said
    people = int(re.search(r"about ([\d,]+) people", said)[1].replace(",", ""))
    for times, helps in ((math.ceil(people / 400), True), (math.floor(people / 400 * 0.9), False)):
        larger = Ground(*(np.repeat(v, times, axis=-1) for v in (ground.factual, ground.anything, ground.noise)))
        goal = target if exact else Target.values(np.repeat(outputs, times))
        again = advise(larger, np.repeat(outputs, times), goal, bounds, (0, 1), 0)
        assert (obstacles(larger, again, goal, bounds, (0, 1)) == []) == helps


def test_the_trimming_and_the_slices_named_help():
    ground = normal_ground(400, 400)
    outputs = np.linspace(0.1, 0.9, 400)
    target = Target.values(outputs)
    advice = advise(ground, outputs, target, DKW, (0, 1), 0)
    bounds = replace(DKW, u_x=advice.floor_x * 0.8, u_y=9.0)
    (said,) = obstacles(ground, advice, target, bounds, (0, 1))
    trimming = int(re.search(r"trimming of (\d+)%", said)[1]) / 100
    slices = int(re.search(r"at most (\d+) slice", said)[1])
    for delta, helps in ((trimming, True), (trimming - 0.01, False)):
        tried = replace(bounds, delta=delta)
        again = advise(ground, outputs, target, tried, (0, 1), 0)
        assert (obstacles(ground, again, target, tried, (0, 1)) == []) == helps
    assert half_limit(ground, bounds, slices) <= bounds.u_x < half_limit(ground, bounds, slices + 1)


def half_limit(ground, bounds, slices):
    """The floor of these lines with the level that so many slices would share."""
    limiter = Limiter(bounds, ground.factual, ANY, (0, 1))
    return limiter.input_limit(ground.factual, bounds.alpha * len(ground.factual) / slices)


def test_a_bootstrap_of_many_rows_is_made_from_fewer_quantiles():
    outputs = np.linspace(0.1, 0.9, 5000)
    ground = normal_ground(5000, 5000)
    advice = advise(ground, outputs, Target.values(outputs / 2), replace(DKW, band="bootstrap", slices=20), (0, 1), 0)
    assert 0 < advice.floor_x < advice.suggested_x < advice.anything_x
    assert 0 < advice.floor_y < advice.suggested_y < advice.today_y
    assert advice.today_y > advice.distance_y * 0.8
    np.testing.assert_array_equal(thinned(np.arange(10.0), 5), [1, 3, 5, 7, 9])
