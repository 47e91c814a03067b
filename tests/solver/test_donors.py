"""Donors for many people at once: what one person after the other would get, to the bit."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.problem.targets import TargetContext, Threshold
from discover_core.solver.efforts import Efforts
from discover_core.solver.fence import Fence
from discover_core.solver.personal import donors as module
from discover_core.solver.personal.attempt import Attempt
from discover_core.solver.personal.donors import DRAWS, NEAREST, Donors
from discover_core.solver.personal.goals import Goals
from discover_core.solver.search import Search

from .cases import mixed


def one_by_one(donors, attempt, fence, who, gain, h, rng):
    people, cells = [], []
    for i in who.tolist():
        person = attempt.people[i : i + 1]
        fine = np.flatnonzero(attempt.goals.gap(person, donors.scores) <= 0)
        if not len(fine):
            continue
        own = np.broadcast_to(attempt.factual[i], (1, len(fine), attempt.factual.shape[1]))
        inside = fence.inside(np.repeat(person, len(fine)), np.where(fence.walls.open[person], donors.cells[fine], own), own)[0]
        near = np.argsort(attempt.efforts.squared(own[0], inside), kind="stable")[:NEAREST]
        versions = np.repeat(inside[near], DRAWS, axis=0)
        keys = gain[i] * rng.random(versions.shape) + 1e-9 * rng.random(versions.shape)
        out = np.argsort(-np.where(versions != own[0, 0], keys, -1.0), axis=1)[:, h:]
        for version, back in zip(versions, out, strict=True):
            version[back] = attempt.factual[i, back]
        people += [i] * len(versions)
        cells += list(versions)
    return np.array(people, dtype=np.int64), np.array(cells).reshape(len(cells), attempt.factual.shape[1])


@examples(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10_000), st.booleans(), st.integers(1, 4), st.integers(1, 60), st.sampled_from((1, 7, 500)))
def test_many_people_at_once_get_what_one_after_the_other_would(seed, share, h, pool, at_once):
    problem = mixed(20, seed=seed)
    wish = Threshold(0.4, 0.8, "below").target(TargetContext(problem.outputs, lambda cohort: problem.outputs))
    problem = problem.with_target(wish if share else Target.beta(0.1, 0.9, n=20, seed=seed))
    search, rng = Search.of(problem, Settings(seed=seed), ()), np.random.default_rng(seed)
    goals = Goals.of(problem.wish, search.outputs, np.zeros(20, dtype=bool))
    people = np.flatnonzero(goals.asked)
    cells, now = search.factual[people], problem.outputs[people]
    attempt = Attempt(people, cells, now, cells, now, goals, Efforts.of(search.layout), lambda cells: np.zeros(len(cells)))
    table = problem.reference.iloc[:pool]
    donors, fence = Donors(search.layout.cells(table), problem.score(table)), Fence.of(problem)
    who, gain = np.flatnonzero(rng.random(len(people)) < 0.8), rng.random((len(people), cells.shape[1]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "AT_ONCE", at_once)
        drawn = np.random.default_rng(seed)
        found = donors.versions(attempt, fence, who, gain, h, lambda _, counts, width: drawn.random((int(counts.sum()), width)))
    expected = one_by_one(donors, attempt, fence, who, gain, h, np.random.default_rng(seed))
    assert found[0].tobytes() == expected[0].tobytes()
    assert found[1].tobytes() == expected[1].tobytes()
