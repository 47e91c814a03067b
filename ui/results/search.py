"""Scores, features, the search itself, and who bears it: the other views of a result."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from discover_core.errors import InputError
from discover_core.figures import dynamics, features, impact, outputs, transition
from discover_core.figures import group_differences as differences
from discover_core.figures.selection import named_in
from discover_core.outcome.group_differences import Measure, group_differences, grouped, largest_difference
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.store.files import data_files
from discover_core.store.run_progress import RunProgress

from ..app import session, tab_runs
from ..app.choice import choose_one
from ..app.text import plain
from .marked_people import chart, marked

FEATURES = 6  # drawn at first
MEASURES: dict[Measure, str] = {
    "changed": "How often people change",
    "effort": "Effort of everybody",
    "movers_effort": "Effort of those who change",
    "success": "Success",
}


def scores(found: RunOutcome) -> None:
    about = "For every score, the share of people who have at most that score. A box picks people by their score after."
    st.subheader("Scores before and after", help=about)
    dark = st.context.theme.type == "dark"
    shown = (found.group.outputs, found.group.target, found.outputs)
    past = found.scenario.target.past
    threshold = None if past is None else past.tau
    band = outputs.band_of(len(found.outputs), found.group.target, found.scenario.bounds)
    figure = outputs.outputs_figure(
        *shown,
        now_name="After",
        band=band,
        marked=marked(),
        labels=found.names,
        dark=dark,
        threshold=threshold,
        height=440,
        selectable=True,
    )
    data = partial(outputs.table, *shown, band=band, threshold=threshold, labels=found.names)
    choose = partial(outputs.people_in, factual=found.group.outputs, now=found.outputs)
    chart(figure, "scores", outputs.caption(*shown, band), data, choose)


def feature_by_feature(found: RunOutcome, key: str) -> None:
    about = "Before in grey, after in blue; those that moved most come first. A box on a line picks people by their value after."
    st.subheader("Feature by feature", help=about)
    parts = (found.before, found.after, found.schema, found.changed)
    changed: list[str] = session.memo("changed", key, lambda: features.those_changed(*parts))
    if not changed:
        st.info("No feature changes.")
        return
    every = len(changed) <= FEATURES or st.toggle(f"Show all {len(changed)} features that change", key=f"every-{key}")
    dark = st.context.theme.type == "dark"
    shown = changed if every else changed[:FEATURES]
    for start in range(0, len(shown), 2):
        for place, name in zip(st.columns(2, gap="large"), shown[start : start + 2], strict=False):
            with place:
                st.markdown(f"**{plain(name)}**")
                column, before, after = found.schema[name], found.before[name], found.after[name]
                figure = features.feature_figure(before, after, column, marked=marked(), labels=found.names, dark=dark)
                data = partial(features.table, before, after, column, labels=found.names)
                at = found.schema.feature_names.index(name)
                choose = partial(features.people_in, before=before, after=after, column=column)
                chart(figure, f"feature-{at}", features.caption(before, after, column), data, choose)


def search(found: RunOutcome, key: str) -> None:
    progress = found.progress
    iterations, matrix = progress.numbers("iteration"), session.memo("impact", key, lambda: np.array(progress.impact))
    st.subheader("When it became feasible", help="Yellow: both limits within their bounds. Purple: not yet.")
    q, q_x, q_y = (progress.numbers(name) for name in ("q", "q_x", "q_y"))
    feasible = progress.numbers("feasible").astype(bool)
    chart(
        transition.transition_figure(iterations, q, q_x, q_y, feasible),
        "transition",
        transition.caption(iterations, q_x, q_y, feasible),
        partial(transition.table, iterations, q, q_x, q_y, feasible),
    )
    st.subheader("Who weighed most, and when", help="Each person's part of Q (q_i). White dots: the people picked for change.")
    orders: dict[impact.Order, str] = {
        "frequency": "Most often picked, each iteration on its own scale",
        "initial": "Largest at the start, one scale",
    }
    with st.container(horizontal=True, vertical_alignment="bottom"):
        order = choose_one("Order", orders, "frequency", f"order-{key}", persist_state="session")
        most = len(found.outputs)
        rows = st.number_input("People", 1, most, min(30, most), step=10, key=f"rows-{key}", width=140, persist_state="session")
    about: Any = {"order": order, "rows": int(rows), "labels": found.names, "marked": marked()}
    scale: impact.Scale = "iteration" if order == "frequency" else "global"
    figure = impact.impact_figure(iterations, matrix, progress.selected, scale=scale, **about)
    data = partial(impact.table, iterations, matrix, list(progress.selected), labels=found.names)
    chart(figure, "impact", impact.caption(iterations, matrix, progress.selected, **about), data, named_in)
    st.subheader("The run over its iterations", help="Runs of the same question with other seeds are drawn as mean and band.")
    courses = [_course(other) for other in (progress, *_other_seeds(progress))]
    chart(dynamics.dynamics_figure(courses), "dynamics", dynamics.caption(courses), partial(dynamics.table, courses))


def _course(progress: RunProgress) -> dynamics.RunCurves:
    name = f"{progress.run.name}, seed {progress.scenario.settings.seed} ({progress.run.id[:4]})"
    iterations, q_x, q_y, q, eta = (progress.numbers(part) for part in ("iteration", "q_x", "q_y", "q", "eta"))
    return dynamics.RunCurves(iterations, q_x, q_y, q, eta, name=name)


def _other_seeds(progress: RunProgress) -> list[RunProgress]:
    """Runs of this tab that asked the same with another seed; of several with one seed, the newest."""
    asked, seed = progress.run.question.without_seed
    others = {}
    for run in reversed(tab_runs.mine()):
        if run.done > 0:
            with suppress(InputError):  # it cannot be read any more
                others[run.question.without_seed] = run
    same = [run for (question, other), run in others.items() if question == asked and other != seed]
    store = tab_runs.store()
    opened: list[RunProgress] = session.memo("seeds", tuple(same), lambda: [RunProgress.open(store, run.id) for run in same])
    return opened


def who_bears_it(found: RunOutcome, key: str) -> None:
    st.subheader("Who bears it", help="Differences between groups of people, with 95% intervals. They do not say why.")
    raw = session.memo("raw", found.progress.run.id, lambda: found.raw(data_files()))
    called = found.scenario.people
    names = [column.name for column in found.schema if column.name in raw.columns and column.name != called]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.selectbox("Groups by", names, key=f"by-{key}", width=320, persist_state="session")
        measure = st.selectbox("Look at", list(MEASURES), format_func=MEASURES.__getitem__, key=f"measure-{key}", width=320)
    if measure == "success":
        st.caption(plain(f"Success is {found.scenario.target.success_words}."))
    groups = grouped(raw[name].reset_index(drop=True), found.schema[name])
    table = group_differences(found, groups)
    difference = largest_difference(found, groups, measure)
    dark = st.context.theme.type == "dark"
    figure = differences.differences_figure(table, measure, groups=groups, marked=marked(), dark=dark)
    choose = partial(differences.people_in, table=table, groups=groups)
    chart(figure, "differences", differences.caption(table, measure, difference), partial(differences.table, table), choose)
