"""Values that people lack: whoever applies a policy hears of them, and so does a case worker on the person's line."""

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.policy import policy as policy_module
from discover_core.policy.gaps import BLANK, UNKNOWN, counted, gap_sentences, gap_words, gaps_of
from discover_core.table.prepare import prepare
from discover_core.table.schema import MISSING, Column, Schema
from tests.policy.cases import Plain, bad_rows, question


@pytest.fixture(scope="module", params=["personal", "programmes"])
def made(request):
    return dc.learn_policy(question(80), dc.Settings(seed=3), kind=request.param)


def lacking(people):
    """Job unknown for all; Income a word, infinite or missing for three; everything missing for one more."""
    people = people.astype(object)
    people["Job"] = "never seen"
    people.loc[people.index[:3], "Income"] = ["a lot", np.inf, None]
    people.loc[people.index[3]] = None
    return people


def test_nothing_is_said_of_people_who_lack_nothing(made):
    told = made.told(bad_rows(60, 7))
    assert not any("taken in its place" in said for said in made.warnings(told))
    assert not told.everybody["warning"].str.contains("replaced").any()


def test_each_column_that_people_lack_has_a_sentence(made):
    told, schema = made.told(lacking(bad_rows(60, 7))), made.ground.known.schema
    income = f"{schema['Income'].fill:.2f}"
    assert [said for said in made.warnings(told) if "taken" in said] == [
        f"“Income” is missing or no number for 4 people: {income} was taken in its place.",
        f"“Months” is missing or no number for 1 person: {schema['Months'].fill:.0f} was taken in its place.",
        "“Saving” is missing for 1 person: “none” was taken in its place.",
        "“Job” is missing for 1 person and an unknown category for 59 people: “a” was taken in its place.",
        "“Home” is missing for 1 person: “own” was taken in its place.",
    ]


def test_a_persons_line_names_what_they_lack(made):
    people = lacking(bad_rows(60, 7))
    told = made.told(people)
    for lines in (told.everybody, made.apply(people)):
        for row, said in zip(lines["row"], lines["warning"], strict=True):
            names = "Income, Job" if row < 3 else "Income, Months, Saving, Job, Home" if row == 3 else "Job"
            assert said.endswith(f"missing or unknown, so replaced: {names}")
    assert len(made.apply(people)) > 20


def test_a_change_from_what_was_filled_in_says_so():
    """Nobody is told to come down from a number that they never gave."""
    schema = dc.Actionability.default(question(20).schema)
    made = dc.learn_policy(question(80, actions=schema.lock("Income", "Saving", "Job")), dc.Settings(seed=3))
    people = bad_rows(60, 7).astype(object)
    people.loc[people.index[::2], ["Months", "Home"]] = [None, "a tent"]
    told = made.told(people)
    fills = {name: made.ground.known.schema[name].fill for name in ("Months",)}
    changes = told.plan.sort_index()["changes"]
    filled = changes.index % 2 == 0
    assert 3 < filled.sum() < len(changes) - 3
    known = changes.str.contains(rf"Months unknown \(taken as {fills['Months']:.0f}\) → \d+|Home unknown \(taken as own\) → rent")
    assert known.tolist() == filled.tolist()
    assert changes[~filled].str.match(r"Months \d+ → \d+|Home (own|rent) → (own|rent)").all()
    assert made.told(people).lines.set_index("row").loc[changes.index + 1, "changes"].tolist() == changes.tolist()


def test_who_is_like_nobody_seen_and_lacks_something_is_told_both(made, monkeypatch):
    monkeypatch.setattr(policy_module, "FAR", -1.0)
    said = made.told(lacking(bad_rows(20, 7))).everybody["warning"]
    assert said.str.contains(f"{policy_module.ALONE}; missing or unknown", regex=False).all()


def test_what_is_said_does_not_depend_on_how_many_are_told_at_a_time(made, monkeypatch):
    people = lacking(bad_rows(60, 7))
    told = made.told(people)
    monkeypatch.setattr(policy_module, "CHUNK", 7)
    again = made.told(people)
    assert made.warnings(again) == made.warnings(told)
    pd.testing.assert_frame_equal(again.everybody, told.everybody, check_exact=True)
    some = np.array([3, 0, 10])
    assert told.some(some).everybody["warning"].tolist() == told.everybody["warning"].iloc[some].tolist()


SCHEMA = Schema(
    (
        Column("Since", "numeric", low=18_000, high=20_000, step=1, fill=18_993, date=True),
        Column("Loan", "numeric", low=0, high=9_000, fill=1_500, unit="€"),
        Column("Flat", "nominal", levels=("own", "rent", MISSING)),
        Column("Left out", "excluded"),
        Column("Outcome", "nominal", levels=("good", "bad")),
    ),
    outcome="Outcome",
)


def test_what_has_a_category_of_its_own_is_not_missing():
    table = pd.DataFrame(
        {
            "Left out": None,
            "Outcome": None,
            "Flat": [None, "own", "castle", MISSING],
            "Loan": [np.nan, 5.0, 6.0, 7.0],
            "Since": ["2021-01-01", "someday", None, "2021-05-05"],
        }
    )
    gaps = gaps_of(prepare(table, SCHEMA), SCHEMA)
    assert gaps.tolist() == [[0, BLANK, 0], [BLANK, 0, 0], [BLANK, 0, UNKNOWN], [0, 0, 0]]
    assert gap_words(gaps, SCHEMA)[2:] == ["missing or unknown, so replaced: Since, Flat", ""]
    assert gap_sentences(counted(gaps), SCHEMA) == [
        "“Since” is missing or no date for 2 people: 2022-01-01 was taken in its place.",
        "“Loan” is missing or no number for 1 person: 1,500 € was taken in its place.",
        "“Flat” is an unknown category for 1 person: “(missing)” was taken in its place.",
    ]


def test_a_policy_from_its_file_says_the_same(made, tmp_path):
    people = lacking(bad_rows(60, 7))
    made.write(tmp_path / "policy.json")
    read = dc.read_policy(tmp_path / "policy.json", Plain())
    assert read.warnings(read.told(people)) == made.warnings(made.told(people))
