"""What is stored of a step grows with the edit it made, not with the group."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.store import step_codec
from discover_core.store.array_codec import unpack
from discover_core.store.step_codec import LARGEST, LEVELS, impact_of, step_row

from ..solver.cases import mixed


@pytest.fixture(scope="module")
def step():
    *_, last = dc.solve(mixed(), dc.Settings(k=3, h=2, candidates=4, iterations=2))
    return last


@given(st.integers(1, 3 * LARGEST), st.integers(0, 10_000))
def test_impacts_are_kept_up_to_a_number_of_people_and_their_sum_beyond(step, people, seed):
    impact = np.random.default_rng(seed).exponential(size=people) ** 3 / people
    kept = impact_of(unpack(step_row(replace(step, impact=impact))["arrays"]), people)
    assert kept.shape == (people,)
    assert kept.dtype == np.float32
    assert kept.sum(dtype=np.float64) == pytest.approx(impact.sum(), rel=1e-5)
    if people <= LARGEST:
        assert np.array_equal(kept, impact.astype(np.float32))
    else:
        largest = np.argsort(-impact, kind="stable")[:LARGEST]
        assert np.array_equal(kept[largest], impact[largest].astype(np.float32))
        assert len(np.unique(np.delete(kept, largest))) == 1


def test_a_group_fifty_times_as_large_takes_no_more_room(step):
    rng = np.random.default_rng(0)
    small, large = (len(step_row(replace(step, impact=rng.random(n)))["arrays"]) for n in (2 * LARGEST, 100 * LARGEST))
    assert large < 1.5 * small


@pytest.mark.parametrize("selection", ["personal", "rowwise"])
def test_every_array_of_a_step_is_about_those_it_looked_at_or_bounded(selection, monkeypatch):
    monkeypatch.setattr(step_codec, "LARGEST", 5)
    bounded = {"impact": 5, "largest": 5, "others": 1, "levels": 2 * len(LEVELS)}
    steps = list(dc.solve(mixed(), dc.Settings(selection=selection, k=3, h=2, candidates=4, iterations=6), levels=LEVELS))
    assert any(step.edit is not None for step in steps)
    for step in steps:
        looked_at = max(len(step.selected), 0 if step.edit is None else len(step.edit.rows))
        for name, array in unpack(step_row(step)["arrays"]).items():
            assert np.atleast_1d(array).shape[0] <= bounded.get(name, looked_at), name
