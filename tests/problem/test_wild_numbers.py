"""Numbers that nobody can mean are refused with a sentence that says the largest; those of the presets never are."""

from __future__ import annotations

import contextlib
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.audit_plan import AuditPlan
from discover_core.problem.bounds import MOST_SLICES, Bounds
from discover_core.problem.budget import Budget
from discover_core.problem.presets import PRESETS
from discover_core.problem.settings import LARGEST, Settings
from discover_core.problem.targets import Beta, TargetContext
from discover_core.scenario.json_schema import build
from discover_core.scenario.sources import TrainedModel
from discover_core.table.cohort import Cohort

wild = st.one_of(
    st.integers(),
    st.integers(0, 5_000).map(lambda power: 10**power),
    st.integers(0, 5_000).map(lambda power: -(10**power)),
    st.integers(2**31 - 2, 2**64),
    st.floats(),
    st.sampled_from([0, 1, 2**53 - 1, 2**53, 1e308, 5e-324, -0.0, True, None, "1", "∞", (), np.int64(7), np.float32(0.5)]),
)
WHOLE = {*LARGEST, "slices", "people", "features", "programmes", "sample"}
MADE: dict[type, dict[str, Any]] = {
    Settings: asdict(Settings()),
    Bounds: asdict(Bounds(1.0, 1.0)),
    Budget: asdict(Budget()),
    AuditPlan: asdict(AuditPlan()),
    Cohort: {"sample": 5, "seed": 0, "score_value": 0.5},
}


@pytest.mark.parametrize("kind", MADE)
@given(data=st.data())
def test_any_number_is_taken_within_limits_or_refused_with_a_sentence(kind: type, data: st.DataObject):
    name = data.draw(st.sampled_from([f.name for f in fields(kind) if f.name in MADE[kind]]))
    value = data.draw(wild)
    storable = type(value) in (float, bool, str) or (type(value) is int and abs(value) < 10**300)  # a file has no longer ones
    stored = [lambda **given: build(kind, given, "thing")] if storable else []
    for make in (kind, *stored):
        with contextlib.suppress(InputError):
            kept = getattr(make(**{**MADE[kind], name: value}), name)
            assert name not in WHOLE or kept is None or abs(kept) < 2**53
            assert not isinstance(kept, int | float) or np.isfinite(float(kept))


@pytest.mark.parametrize(("name", "largest"), LARGEST.items())
def test_the_sentence_says_the_largest(name: str, largest: int):
    assert getattr(Settings(**{name: largest}), name) == largest
    for more in (largest + 1, 10**18, 10**5_000):
        with pytest.raises(InputError, match=f"“{name}” can be {largest:,} at most"):
            Settings(**{name: more})


def test_slices_draws_and_seeds_have_a_largest_too():
    for more in (MOST_SLICES + 1, 10**9):
        with pytest.raises(InputError, match="“slices” can be 10,000 at most"):
            Bounds(1, 1, slices=more)
    with pytest.raises(InputError, match="“n” can be 1,000,000 at most"):
        Beta(1, 1, n=10**18).target(TargetContext(np.zeros(3), lambda cohort: np.zeros(3)))
    with pytest.raises(InputError, match="“seed” can be 4,294,967,295 at most"):
        TrainedModel("logistic", seed=2**32)


@given(st.integers(1, 1_000_000), st.integers(1, 2_000), st.floats(0, 1))
def test_no_preset_goes_beyond(n: int, f: int, share: float):
    for preset in PRESETS.values():
        assert preset.settings(n, f, round(share * n)).k <= LARGEST["k"]
