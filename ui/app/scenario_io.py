"""From the current work to a scenario: for a run, to be saved, for a file; and from a scenario back to work."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.bounds import check_slices
from discover_core.scenario.question import Question
from discover_core.scenario.scenario import Scenario
from discover_core.scenario.sources import ModelFile, SampleTable, TableFile, check_path
from discover_core.table.known import known_tables
from discover_core.workers.page_results import OpenTable

from . import open_tables, page_jobs, plan_people, session
from .bounds_advice import settled
from .draft import Draft
from .text import plain


def scenario_of(current: session.Work) -> Scenario:
    """The question as it stands, its files named as the data folder keeps them; an InputError when it cannot be asked."""
    assert current.scored is not None
    if current.model_is_old:
        raise InputError("The columns have been changed since the model was made: train it again on the Model page.")
    if not current.actions.editable:
        raise InputError("Every feature is locked, so nothing can change: unlock at least one on the Scenario page.")
    if not len(current.group):
        raise InputError("The group is empty: loosen its rules on the Data page.")
    draft = current.draft
    current.study.target(draft.target)  # says what is wrong with it, if anything
    plan_people.check(current)
    check_slices(draft.bounds, len(current.group))
    return Scenario(
        current.source,
        current.schema,
        current.cohort,
        current.scored.source,
        current.actions,
        draft.target,
        settled(current),
        current.settings,
        people=current.people,
        budget=draft.budget,
        rules=draft.rules,
        audit=draft.audit if current.audited else None,
    )


def question_of(current: session.Work) -> Question:
    """The question as it stands, with what it, its data and its model are called."""
    assert current.scored is not None
    model, report = current.scored.model, current.scored.model.report
    model_copy = replace(current.scored.model_copy, quality="" if report is None else report.quality)
    return Question(name_of(current), scenario_of(current), current.dataset.title, model.title, model_copy, current.draft.saved)


def name_of(current: session.Work) -> str:
    """What the draft and its runs are called."""
    return current.draft.name or default_name(current)


def default_name(current: session.Work) -> str:
    return f"{current.dataset.title}, {len(current.group):,} people"


def exported(current: session.Work) -> bytes:
    """`scenario.json` with the names that the user's own files have; they must lie beside it to be run elsewhere."""
    scenario = replace(scenario_of(current), name=current.draft.name)
    if isinstance(scenario.data, TableFile):
        scenario = replace(scenario, data=TableFile(_file_name(current.dataset.title, scenario.data.file)))
    if isinstance(scenario.model, ModelFile) and current.scored is not None:
        scenario = replace(
            scenario, model=replace(scenario.model, file=_file_name(current.scored.model.title, scenario.model.file))
        )
    return (json.dumps(scenario.to_dict(), indent=2, ensure_ascii=False) + "\n").encode()


def _file_name(title: str, kept: str) -> str:
    name = title if Path(title).suffix.lower() == Path(kept).suffix.lower() else f"table{Path(kept).suffix}"
    try:
        check_path(name)
    except InputError:
        return f"table{Path(kept).suffix}"
    return name


def open_question(
    question: Question, seen: float = 0.0, at_hand: session.Work | None = None, go_to: str | None = "scenario"
) -> None:
    """Make a question the current work: from the data folder, or about the table that is `at_hand`.

    Until `seen` it is known what is saved under its id.
    """
    scored = None
    if at_hand is not None:
        question = replace(question, scenario=replace(question.scenario, data=at_hand.source))
        scored = at_hand.scored if at_hand.scored is not None and at_hand.scored.belongs_to(question.scenario) else None
    scenario, name = question.scenario, question.name
    asked = (scenario.target, scenario.bounds, scenario.settings)
    draft = Draft(name, *asked, False, None, question.saved, seen, scenario.budget, scenario.rules)
    draft = replace(draft, audit=scenario.audit or draft.audit, audited=scenario.audit is not None)

    def done(opened: OpenTable) -> None:
        made = session.Work.of(opened, open_tables.dataset(opened), draft)
        if at_hand is not None:
            made = replace(made, id=at_hand.id, known=at_hand.known, scored=scored or made.scored)
        session.keep(made)
        session.renew()
        if go_to is not None:
            st.session_state["go_to"] = go_to
        session.say("success", f"**{plain(name) or 'The scenario'}** is open.")

    if isinstance(scenario.data, SampleTable) and not question.data_title:
        title = next(known.title for known in known_tables() if known.name == scenario.data.sample)
        question = replace(question, data_title=title)
    title = f"Opening {plain(name) or 'the scenario'}"
    page_jobs.start(title, "open_scenario", question, scored is None, done=done)
