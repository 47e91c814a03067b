"""Budget and rules are part of a draft: they come with a known table, travel in files, and go only with a message."""

import json
from dataclasses import replace

import pytest
import streamlit as st

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem import bounds
from discover_core.workers.page_jobs import open_sample
from discover_core.workers.page_results import OpenTable
from ui.app import plan_people, scenario_io
from ui.app.draft import rule_problem
from ui.app.session import Work

RULE = "Credit amount <= 500 * Duration"


@pytest.fixture(scope="module")
def german(tmp_path_factory) -> Work:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        opened = open_sample("german_credit", lambda share, doing: None)
        return Work.of(opened, opened.dataset())


def asking(work: Work, **changes) -> Work:
    return replace(work, draft=replace(work.draft, **changes))


def test_they_travel_in_a_scenario_and_its_file(german):
    some = tuple(int(row) for row in german.group[[0, 5]])
    budget = dc.Budget(people=10, features=2, effort=1.5, total_effort=20, untouched=some, first="Age")
    work = asking(german, budget=budget, rules=(RULE,))
    scenario = scenario_io.scenario_of(work)
    assert (scenario.budget, scenario.rules) == (budget, (RULE,))
    back = dc.Scenario.from_dict(json.loads(scenario_io.exported(work)))
    assert back == scenario
    assert scenario != scenario_io.scenario_of(german)


def test_a_rule_that_cannot_be_read_stops_the_question_and_stays(german):
    work = asking(german, rules=(RULE, "Nothing <= 3"))
    with pytest.raises(InputError, match="Nothing"):
        scenario_io.scenario_of(work)
    assert work.draft.rules == (RULE, "Nothing <= 3")


def test_more_slices_than_a_page_can_hold_are_not_asked_for(german, monkeypatch):
    people = len(german.group)
    monkeypatch.setattr(bounds, "MOST_NUMBERS", 30 * people)
    work = asking(german, bounds=replace(german.draft.bounds, slices=30))
    assert scenario_io.scenario_of(work).bounds.slices == 30
    work = asking(german, bounds=replace(german.draft.bounds, slices=bounds.MOST_SLICES))
    with pytest.raises(InputError, match=f"^10,000 slices of {people} people are more than a page can hold: ask for at most 30"):
        scenario_io.scenario_of(work)


def test_whoever_must_not_be_touched_is_named_as_on_the_pages(german):
    stranger = next(row for row in range(1000) if row not in set(german.group.tolist()))
    work = asking(german, budget=dc.Budget(untouched=(int(german.group[0]), stranger)))
    with pytest.raises(InputError, match=f"^Row {stranger + 1} must not be touched, but is not in the group"):
        scenario_io.scenario_of(work)
    assert plan_people.as_text(work, (stranger,)) == f"Row {stranger + 1}"
    with pytest.raises(InputError, match=r"^odd must not be touched"):
        scenario_io.scenario_of(asking(german, budget=dc.Budget(untouched=("odd",))))


def test_what_is_written_is_read_again(german):
    for people in (None, "Age"):  # many share an age: their rows tell them apart
        work = replace(german, people=people)
        some = tuple(int(row) for row in work.group[::17])
        assert plan_people.read(work, plan_people.as_text(work, some)) == (some, [])
    assert plan_people.read(german, " ") == ((), [])


def test_other_columns_take_only_what_no_longer_fits(german):
    left_out = german.schema.with_column(replace(german.schema["Duration"], role="excluded"))
    kept = "if Housing = rent then Credit amount <= 9000"
    work = asking(german, rules=(RULE, kept, "Nothing <= 3"), budget=dc.Budget(people=7, first="Duration"))
    draft = work.with_schema(left_out).draft
    assert draft.rules == (kept, "Nothing <= 3")  # the last was wrong before, and is pointed out where it stands
    assert draft.budget == dc.Budget(people=7)
    said = st.session_state["message"][1]
    assert "500" in said
    assert "Nobody is helped first by **Duration** any more" in said
    same = asking(german, rules=(kept,), budget=dc.Budget(first="Age")).with_schema(left_out).draft
    assert (same.rules, same.budget) == ((kept,), dc.Budget(first="Age"))


def test_a_known_table_begins_with_its_own_rules(german):
    known = replace(german.known, rules=(RULE, "Unknown <= 3"))
    opened = OpenTable(german.dataset.summary, german.actions, german.source, known, german.cohort, german.scored)
    assert Work.of(opened, german.dataset).draft.rules == (RULE,)
    assert rule_problem(RULE, german.schema) is None
