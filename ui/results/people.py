"""Who changes what: the plan, the arrows from before to after, and how unusual people are."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from discover_core.figures import arrows, usual
from discover_core.figures.selection import named_in
from discover_core.outcome.list_of_changes import plan_table, search
from discover_core.outcome.outcome import Outcome

from ..app import session
from ..app.text import count
from .marked_people import chart, mark, marked
from .plan_list import MANY_ROWS, UNUSUAL_HELP, downloads, plan_list, the_rest

PROJECTION = "A projection of all features"


def plan(found: Outcome, key: str) -> None:
    """One line per person who changes; once people are marked, only theirs. Lines that are ticked can be marked."""
    if not len(found.movers):
        st.info("Nobody changes in the best iteration, so there is no plan.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.text_input(
            "Search the plan",
            key=f"search-{key}",
            placeholder="A person, a feature, a value",
            width="stretch",
            persist_state="session",
        )
        least = st.number_input(
            "Effort at least",
            min_value=0.0,
            value=0.0,
            step=0.5,
            key=f"least-{key}",
            width=160,
            persist_state="session",
            help="Effort is the length of a person's change: 1 is one standard deviation of a number, or one category switched.",
        )
    people, picked = found.by_effort, marked()
    if picked:
        people = people[np.isin(people, picked)]
    people = people[found.effort[people] >= least]
    people = people[session.memo("plan-search", (key, wanted, picked, least), lambda: search(found, people, wanted))]
    first = people[:MANY_ROWS]
    listed = hash(tuple(first.tolist()))  # a tick belongs to a place in the list, so another list has none
    shown = session.memo("plan", (key, listed), lambda: plan_table(found, first))  # no more are listed
    named = bool(found.group.named)
    event = plan_list(shown, named, f"plan-{key}-{listed}", on_select="rerun", selection_mode="multi-row")
    chosen = [int(shown.index[at]) for at in event["selection"]["rows"] if at < len(shown)]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f"{count(len(people), 'person', 'people')} of {len(found.movers):,} who change{the_rest(len(people))}.",
            width="stretch",
        )
        if chosen and st.button(f"Mark {count(len(chosen), 'person', 'people')} everywhere", key=f"mark-{key}"):
            mark(chosen)
            st.rerun()
        downloads(lambda: found, people.tolist(), key)


def moves(found: Outcome, key: str) -> None:
    st.subheader("From before to after", help="An arrow per person who changes; its colour is the change of the score.")
    names = [column.name for column in found.schema.features]
    places = st.columns(3)
    x = places[0].selectbox("Across", [PROJECTION, *names], key=f"across-{key}", persist_state="session")
    y = places[1].selectbox("Up", [PROJECTION, *names], key=f"up-{key}", persist_state="session")
    ordered = [column.name for column in found.schema.features if column.role != "nominal"]
    size = places[2].selectbox("Size", ["The same for all", *ordered], key=f"size-{key}", persist_state="session")
    both = x != PROJECTION and y != PROJECTION
    if not both and (x != PROJECTION or y != PROJECTION):
        st.caption("Choose a feature for both axes; until then the projection is drawn.")
    points = None if both else session.memo("points", key, lambda: found.points)
    given = (found.before, found.after, found.group.outputs, found.outputs, found.schema)
    over = (x if both else None, y if both else None, size if size in names else None)
    change = session.memo("change", (key, *over), lambda: arrows.Change(*given, *over, points))
    dark, people = st.context.theme.type == "dark", marked()
    figure, caption = session.memo(
        "arrows",
        (key, *over, people, dark),
        lambda: (
            arrows.arrows_figure(change, marked=people, labels=found.names, dark=dark),
            arrows.caption(change, marked=people),
        ),
    )
    chart(figure, "arrows", caption, partial(arrows.table, change, labels=found.names), named_in)


def unusual(found: Outcome) -> None:
    """Runs of before kept nobody to compare with, and have no such figure."""
    if found.group.usual is None or not len(found.movers):
        return
    st.subheader("How unusual they are", help=f"A dot per person who changes. {UNUSUAL_HELP}")
    shares, changed = found.usual_movers, found.changed.any(axis=1)
    dark = st.context.theme.type == "dark"
    figure = usual.usual_figure(*shares, changed=changed, labels=found.names, marked=marked(), dark=dark)
    data = partial(usual.table, *shares, changed=changed, labels=found.names)
    chart(figure, "unusual", usual.caption(*shares, changed=changed), data, named_in)
