"""A feature that goes up for some people and down for others is warned of, and one that goes one way is not."""

from dataclasses import replace

import numpy as np
import pytest

from discover_core.outcome.opposite_changes import opposite_changes, opposite_words
from discover_core.outcome.typical_moves import in_words
from discover_core.outcome.usual_words import usual_words
from discover_core.table.schema import Column, Schema

from .made import SCHEMA, outcome, random_cells, random_outcome

SAY = "Say on the Scenario page which way it may go, if one of the two makes no sense."


def group(n):
    return np.tile([30.0, 5.0, 15_000.0, 1.0, 0.0, 0.0], (n, 1))


@pytest.mark.parametrize("seed", range(5))
def test_every_feature_with_an_order_that_goes_both_ways_is_found(seed):
    found = random_outcome(seed=seed)
    gaps = found.cells - found.group.cells
    wanted = {
        column.name: (int((gaps[:, j] > 0).sum()), int((gaps[:, j] < 0).sum()))
        for j, column in enumerate(SCHEMA.features)
        if column.role != "nominal" and (gaps[:, j] > 0).any() and (gaps[:, j] < 0).any()
    }
    told = opposite_changes(found)
    assert {change.column.name: (change.up, change.down) for change in told} == wanted
    smaller = [min(change.up, change.down) for change in told]
    assert smaller == sorted(smaller, reverse=True)
    assert in_words(found)[-1] == opposite_words(found)


@pytest.mark.parametrize(
    ("feature", "by", "words"),
    [
        (0, [6, -6, -6], "Duration goes down for 2 people and up for 1"),
        (1, [0.5, -0.5, 0.5], "Rate goes up for 2 people and down for 1"),
        (2, [9, -9, 0], "Since goes later for 1 person and earlier for 1"),
        (3, [1, -1, 0], "Savings goes up for 1 person and down for 1"),
    ],
)
def test_one_feature_in_words(feature, by, words):
    after = group(3)
    after[:, feature] += by
    assert opposite_words(outcome(group(3), after)) == f"{words}. {SAY}"


def test_one_way_or_without_an_order_there_is_nothing_to_say():
    after = group(3)
    after[:, 0] += [6, 3, 0]
    after[:, 4] = [1, 2, 0]
    assert opposite_words(outcome(group(3), after)) == ""
    assert opposite_words(outcome(group(3), group(3))) == ""


def test_many_features_are_counted():
    after = group(4)
    after[0, :4] += [1, 1, 1, 1]
    after[1, :4] -= [1, 1, 1, 1]
    after[2:, 1] += [1, -1]
    assert opposite_words(outcome(group(4), after)) == (
        "Some features go up for some people and down for others: Rate (up for 2 people and down for 2), Duration (up for "
        "1 person and down for 1), Since (later for 1 person and earlier for 1) and 1 more. Say on the Scenario page which way "
        "they may go, if one of the two makes no sense."
    )


def test_a_nominal_feature_counts_along_its_order():
    """“x” has no place in it, so going there or coming from there is neither up nor down."""
    schema = Schema((Column("Account", "nominal", levels=("x", "much", "little", "none")),))
    before, after = [[3], [1], [0], [2], [2]], [[1], [2], [1], [0], [2]]
    assert opposite_words(outcome(before, after, schema)) == ""
    object.__setattr__(schema["Account"], "order", ("none", "little", "much"))
    assert opposite_words(outcome(before, after, schema)).startswith("Account goes up for 1 person and down for 1.")


def compared(n, seed=0):
    """People and those they are compared with; the first half moves far away."""
    rng = np.random.default_rng(seed)
    before = random_cells(n, rng)
    after = before.copy()
    after[: n // 2, 0] += 5_000
    found = outcome(before, after)
    return replace(found, group=replace(found.group, reference=random_cells(200, rng)))


def test_how_usual_those_who_change_are():
    found = compared(60)
    before = int((found.usual_before[:30] <= 0.95).sum())
    assert usual_words(found) == (
        f"After their changes 0 of the 30 who change are no more unusual than 95% of all people; before, {before} were."
    )
    assert usual_words(found) in in_words(found)
    home = replace(found, cells=np.roll(found.group.cells, 1, axis=0))
    after = int((home.usual_after <= 0.95).sum())
    assert after == int((home.usual_before <= 0.95).sum())
    assert usual_words(home).endswith("who change are no more unusual than 95% of all people; before, as many were.")


def test_one_person_and_nobody():
    found = compared(2)
    was = found.usual_before[0]
    assert usual_words(found) == (
        f"Afterwards the one who changes is more unusual than 100% of all people; before, than {100 * was:.0f}%."
    )
    assert usual_words(replace(found, cells=found.group.cells)) == ""
    assert usual_words(random_outcome()) == ""  # nobody to compare with
