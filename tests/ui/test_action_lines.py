"""A line of the editor and back: what is shown means what is kept, and what cannot be is refused."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.actionability import Allowed
from discover_core.table.schema import Column
from ui.action_lines import NUMBERS, cells, changed_rule, edited_rule

NUMBER = Column("n", "numeric", low=4, high=72, step=1, unit="months")
WHEN = Column("d", "numeric", low=0.5, high=900.25, date=True)
KIND = Column("k", "nominal", levels=("a", "b", "c"))
LIMIT = st.one_of(st.none(), st.integers(5, 71))


@given(LIMIT, LIMIT, st.one_of(st.none(), st.integers(2, 9)))
def test_retyping_what_a_line_shows_changes_nothing(low, high, step):
    if low is not None and high is not None and low > high:
        low, high = high, low
    rule = Allowed("n", low=low, high=high, step=step)
    assert edited_rule(rule, NUMBER, cells(NUMBER, rule)) == rule
    assert edited_rule(rule, NUMBER, dict.fromkeys(NUMBERS)) == Allowed("n")
    assert edited_rule(rule, NUMBER, {"From": 4, "To": 72, "Step": 1}) == Allowed("n")


def test_cells_that_say_nothing_keep_the_rule():
    dated, kind = Allowed("d", low=30.0), Allowed("k", levels=("a",))
    assert edited_rule(dated, WHEN, {"From": None, "To": None}) == dated
    assert edited_rule(kind, KIND, dict.fromkeys(NUMBERS)) == kind


@pytest.mark.parametrize(
    ("column", "edits", "says"),
    [
        (NUMBER, {"From": 80}, "from 80 months to 72 months"),
        (NUMBER, {"Effort": 0}, "effort of “n” must be above 0"),
        (KIND, {"May change": "Only up"}, "has no order"),
        (KIND, {"To": 3}, "holds categories"),
        (WHEN, {"From": 3}, "holds dates"),
    ],
)
def test_an_impossible_cell_is_refused(column, edits, says):
    with pytest.raises(InputError, match=says):
        edited_rule(Allowed(column.name), column, edits)


def test_one_part_of_a_rule_at_a_time():
    assert changed_rule(Allowed("k"), KIND, "levels", [2, 0]) == Allowed("k", levels=("a", "c"))
    assert changed_rule(Allowed("k", levels=("a",)), KIND, "levels", [0, 1, 2]) == Allowed("k")
    assert changed_rule(Allowed("k", levels=("a",)), KIND, "levels", []) == Allowed("k")
    assert changed_rule(Allowed("n", step=6), NUMBER, "step", 0) == Allowed("n")
    assert changed_rule(Allowed("d", low=30.0), WHEN, "low", date(1970, 1, 1)) == Allowed("d")
    assert changed_rule(Allowed("d"), WHEN, "high", date(1970, 2, 1)) == Allowed("d", high=31.0)
