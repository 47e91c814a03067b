"""Figures and captions of one person, of nobody left over, and of groups too small for a band."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from discover_core.certificate.bands import half_width
from discover_core.figures import arrows, bars, outputs, transition
from discover_core.problem.bounds import Bounds
from discover_core.problem.target import Target
from discover_core.table.schema import Column, Schema

SCHEMA = Schema(tuple(Column(name, "numeric", low=0, high=9) for name in "abc"))


def test_a_band_wider_than_everything_covers_everything() -> None:
    target = Target.values([0.1, 0.2])
    band = half_width(2, 0.0125)
    assert band > 1
    said = outputs.caption([0.5, 0.7], target, [0.3], band)
    assert said.endswith(" The group is so small that the band covers everything.")
    assert "percentage points" not in said
    assert "reaches 99.0 percentage points" in outputs.caption([0.5, 0.7], target, [0.3], 0.99)


@pytest.mark.parametrize("target", [Target.values([0.1, 0.2]), Target.quantiles([0, 1], [0, 1])])
def test_the_band_is_the_certificates(target: Target) -> None:
    assert outputs.band_of(50, target, Bounds(1, 1, 0.1)) == half_width(50, 0.1 / (2 if target.exact else 4))
    assert outputs.band_of(50, target, Bounds(1, 1, 0.1, band="bootstrap")) is None


def test_bars_of_one_person_and_of_one_left_over() -> None:
    assert bars.caption([0.2], changed=[True]) == "All of the group's distance from before is one person's."
    assert bars.caption([0.0], changed=[False]).endswith("is 0. 1 person did not change at all and has no bar.")
    assert bars.caption([0.2, 0.1, 0.1], changed=[True] * 3, limit=2) == (
        "Half of the group's distance from before comes from 1 of 3 people. Everybody changed. "
        "Only the 2 largest are drawn one by one; the last bar is the one person left."
    )
    rest = bars.bars_figure([0.2, 0.1, 0.1], marked=[2], limit=2).data[1]
    assert rest.name == "The other person"
    assert rest.hovertemplate.startswith("the other person<br>0.3, 25% of all<br>marked<")
    assert bars.bars_figure([0.2]).layout.yaxis.title.text == "Part of the group's distance, squared"


def test_one_iteration_after_it_held() -> None:
    said = transition.caption([0, 1], [0.0, 0.1], [0.2, 0.1], [True, False])
    assert "within both bounds, but not at the one iteration after it. There:" in said


@pytest.mark.parametrize(("after", "way"), [(0.2, "falls"), (0.7, "rises"), (0.5, "stays the same")])
def test_arrows_of_one_person(after: float, way: str) -> None:
    def said(people: int, feature: str) -> str:
        before = pd.DataFrame(np.ones((people, 3)), columns=list("abc"))
        moved = before.copy()
        moved.loc[0, feature] = 5.0
        return arrows.caption(arrows.Change(before, moved, [0.5] * people, [after] + [0.5] * (people - 1), SCHEMA, "a", "b"))

    assert said(1, "a").startswith(f"The one person changes: the score {way}.")
    assert said(4, "a").startswith(f"1 of 4 people changes: the score {way}.")
    assert "The change is in what the axes do not show: a round dot in colour." in said(4, "c")


def test_one_of_several_changes_only_what_is_not_drawn() -> None:
    before = pd.DataFrame(np.ones((4, 3)), columns=list("abc"))
    moved = before.copy()
    moved.loc[0, "c"] = moved.loc[1, "a"] = 5.0
    said = arrows.caption(arrows.Change(before, moved, [0.5] * 4, [0.4] * 4, SCHEMA, "a", "b"))
    assert "1 of them changes only what the axes do not show" in said
