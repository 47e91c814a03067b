"""What the quick pass says of a feature, and which answers it offers."""

import pytest

from discover_core.table.schema import Column
from ui.scenario.quick_pass import answers, time_words, values_words

KIND = Column("k", "nominal", levels=("a", "b", "c", "(missing)"))
ACCOUNT = Column("a", "nominal", levels=("none", "low", "high"), order=("low", "high"))


def test_up_and_down_are_offered_where_there_is_an_order():
    assert list(answers(KIND).values()) == ["No", "Yes"]
    for column in (ACCOUNT, Column("n", "numeric", low=0, high=9), Column("o", "ordinal", levels=("x", "y"))):
        assert list(answers(column).values()) == ["No", "Yes, both ways", "Only up", "Only down"]


def test_the_values_are_said_without_what_nobody_can_be_asked_to_have():
    assert values_words(KIND, "a 60%, b 30% …") == ["In the group: a 60%, b 30% …", "It can be a, b, c."]
    assert values_words(ACCOUNT, "low 90%")[1:] == ["It can be none, low, high.", "Up is: low → high."]
    many = Column("m", "nominal", levels=tuple("abcdefgh"))
    assert values_words(many, "a 20% …")[1] == "It can be a, b, c, d, e, f …"
    assert values_words(Column("n", "numeric", low=0, high=9), "0 to 9, median 4") == ["In the group: 0 to 9, median 4."]


@pytest.mark.parametrize(("features", "words"), [(1, "a minute"), (12, "a minute"), (24, "about 2 minutes")])
def test_it_says_how_long_it_takes(features, words):
    assert time_words(features) == words
