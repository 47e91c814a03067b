"""What the target builder computes by itself: what the browser sends, and which view shows a target."""

import numpy as np
import pytest

from discover_core.problem.target import Target
from discover_core.problem.targets import (
    Beta,
    Decision,
    Quantiles,
    ReferenceGroup,
    Shift,
    TargetContext,
    TargetSpecification,
    Threshold,
    Values,
)
from discover_core.table import Cohort
from ui.scenario.target_drawing import _usable
from ui.scenario.target_fields import view_of
from ui.scenario.target_memory import TargetMemory


@pytest.mark.parametrize("given", [None, [1, 2], [1, 3, 2], [1, 2, "3"], [1, 2, float("nan")], {"a": 1}, [1, 2, None]])
def test_what_the_browser_sends_is_checked(given):
    assert not _usable(given, 3)
    assert _usable([1, 2, 2.5], 3)


def test_a_target_from_elsewhere_is_shown_as_what_it_is():
    memory = TargetMemory()

    def shown(specification: TargetSpecification) -> str:
        return memory.look(specification, view_of(specification))

    assert shown(Threshold(0.5, 0.8, "below")) == "threshold"
    memory.shown = "upload"  # chosen, but no file yet: the target stays
    assert shown(Threshold(0.5, 0.8, "below")) == "upload"
    assert shown(Decision()) == "threshold"
    assert shown(ReferenceGroup(Cohort())) == "reference"
    assert shown(Shift(0.1)) == "shift"
    assert shown(Beta(1, 2)) == "beta"
    assert shown(Values((1.0,))) == "upload"
    assert shown(Quantiles((0.1, 0.9), (0.0, 1.0))) == "draw"
    assert shown(Quantiles(tuple(np.arange(99) / 100), tuple(np.arange(99.0)))) == "upload"
    assert memory.specifications["shift"] == Shift(0.1)
    assert memory.specifications["threshold"] == Decision()


def test_a_kind_that_the_page_does_not_offer_is_shown_all_the_same():
    class Unoffered(TargetSpecification):
        kind = "unoffered"
        words = "nothing happens"

        def target(self, given: TargetContext) -> Target:
            return Target.values(given.scores)

    assert view_of(Unoffered()) == "upload"
