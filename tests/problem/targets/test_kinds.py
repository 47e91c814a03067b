"""Every kind of target in the registry: its file form, its words, its distribution, its threshold, and who succeeds."""

import json
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.problem import targets
from discover_core.problem.targets import KINDS, Decision, Shift, TargetContext, TargetSpecification, Threshold
from discover_core.scenario.target_specification import specification_from_dict, specification_to_dict

COHORT = {"rules": [], "match": "all", "score_side": None, "score_value": 0.5, "sample": None, "seed": 0}
OLDER = COHORT | {"rules": [{"column": "Age", "comparison": ">", "value": 60}]}
# what a file must say, what the rest then is, and a file that says everything otherwise
FILES = {
    "beta": ({"a": 2, "b": 5}, {"seed": 0, "n": None}, {"a": 0.1, "b": 0.9, "seed": 3, "n": 17}),
    "quantiles": (
        {"probabilities": [0, 1], "values": [0.2, 0.4]},
        {},
        {"probabilities": [0.1, 0.5, 0.5, 0.9], "values": [0.1, 0.2, 0.3, 0.7]},
    ),
    "values": ({"values": [0.3]}, {}, {"values": [0.5, 0.1, 0.9]}),
    "reference_group": ({"cohort": COHORT}, {}, {"cohort": OLDER}),
    "shift": ({}, {"by": 0.0, "scale": 1.0, "clip": None}, {"by": -0.1, "scale": 0.5, "clip": [0, 1]}),
    "threshold": (
        {"tau": 0.5, "share": 0.8},
        {"side": "above", "margin": 0.0},
        {"tau": 0.25, "share": 0.3, "side": "below", "margin": 0.02},
    ),
    "decision": (
        {},
        {"tau": 0.5, "side": "below", "clip": [0.0, 1.0]},
        {"tau": 0.25, "side": "above", "clip": None},
    ),
}
WORDS = {
    "beta": ("the scores look like a Beta(2, 5) distribution", "the scores look like a Beta(0.1, 0.9) distribution"),
    "quantiles": ("the scores follow the distribution you drew",) * 2,
    "values": ("the scores look like the 1 values you gave", "the scores look like the 3 values you gave"),
    "reference_group": (
        "the scores look like those of others (everybody in the table)",
        "the scores look like those of others (Age above 60)",
    ),
    "shift": ("the scores move by +0", "the scores move by -0.1 and spread 0.5 times as far"),
    "threshold": (
        "80% of the scores are at least 0.5",
        "30% of the scores are at most 0.25, those who move clearing it by 0.02",
    ),
    "decision": ("everybody's score is below 0.5", "everybody's score is at or above 0.25"),
}
SUCCESS_WORDS = {
    "threshold": ("a score of at least 0.5 after", "a score of at most 0.25 after"),
    "decision": ("a score below 0.5 after", "a score of at least 0.25 after"),
}
# what is past, written out
RIGHT = {
    "threshold": (lambda score: score >= 0.5, lambda score: score <= 0.25),
    "decision": (lambda score: score < 0.5, lambda score: score >= 0.25),
}
SCORES = np.array([0.9, 0.2, 0.6, 0.4, 0.5])
CONTEXT = TargetContext(SCORES, lambda cohort: SCORES[len(cohort.rules) :])
tenths = st.integers(0, 10).map(lambda number: number / 10)
quarters = st.integers(0, 20).map(lambda number: number / 20)
people = st.lists(st.tuples(tenths, quarters), min_size=1, max_size=12)
every_kind = pytest.mark.parametrize("kind", KINDS)


def made(kind: str) -> tuple[TargetSpecification, TargetSpecification]:
    """The specification of a file that says only what it must, and of one that says everything."""
    required, _, everything = FILES[kind]
    return specification_from_dict({"kind": kind, **required}), specification_from_dict({"kind": kind, **everything})


@every_kind
def test_a_kind_goes_by_its_word(kind):
    assert KINDS[kind].kind == kind
    assert getattr(targets, KINDS[kind].__name__) is KINDS[kind]


