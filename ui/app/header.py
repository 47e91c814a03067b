"""The header of every page: how far the journey is, and what you are working with."""

from __future__ import annotations

import streamlit as st

from . import session, tab_runs
from .assets import ASSETS
from .text import count, plain_html


def done() -> set[str]:
    """The steps of the journey that are behind one."""
    work, run = session.current(), tab_runs.shown()
    steps = set()
    if work is not None:
        steps.add("data")
        if work.scored is not None and not work.model_is_old:
            steps.add("model")
        if work.scored is not None and tab_runs.current() is not None:
            steps.add("scenario")
    if run is not None and run.over:
        steps.add("solve")
    return steps


def header(page: str) -> None:
    st.html(ASSETS / "style.css")
    work, run = session.current(), tab_runs.shown()
    about_run = run is not None and (page == "Results" or (page == "Solve" and tab_runs.looked_at(run)))
    facts = _asked() if work is None or about_run else _facts(work)
    st.html(f'<div class="facts">{facts}</div>')
    message = session.message(page)
    with st.container():  # always there, so that what follows keeps its place
        if message:
            kind, text = message
            {"error": st.error, "success": st.success, "info": st.info}[kind](text)


def _asked() -> str:
    """What the run is about that is shown, whatever is open beside it."""
    run = tab_runs.shown()
    return "Nothing opened yet" if run is None else " · ".join(plain_html(title) for title in run.titles)


def _facts(work: session.Work) -> str:
    parts = [plain_html(work.dataset.title), count(len(work.dataset.raw), "row")]
    if session.problem_of(lambda: work.group) is None:
        parts.append(f"group of {len(work.group):,}")
    if work.scored is not None:
        model = work.scored.model
        parts.append(plain_html(model.title))
        if model.report is not None and model.report.quality:
            parts.append(model.report.quality)
    return " · ".join(parts)
