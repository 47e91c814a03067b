"""How usual people are: against distances worked out one by one, and what must hold for any people."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from discover_core.problem.problem import Problem
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema
from discover_core.transport import usual as usual_file
from discover_core.transport.usual import MOST, ORDINARY, Usual, reference_sample

from ..solver.cases import MIXED, mixed, mixed_rows


def among(points) -> Usual:
    """Real people at these points of R^d, as numbers of a table would lie there."""
    columns = tuple(Column(f"x{j}", "numeric", low=-10, high=10) for j in range(points.shape[1]))
    width = len(columns)
    return Usual(Encoding.from_scales(Schema(columns), np.zeros(width), np.ones(width), {}, "onehot"), points)


def some_people(seed, most=60, coarse=False):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(int(rng.integers(2, most)), int(rng.integers(1, 5))))
    return np.round(points) if coarse else points


def by_hand(usual, points, before):
    """One person after the other: everybody else of the reference, sorted by distance."""
    found = []
    for point, was in zip(points, before, strict=True):
        others = usual.points
        own = np.flatnonzero((others == was).all(axis=1))
        others = np.delete(others, own[:1], axis=0)
        found.append(np.sort(cdist([point], others)[0])[usual.k - 1])
    return np.array(found)


people = st.builds(some_people, st.integers(0, 10_000), coarse=st.booleans())


@given(people, st.integers(0, 10_000))
def test_people_are_compared_with_everybody_but_themselves(points, seed):
    usual = among(points)
    rng = np.random.default_rng(seed)
    before = np.concatenate([points, rng.normal(size=(5, points.shape[1]))])
    after = before + np.round(rng.normal(size=before.shape)) * (rng.random(len(before)) < 0.5)[:, None]
    far = by_hand(usual, after, before)
    assert usual.distances(after, before) == pytest.approx(far, abs=1e-8)
    own = by_hand(usual, points, points)
    less = (own[None] < far[:, None] - 1e-7).mean(axis=1)
    at_most = (own[None] < far[:, None] + 1e-7).mean(axis=1)
    shares = usual.percentile(after, before)
    assert ((less <= shares) & (shares <= at_most)).all()


@given(people, st.integers(0, 10_000))
def test_the_further_from_others_the_more_unusual(points, seed):
    usual = among(points)
    asked = np.random.default_rng(seed).normal(0, 3, (40, points.shape[1]))
    order = np.argsort(usual.distances(asked), kind="stable")
    shares = usual.percentile(asked)
    assert (np.diff(shares[order]) >= 0).all()
    assert ((shares >= 0) & (shares <= 1)).all()
    assert usual.percentile(np.full((1, points.shape[1]), 1e6))[0] == 1


@given(people, st.integers(0, 10_000))
def test_the_order_of_rows_does_not_matter(points, seed):
    rng = np.random.default_rng(seed)
    usual, asked = among(points), np.concatenate([points, rng.normal(size=(10, points.shape[1]))])
    mixed_up, order = among(rng.permutation(points)), rng.permutation(len(asked))
    assert np.array_equal(usual.percentile(asked, asked)[order], mixed_up.percentile(asked[order], asked[order]))


def test_real_people_are_spread_evenly():
    """But for two who are each other's k-th nearest, and so equally unusual."""
    points = np.random.default_rng(0).normal(size=(500, 3))
    assert np.sort(among(points).percentile(points, points)) == pytest.approx(np.arange(500) / 500, abs=1 / 500 + 1e-9)


def test_nobody_among_twins_is_unusual():
    """Those who are alike are as usual as can be, however many they are."""
    points = np.repeat([[0.0], [5.0]], [60, 5], axis=0)
    shares = among(points).percentile(points, points)
    assert set(shares[:60]) == {0}
    assert set(shares[60:]) == {60 / 65}


def test_few_people_have_fewer_neighbours():
    assert [among(np.arange(float(n))[:, None]).k for n in (1, 2, 8, 9, 50, 100, 1_000)] == [1, 1, 2, 3, 7, 10, 10]
    alone = among(np.array([[3.0]]))
    assert list(alone.percentile(np.array([[3.0], [4.0]]), np.array([[3.0], [3.0]]))) == [0, 1]


def test_a_problem_gives_its_reference_and_its_weights_do_not_count():
    problem = mixed(24)
    usual = Usual.of(problem)
    assert usual.points == pytest.approx(Encoding.fit(problem.reference, MIXED).encode(problem.reference))
    weighted = replace(problem, actions=problem.actions.weight("Income", 5.0).weight("Job", 0.2))
    assert np.array_equal(Usual.of(weighted).points, usual.points)


def test_of_many_people_a_sample_is_taken(monkeypatch):
    assert list(reference_sample(MOST)) == list(range(MOST))
    places = reference_sample(MOST + 500)
    assert len(places) == len(set(places)) == MOST
    assert list(places) == sorted(reference_sample(MOST + 500))
    monkeypatch.setattr(usual_file, "MOST", 50)
    problem = mixed(24)
    assert len(Usual.of(problem).points) == 50 < len(problem.reference)


def test_in_pieces_it_is_the_same(monkeypatch):
    problem = mixed(24)
    usual = Usual.of(problem)
    points = usual.encoding.encode(MIXED.prepare(mixed_rows(300, 3)))
    whole = usual.percentile(points, points[::-1])
    monkeypatch.setattr(usual_file, "AT_ONCE", 1)
    assert np.array_equal(Usual.of(problem).percentile(points, points[::-1]), whole)


def test_without_a_reference_the_group_itself_is_one():
    problem = mixed(24)
    alone = Problem(problem.rows, MIXED, problem.model, problem.actions, problem.target, problem.bounds)
    usual = Usual.of(alone)
    points = usual.encoding.encode(alone.factual)
    assert np.sort(usual.percentile(points, points)) == pytest.approx(np.arange(24) / 24, abs=1 / 24 + 1e-9)


@given(people, st.integers(0, 10_000), st.sampled_from((1e-9, 1.0, 1e6, 1e25)), st.booleans())
def test_a_glance_says_what_the_percentiles_say(points, seed, scale, apart):
    usual = among(points * scale + (1e3 if apart else 0.0))
    rng = np.random.default_rng(seed)
    before = np.concatenate([usual.points, usual.points[:3] + scale * rng.normal(size=(len(usual.points[:3]), points.shape[1]))])
    after = before + scale * np.round(rng.normal(size=before.shape)) * (rng.random(len(before)) < 0.5)[:, None]
    exact = usual.percentile(after, before)
    for share in (0.0, 0.5, ORDINARY, 1.0, *exact[:5]):
        assert np.array_equal(usual.at_most(np.full(len(after), share), after, before), exact <= share)
    assert usual.at_most(exact, after, before).all()