@every_kind
def test_what_a_file_says_comes_back_and_what_it_leaves_out_has_its_default(kind):
    required, defaults, everything = FILES[kind]
    assert list(required | defaults) == [field.name for field in fields(KINDS[kind])] == list(everything)
    for said, file in ((required, required | defaults), (everything, everything)):
        specification = specification_from_dict({"kind": kind, **said})
        assert specification_to_dict(specification) == {"kind": kind, **file}
        again = specification_from_dict(json.loads(json.dumps(specification_to_dict(specification))))
        assert again == specification
        assert hash(again) == hash(specification)


@every_kind
def test_a_kind_has_its_words(kind):
    assert tuple(specification.words for specification in made(kind)) == WORDS[kind]
    expected = SUCCESS_WORDS.get(kind, ("a score that moved towards the target",) * 2)
    assert tuple(specification.success_words for specification in made(kind)) == expected


@every_kind
def test_a_target_is_of_its_kind_and_has_its_threshold(kind):
    for specification in made(kind):
        target = specification.target(CONTEXT)
        assert target.kind == kind
        assert target.past == specification.past
        assert (specification.past is not None) == (kind in RIGHT)


def test_the_public_names_make_the_same_targets():
    public = {
        "beta": (dc.Target.beta(2, 5, n=5), dc.Target.beta(0.1, 0.9, n=17, seed=3)),
        "quantiles": (dc.Target.quantiles([0, 1], [0.2, 0.4]), dc.Target.quantiles([0.1, 0.5, 0.5, 0.9], [0.1, 0.2, 0.3, 0.7])),
        "values": (dc.Target.values([0.3]), dc.Target.values([0.5, 0.1, 0.9])),
        "reference_group": (dc.Target.reference_group(SCORES), dc.Target.reference_group(SCORES[1:])),
        "shift": (dc.Target.shift(SCORES), dc.Target.shift(SCORES, by=-0.1, scale=0.5, clip=(0, 1))),
        "threshold": (dc.Target.threshold(SCORES, 0.5, 0.8), dc.Target.threshold(SCORES, 0.25, 0.3, "below", 0.02)),
        "decision": (dc.Target.decision(SCORES), dc.Target.decision(SCORES, tau=0.25, side="above", clip=None)),
    }
    assert set(public) == set(KINDS)
    for kind, expected in public.items():
        assert tuple(specification.target(CONTEXT) for specification in made(kind)) == expected


@every_kind
@given(people)
def test_success_is_the_right_side_or_a_way_towards_the_target(kind, scores):
    before, after = np.array(scores).T
    for which, specification in enumerate(made(kind)):
        target = specification.target(TargetContext(before, lambda cohort: SCORES))
        found = specification.success(target, before, after)
        if kind in RIGHT:
            assert found.tolist() == [RIGHT[kind][which](score) for score in after]
            continue
        wished = target.rank_moments(len(before))[0]
        order = sorted(range(len(before)), key=lambda i: (before[i], i))
        for i in range(len(before)):
            mine = wished[order.index(i)]
            was, now = abs(before[i] - mine), abs(after[i] - mine)
            assert found[i] == (now < was or now <= 1e-12 * (1 + abs(mine)))


scores_anywhere = st.lists(st.floats(-1e4, 1e4, allow_subnormal=False), min_size=1, max_size=20).map(np.array)


@given(scores_anywhere)
def test_a_target_to_begin_with_can_be_made_of_any_scores(scores):
    for first in (Threshold.first(scores, None), Shift.first(scores, None)):
        assert len(first.target(TargetContext(scores, lambda cohort: scores)).left) == len(scores)
    assert Shift.first(scores, None).by < 0
    assert Threshold.first(scores, None).margin > 0
    assert Threshold.first(scores, None).tau == pytest.approx(np.median(scores), rel=0.01)


def test_probabilities_begin_with_a_half():
    assert Threshold.first(SCORES, (0, 1)) == Threshold(0.5, 0.5, "below", 0.02)
    assert Shift.first(SCORES, (0, 1)) == Shift(-0.1, clip=(0, 1))
    assert Decision() == Decision(0.5, "below", (0.0, 1.0))
