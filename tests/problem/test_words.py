"""What is allowed, in words: every branch as a person reads it, and for any rules nobody is left out or counted twice."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.problem.actionability import Actionability, Allowed
from discover_core.problem.words import CHOICES, LISTED, RULES, allowed_sentences, number_words, value_words, weight_words
from discover_core.table.schema import Column, Schema

CITIES = tuple(f"c{i}" for i in range(12))
SCHEMA = Schema(
    (
        Column("id", "excluded"),
        Column("Age", "numeric", low=18, high=80, step=1, unit="years"),
        Column("Duration", "numeric", low=4, high=72, step=1, unit="months"),
        Column("Rate", "numeric", low=0, high=1),
        Column("Since", "numeric", low=0, high=20000, step=1, date=True, unit="days"),
        Column("Saving", "ordinal", levels=("little", "some", "rich")),
        Column("Housing", "nominal", levels=("own", "rent", "free")),
        Column("City", "nominal", levels=CITIES),
        Column("Risk", "nominal", levels=("good", "bad")),
    ),
    outcome="Risk",
)
FREE = Actionability.free(SCHEMA)


def about(name: str, rule: Allowed) -> str:
    """The sentence on one feature when all others are locked."""
    allowed = tuple(rule if r.name == name else Allowed(r.name, "locked") for r in FREE)
    return next(s for s in allowed_sentences(Actionability(SCHEMA, allowed)) if "stay" not in s)


def wide(count: int, **changes) -> Actionability:
    """So many numeric features; `changes` gives rules by their number."""
    schema = Schema(tuple(Column(f"F{i}", "numeric", low=0, high=100) for i in range(count)))
    return Actionability(schema, tuple(Allowed(f"F{i}", **changes.get(f"F{i}", {})) for i in range(count)))


def test_the_sentences_of_a_small_table():
    actions = (
        FREE.lock("Age", "City").only_decrease("Duration").limit("Duration", low=6).only_increase("Saving").weight("Rate", 2)
    )
    assert allowed_sentences(actions) == [
        "Age and City stay as they are.",
        "Saving may only go up.",
        "Duration may only go down, to no less than 6 months.",
        "Rate may change freely, at double the weight.",
        "Since and Housing may change freely.",
    ]


def test_one_locked_feature_stays_as_it_is():
    assert allowed_sentences(FREE.lock("Age")) == ["Age stays as it is.", "The other 6 features may change freely."]


def test_everything_free_everything_locked_and_no_features():
    assert allowed_sentences(FREE) == ["All 7 features may change freely."]
    assert allowed_sentences(wide(2)) == ["F0 and F1 may change freely."]
    assert allowed_sentences(FREE.lock(*SCHEMA.feature_names)) == [
        "Nothing can change, because every feature is locked: allow at least one to change."
    ]
    assert allowed_sentences(wide(0)) == ["The table has no features, so nothing can change."]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (Allowed("Duration", low=6), "Duration may change to no less than 6 months."),
        (Allowed("Duration", high=48), "Duration may change to no more than 48 months."),
        (Allowed("Duration", low=6, high=48), "Duration may change to between 6 and 48 months."),
        (Allowed("Duration", low=12, high=12), "Duration may change to exactly 12 months."),
        (Allowed("Duration", step=6), "Duration may change in steps of 6 months."),
        (Allowed("Duration", "increase", high=48), "Duration may only go up, to no more than 48 months."),
        (
            Allowed("Duration", "decrease", low=6, step=6, weight=0.5),
            "Duration may only go down, to no less than 6 months, in steps of 6 months, at half the weight.",
        ),
        (Allowed("Duration", "increase", step=2), "Duration may only go up, in steps of 2 months."),
        (Allowed("Duration", weight=2.5), "Duration may change freely, at 2.5 times the weight."),
        (Allowed("Rate", low=0.25), "Rate may change to no less than 0.25."),
        (Allowed("Since", low=365), "Since may change to no earlier than 1971-01-01."),
        (Allowed("Since", high=365, step=7), "Since may change to no later than 1971-01-01, in steps of 7 days."),
        (Allowed("Since", low=0, high=365), "Since may change to between 1970-01-01 and 1971-01-01."),
        (Allowed("Housing", levels=("rent",)), "Housing may change to “rent”."),
        (Allowed("Housing", levels=("rent", "own")), "Housing may change to “own” or “rent”."),
        (Allowed("Housing", levels=("own", "rent", "free")), "Housing may change freely."),
        (Allowed("Saving", "increase", levels=("some", "rich")), "Saving may only go up, to “some” or “rich”."),
        (Allowed("City", levels=CITIES[2:]), "City may change to anything but “c0” or “c1”."),
        (Allowed("City", levels=CITIES[:6]), "City may change to 6 of its 12 categories."),
    ],
)
def test_one_feature_in_words(rule, said):
    assert about(rule.name, rule) == said


def test_the_limits_of_a_locked_feature_are_not_spoken_of():
    assert allowed_sentences(FREE.limit("Age", 20, 30).weight("Age", 3).lock("Age")) == allowed_sentences(FREE.lock("Age"))


def test_many_are_counted_with_some_examples():
    locked = {f"F{i}": {"mode": "locked"} for i in range(41)}
    up = {f"F{i}": {"mode": "increase"} for i in range(41, 60)}
    assert allowed_sentences(wide(200, **locked, **up)) == [
        "41 features stay as they are, among them F0, F1 and F2.",
        "19 features may only go up, among them F41, F42 and F43.",
        "The other 140 features may change freely.",
    ]


def test_too_many_different_rules_are_counted_after_the_first():
    own = {f"F{i}": {"low": i + 1} for i in range(30)}
    down = {"F40": {"mode": "decrease"}}
    said = allowed_sentences(wide(50, **own, **down))
    assert said[0] == "F40 may only go down."
    assert said[1] == "F0 may change to no less than 1."
    assert said[RULES - 1] == "26 more features have rules of their own, among them F4, F5 and F6."
    assert said[RULES:] == ["The other 19 features may change freely."]
    as_many_as_fit = allowed_sentences(wide(50, **{f"F{i}": {"low": i + 1} for i in range(RULES)}))
    assert len(as_many_as_fit) == RULES + 1
    assert "rules of their own" not in " ".join(as_many_as_fit)
    assert "F5, F6 and F7 have rules of their own." in allowed_sentences(wide(8, **{f"F{i}": {"low": i + 1} for i in range(8)}))


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (18424, "18,424"),
        (0.25, "0.25"),
        (-1234.5, "-1,234.5"),
        (0.1 + 0.2, "0.3"),
        (1e20, "1e+20"),
        (0, "0"),
        (1 / 3, "0.333333"),
    ],
)
def test_numbers_as_a_person_writes_them(value, said):
    assert number_words(value) == said


def test_values_carry_their_unit_and_dates_are_dates():
    assert value_words(SCHEMA["Duration"], 6) == "6 months"
    assert value_words(SCHEMA["Since"], -0.5) == "1969-12-31"
    assert [weight_words(w) for w in (0.5, 1, 2, 10)] == ["half", "normal", "double", "10 times"]


LEVELS = st.lists(st.sampled_from(("a", "b", "c", "d", "e", "f", "g", "h", "i", "j")), max_size=10, unique=True).map(tuple)
WEIGHTS = st.sampled_from((0.5, 1.0, 1.0, 1.0, 2.0, 3.0))


@st.composite
def actionabilities(draw) -> Actionability:
    """Any rules for up to 40 features of all roles."""
    columns, rules = [], []
    for i in range(draw(st.integers(1, 40))):
        role = draw(st.sampled_from(("numeric", "ordinal", "nominal")))
        modes = ("free", "locked") if role == "nominal" else ("free", "free", "locked", "increase", "decrease")
        mode, weight = draw(st.sampled_from(modes)), draw(WEIGHTS)
        if role == "numeric":
            columns.append(Column(f"F{i}", role, low=0, high=9, unit=draw(st.sampled_from(("", "kg")))))
            low, high = draw(st.sampled_from(((None, None), (None, 5), (2, None), (2, 5), (3, 3))))
            rules.append(Allowed(f"F{i}", mode, low, high, draw(st.sampled_from((None, None, 2))), weight=weight))
        else:
            columns.append(Column(f"F{i}", role, levels=tuple("abcdefghij")))
            rules.append(Allowed(f"F{i}", mode, levels=draw(LEVELS), weight=weight))
    return Actionability(Schema(tuple(columns)), tuple(rules))


SUBJECT = re.compile(
    r"^(?:(?:The other |All )?(?P<count>[\d,]+) (?:more )?features|(?P<names>F\d+(?:(?:, | and )F\d+)*)) (?:may|stay|stays|have) "
)


def covered(sentence: str) -> tuple[int, set[str]]:
    """How many features a sentence speaks of, and those it names as its subject."""
    found = SUBJECT.match(sentence)
    assert found, f"nobody is spoken of in: {sentence}"
    if found["count"]:
        return int(found["count"].replace(",", "")), set()
    names = re.findall(r"F\d+", found["names"])
    assert len(names) == len(set(names)) <= LISTED
    return len(names), set(names)


@given(actionabilities())
def test_every_feature_is_said_or_counted_exactly_once(actions):
    said = allowed_sentences(actions)
    if not actions.editable:
        assert "allow at least one" in said[0]
        return
    counts, named = zip(*map(covered, said), strict=True)
    assert sum(counts) == len(actions.allowed)
    assert sum(map(len, named)) == len(set().union(*named)), "a feature is the subject of two sentences"
    assert len(said) <= 1 + RULES + 1
    locked = {rule.name for rule in actions if rule.mode == "locked"}
    stay = [covered(s) for s in said if " stay" in s]
    assert sum(count for count, _ in stay) == len(locked)
    assert all(names <= locked for _, names in stay)


@given(actionabilities())
def test_whoever_is_said_to_change_freely_has_no_rule(actions):
    free = {r.name for r in actions if r.mode == "free" and r.low is None and r.high is None and r.step is None and r.weight == 1}
    free = {name for name in free if len(actions[name].levels) in (0, 10)}
    said = [covered(s) for s in allowed_sentences(actions) if s.endswith("may change freely.")] if actions.editable else []
    assert sum(count for count, _ in said) == len(free)
    assert set().union(*(names for _, names in said)) <= free


@given(LEVELS.filter(lambda levels: 0 < len(levels) < 10))
def test_the_categories_said_are_those_admitted_or_all_others(levels):
    schema = Schema((Column("F0", "nominal", levels=tuple("abcdefghij")),))
    said = allowed_sentences(Actionability(schema, (Allowed("F0", levels=levels),)))[0]
    quoted = set(re.findall("“(.)”", said))
    assert quoted == (set("abcdefghij") - set(levels) if "anything but" in said else set(levels) if quoted else set())
    assert len(quoted) <= CHOICES
    assert quoted or f"{len(levels)} of its 10" in said
