"""The header of every page: where you are in the journey, and what you are working with."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from . import running, session
from .text import count

ASSETS = Path(__file__).parents[1] / "assets"
JOURNEY = ("Data", "Model", "Scenario", "Solve", "Results")


def header(page: str) -> None:
    st.html(ASSETS / "style.css")
    work = session.current()
    done = {"Data"} if work is not None else set()
    if work is not None and work.scored is not None and not work.model_is_old:
        done.add("Model")
    if work is not None and work.scored is not None and running.current() is not None:
        done |= {"Scenario"}
    run = running.shown()
    if run is not None and run.over:
        done |= {"Solve"}
    steps = "".join(_step(i, name, name == page, name in done) for i, name in enumerate(JOURNEY, 1))
    facts = _asked() if work is None else _facts(work)
    st.html(f'<nav class="journey" aria-label="Where you are"><ol>{steps}</ol><div class="facts">{facts}</div></nav>')
    message = session.message(page)
    with st.container():  # always there, so that what follows keeps its place
        if message:
            kind, text = message
            {"error": st.error, "success": st.success, "info": st.info}[kind](text)


def _step(number: int, name: str, here: bool, done: bool) -> str:
    state = "here" if here else "done" if done else "ahead"
    current = ' aria-current="step"' if here else ""
    mark = "✓" if done else str(number)
    return f'<li class="{state}"{current}><span>{mark}</span>{name}</li>'


def _asked() -> str:
    """Without work at hand: what the run is about that the address brought back."""
    run = running.shown()
    return "Nothing opened yet" if run is None else " · ".join(escape(title) for title in (run.data_title, run.model_title))


def _facts(work: session.Work) -> str:
    parts = [escape(work.dataset.title), count(len(work.dataset.raw), "row")]
    if work.scored is not None:
        model = work.scored.model
        report = model.report
        parts.append(escape(model.title))
        if report is not None and report.auc is not None:
            parts.append(f"AUC {report.auc:.2f}" + ("" if report.held_out else " on rows it may know"))
        elif report is not None and report.r2 is not None:
            parts.append(f"R² {report.r2:.2f}")
    return " · ".join(parts)
