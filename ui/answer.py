"""The answer of a run in one sentence, and its numbers, each with what it means."""

from __future__ import annotations

import math
from typing import Any

import streamlit as st

from discover_core.figures.text import amount, percent
from discover_core.runs.finished import Finished
from discover_core.runs.words import outcome

from . import running
from .ending import feasible_since, trouble, verdict
from .text import plain

EVEN = 0.5  # the threshold of a probability when the target names none


def answer(found: Finished) -> None:
    watched, told = found.watched, running.answered(found.watched)
    run, since = watched.run, feasible_since(found.watched)
    trouble(run)
    if not run.over:
        st.info("The run is not over: this is its best iteration so far.", icon=":material/hourglass_top:")
    else:
        said = outcome(run, len(found.outputs), found.scenario.bounds.band, told, since)
        verdict(watched, plain(said), told)
    if told is not None:
        st.markdown(plain(told["sentence"]))
    _numbers(found, told or {})


def _numbers(found: Finished, told: dict[str, Any]) -> None:
    measured = told.get("metrics") or {}
    n, tau = len(found.outputs), getattr(found.scenario.target, "tau", EVEN if found.head.interval == (0, 1) else None)
    achieved = told.get("achieved")
    shown = []
    if told:
        why = "The largest confidence, on each side, at which both limits still hold for the answer (P)."
        shown.append(("Confidence reached", _sure(achieved), why))
    shown += [
        ("People changed", f"{len(found.movers):,} of {n:,}", "Those with at least one value other than before."),
        ("Values changed", f"{int(found.changed.sum()):,}", "Cells of the table that differ from before."),
    ]
    if tau is not None:
        before, after = float((found.head.outputs >= tau).mean()), float((found.outputs >= tau).mean())
        help_text = f"The share of the group with a score of at least {tau:g}, before and after."
        shown.append((f"Score at least {tau:g}", f"{percent(before)} → {percent(after)}", help_text))
    if measured:
        shown += [
            (
                "OT(x)",
                amount(measured["ot_x"]),
                "How far the group is from how it was: squared sliced distance over slices no search saw.",
            ),
            ("OT(y)", amount(measured["ot_y"]), "How far the scores are from the target: squared distance."),
            ("MMD", amount(measured["mmd"]), "Another distance between the group before and after (squared, Gaussian kernel)."),
            (
                "AReS cost",
                amount(measured["ares_cost"]),
                "The size of all changes: numbers as shares of their range, categories as one half.",
            ),
        ]
    for start in range(0, len(shown), 4):
        for place, (label, value, why) in zip(st.columns(4), shown[start : start + 4], strict=False):
            place.metric(label, value, help=why, border=True)


def _sure(achieved: float | None) -> str:
    if achieved is None:
        return "none"
    return "over 99.99%" if achieved >= 0.9999 else f"{math.floor(10_000 * achieved) / 100:.2f}%"
