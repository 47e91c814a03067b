"""Import a scenario: its file and, when it speaks of a table that is not open, that table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from discover_core.errors import InputError
from discover_core.scenario.json_file import MOST
from discover_core.scenario.question import Question
from discover_core.scenario.scenario import Scenario
from discover_core.scenario.sources import ModelFile, SampleTable
from discover_core.workers.page_results import OpenTable

from . import open_data, open_tables, page_jobs, scenario_io, session
from .text import plain

NAMED = 5  # columns that a sentence names
MEGABYTES = MOST // 2**20
LONGEST = 100  # characters of a scenario's name


@dataclass(frozen=True)
class Waiting:
    """A scenario whose table, by this file name where it was made, is still to come."""

    scenario: Scenario
    name: str
    file: str


def uploader(key: str) -> None:
    st.file_uploader(
        "A scenario.json",
        type=["json"],
        key=key,
        on_change=_uploaded,
        args=(key,),
        max_upload_size=MEGABYTES,
        help=f"As exported here, or by the library; up to {MEGABYTES} MB.",
    )


def ask_for_table() -> None:
    """Where a scenario was imported whose table is not open: the place to bring it."""
    waiting: Waiting | None = st.session_state.get("waiting_import")
    if waiting is None:
        return
    with st.container(border=True, key="import-table"):
        columns = [column.name for column in waiting.scenario.schema.columns]
        st.markdown(
            f"**{plain(waiting.name)}** is about the table “{plain(waiting.file)}”, which is not open. Its columns are "
            f"{plain(_series(columns))}. Upload it, and the scenario opens."
        )
        st.file_uploader("Its table", type=open_data.TYPES, key="import_table", on_change=_table_uploaded)
        if st.button("Not now", key="import-later"):
            del st.session_state["waiting_import"]
            st.rerun()


def _uploaded(key: str) -> None:
    file = st.session_state.get(key)
    if file is None or file.file_id == st.session_state.get("last_upload"):
        return
    st.session_state["last_upload"] = file.file_id
    session.take(file, _read)


def _read(path: str, file: str) -> None:
    """In a job: until it is read, and if it cannot be, nothing changes."""
    page_jobs.start(f"Reading {plain(file)}", "read_scenario", path, file, done=lambda scenario: bring(scenario, file), path=path)


def bring(scenario: Scenario, file: str) -> None:
    """Import a scenario: about the open table if it fits, about a data set of ours, or about a table to be asked for."""
    current = session.current()
    printed = "".join(sign if sign.isprintable() else " " for sign in scenario.name or Path(file).stem)
    name = " ".join(printed.split())[:LONGEST]
    st.session_state.pop("waiting_import", None)
    about = scenario.data
    if isinstance(about, SampleTable):
        _open(scenario, name, current if current is not None and current.sample == about.sample else None)
    elif current is not None and not _lacking(current, scenario):
        _open(scenario, name, current)
    else:
        session.hush()
        st.session_state["waiting_import"] = Waiting(scenario, name, about.file)


def _table_uploaded() -> None:
    file, waiting = st.session_state.get("import_table"), st.session_state.get("waiting_import")
    if file is None or waiting is None or file.file_id == st.session_state.get("last_upload"):
        return
    st.session_state["last_upload"] = file.file_id

    def read(path: str, name: str) -> None:
        def done(opened: OpenTable) -> None:
            _go_on(waiting, session.Work.of(opened, open_tables.dataset(opened)))

        page_jobs.start(f"Reading {plain(name)}", "open_file", path, name, done=done, path=path)

    session.take(file, read)


def _go_on(waiting: Waiting, brought: session.Work) -> None:
    """The table is here. If it is the right one, the scenario opens with it; a model of the user's own must come first."""
    scenario, lacking = waiting.scenario, _lacking(brought, waiting.scenario)
    if lacking:
        raise InputError(f"“{brought.dataset.title}” is another table: it lacks {_series(lacking)}. Upload the right one.")
    st.session_state.pop("waiting_import", None)
    if not isinstance(scenario.model, ModelFile):
        _open(scenario, waiting.name, brought)
        return
    session.keep(replace(brought.with_schema(scenario.schema), people=scenario.people))
    st.session_state["go_to"] = "model"
    raise InputError(
        f"The table is open. The model of “{waiting.name}” is the file “{scenario.model.file}”: bring it here, then import the "
        "scenario again."
    )


def _open(scenario: Scenario, name: str, at_hand: session.Work | None) -> None:
    if isinstance(scenario.model, ModelFile):
        if at_hand is None or at_hand.scored is None or at_hand.scored.model.schema != scenario.schema:
            raise InputError(
                f"The model of this scenario is the file “{scenario.model.file}”: open its data, bring that model on the Model "
                "page, then import again."
            )
        source = at_hand.scored.source
        given = replace(source, codes=scenario.model.codes) if isinstance(source, ModelFile) else source
        scenario = replace(scenario, model=given)
    question = Question(name, scenario, "" if at_hand is None else at_hand.dataset.title)
    if at_hand is not None and at_hand.scored is not None:
        question = replace(question, model_title=at_hand.scored.model.title, model_copy=at_hand.scored.model_copy)
    scenario_io.open_question(question, at_hand=at_hand)


def _lacking(current: session.Work, scenario: Scenario) -> list[str]:
    """The columns that the scenario speaks of and the table does not have."""
    return [column.name for column in scenario.schema.columns if column.name not in current.dataset.raw.columns]


def _series(names: list[str]) -> str:
    return ", ".join(names[:NAMED]) + (", …" if len(names) > NAMED else "")
