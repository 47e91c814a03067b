"""The question above its answer: always that of the run which is shown, never the draft's."""

from __future__ import annotations

import streamlit as st

from discover_core.errors import InputError
from discover_core.scenario.question import Question
from discover_core.scenario.question_words import question_facts, question_lines, question_sentence
from discover_core.store.run import Run

from . import page_registry, scenario_io, session, tab_runs
from .text import plain


def question(asked: Question, people: int | None) -> None:
    """Its name, a sentence and a line of facts; every detail is behind a button."""
    with st.container(key="question", gap="xsmall"):
        st.title(plain(asked.name), anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            st.markdown(f"**{plain(question_sentence(asked.scenario.target, people))}**", width="stretch")
            with st.popover("The whole question", type="tertiary", key="whole-question"):
                for heading, words in question_lines(asked):
                    st.markdown(f"**{heading}** · {plain(words)}")
        st.caption(plain(question_facts(asked)))


def draft_differs(run: Run) -> bool:
    """Whether there is a draft, and it asks something else than this run did."""
    current = session.current()
    if current is None or current.scored is None:
        return False
    try:
        return not run.question.asks(scenario_io.scenario_of(current))
    except InputError:
        return True


def say_of_draft(run: Run) -> None:
    """Above an answer whose question is not the draft's: both can be reached from here."""
    if not draft_differs(run):
        return
    with st.container(horizontal=True, vertical_alignment="center", key="draft-differs"):
        st.caption(":material/info: This answers the question above. Your draft asks something else.", width="stretch")
        if st.button("Show the draft", key="show-draft", type="tertiary", icon=":material/edit_note:"):
            tab_runs.look_at_draft()
            page_registry.go("solve")
