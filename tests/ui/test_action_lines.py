"""A line of the editor and back: what is shown means what is kept, and what cannot be is refused."""

from datetime import date

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability, Allowed
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.target import Target
from discover_core.table.schema import Column, Schema
from ui.scenario.action_lines import NUMBERS, admitted, cells, changed_rule, edited_rule, range_words

NUMBER = Column("n", "numeric", low=4, high=72, step=1, unit="months")
WHEN = Column("d", "numeric", low=0.5, high=900.25, date=True)
PRESSURE = Column("p", "numeric", low=-150, high=16_020, step=1, unit="mmHg", usual=(90, 180))
KIND = Column("k", "nominal", levels=("a", "b", "c"))
ACCOUNT = Column("a", "nominal", levels=("none", "low", "high", "(missing)"), order=("low", "high"))
LIMIT = st.one_of(st.none(), st.integers(5, 71))


@given(LIMIT, LIMIT, st.one_of(st.none(), st.integers(2, 9)))
def test_retyping_what_a_line_shows_changes_nothing(low, high, step):
    if low is not None and high is not None and low > high:
        low, high = high, low
    rule = Allowed("n", low=low, high=high, step=step)
    assert edited_rule(rule, NUMBER, cells(NUMBER, rule)) == rule
    assert edited_rule(rule, NUMBER, dict.fromkeys(NUMBERS)) == Allowed("n")
    assert edited_rule(rule, NUMBER, {"From": 4, "To": 72, "Step": 1}) == Allowed("n")


@given(st.one_of(st.none(), st.integers(-150, 16_020)), st.one_of(st.none(), st.integers(-150, 16_020)))
def test_what_is_shown_of_a_column_with_a_usual_range_is_what_holds(low, high):
    if low is not None and high is not None and low > high:
        low, high = high, low
    assume(low is None or low != high)  # then nothing could change
    rule = Allowed("p", low=low, high=high)
    shown = cells(PRESSURE, rule)
    again = edited_rule(rule, PRESSURE, shown)
    assert cells(PRESSURE, again) == shown
    assert edited_rule(again, PRESSURE, shown) == again
    made = Problem(
        pd.DataFrame({"p": [120]}),
        Schema((PRESSURE,)),
        lambda table: table["p"] / 1e5,
        Actionability(Schema((PRESSURE,)), (again,)),
        Target.values([0.0]),
        Bounds(1, 1),
    )
    assert made.ranges()["p"] == (shown["From"], shown["To"])
    assert edited_rule(rule, PRESSURE, {"From": None, "To": None}) == Allowed("p")


def test_the_usual_range_is_offered_and_can_be_widened():
    free = Allowed("p")
    assert cells(PRESSURE, free) == {"From": 90, "To": 180, "Step": 1}
    assert range_words(PRESSURE, free) == (
        "New values lie between 90 and 180 mmHg, the usual range; the table goes from -150 to 16,020."
    )
    wide = edited_rule(free, PRESSURE, {"To": 16_020})
    assert wide == Allowed("p", high=16_020)
    assert range_words(PRESSURE, wide) == (
        "New values lie between 90 and 16,020 mmHg; usual is 90 to 180, and the table goes from -150 to 16,020."
    )
    assert edited_rule(wide, PRESSURE, {"To": 180}) == free
    assert range_words(NUMBER, Allowed("n")) == ""


def test_cells_that_say_nothing_keep_the_rule():
    dated, kind = Allowed("d", low=30.0), Allowed("k", levels=("a",))
    assert edited_rule(dated, WHEN, {"From": None, "To": None}) == dated
    assert edited_rule(kind, KIND, dict.fromkeys(NUMBERS)) == kind


@pytest.mark.parametrize(
    ("column", "edits", "says"),
    [
        (NUMBER, {"From": 80}, "from 80 months to 72 months"),
        (NUMBER, {"Weight": 0}, "weight of “n” must be above 0"),
        (KIND, {"May change": "Only up"}, "has no order"),
        (KIND, {"To": 3}, "holds categories"),
        (WHEN, {"From": 3}, "holds dates"),
    ],
)
def test_an_impossible_cell_is_refused(column, edits, says):
    with pytest.raises(InputError, match=says):
        edited_rule(Allowed(column.name), column, edits)


def test_a_category_with_an_order_goes_one_way_and_says_which():
    up = edited_rule(Allowed("a"), ACCOUNT, {"May change": "Only up"})
    assert up == Allowed("a", "increase")
    assert admitted(ACCOUNT, up) == "low → high"
    assert admitted(ACCOUNT, Allowed("a", "decrease")) == "high → low"
    assert admitted(ACCOUNT, Allowed("a", "increase", levels=("high",))) == "high"
    assert admitted(ACCOUNT, Allowed("a")) == "all 3", "that a value is missing is nothing to choose"
    assert changed_rule(Allowed("a"), ACCOUNT, "levels", [0, 1, 2]) == Allowed("a")
    assert changed_rule(Allowed("a"), ACCOUNT, "levels", [2]) == Allowed("a", levels=("high",))


def test_one_part_of_a_rule_at_a_time():
    assert changed_rule(Allowed("k"), KIND, "levels", [2, 0]) == Allowed("k", levels=("a", "c"))
    assert changed_rule(Allowed("k", levels=("a",)), KIND, "levels", [0, 1, 2]) == Allowed("k")
    assert changed_rule(Allowed("k", levels=("a",)), KIND, "levels", []) == Allowed("k")
    assert changed_rule(Allowed("n", step=6), NUMBER, "step", 0) == Allowed("n")
    assert changed_rule(Allowed("d", low=30.0), WHEN, "low", date(1970, 1, 1)) == Allowed("d")
    assert changed_rule(Allowed("d"), WHEN, "high", date(1970, 2, 1)) == Allowed("d", high=31.0)
