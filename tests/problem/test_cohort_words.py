"""Who is meant, in words."""

import pytest

import discover_core as dc
from discover_core.problem.cohort_words import cohort_words


@pytest.mark.parametrize(
    ("cohort", "words"),
    [
        (dc.Cohort(), "everybody in the table"),
        (dc.Cohort(score_side="above", score_value=0.5, sample=200), "score above 0.5; at most 200 of them, drawn at random"),
        (
            dc.Cohort((dc.Rule("Age", "<", 30), dc.Rule("Housing", "is", ("rent", "free")))),
            "Age below 30 and Housing is rent or free",
        ),
        (dc.Cohort((dc.Rule("Age", "between", (20.5, 30)),)), "Age between 20.5 and 30"),
        (
            dc.Cohort((dc.Rule("Age", ">=", 60), dc.Rule("Sex", "is not", "male")), "any", "below", 1234567.0),
            "(Age at least 60 or Sex is not male) and score below 1,234,567",
        ),
    ],
)
def test_who_is_meant(cohort, words):
    assert cohort_words(cohort) == words
