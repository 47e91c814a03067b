"""The trade-off: how far fewer people get, the price of one more, and the plan at any point of it, without a new run."""

from __future__ import annotations

from functools import partial

import streamlit as st

from discover_core.figures import tradeoff as figures
from discover_core.figures.selection import Selection
from discover_core.figures.text import amount
from discover_core.outcome.list_of_changes import plan_table
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.tradeoff import limited
from discover_core.outcome.tradeoff_words import price

from ..app import session
from ..app.choice import choose_one
from ..app.text import count
from .marked_people import chart
from .plan_list import MANY_ROWS, downloads, plan_list, the_rest

ABOUT = "People are helped one after the other. Click the line, or move the slider, to see the plan for fewer of them."
EFFORT = "Effort is the length of a person's change: 1 is one standard deviation of a number, or one category switched."
AXES: dict[figures.Against, str] = {"people": "People changed", "effort": "Effort in all"}


@st.fragment
def tradeoff(found: RunOutcome, key: str) -> None:
    st.subheader("How far fewer get", help=ABOUT)
    everybody, lines = len(found.order), found.tradeoff
    if not everybody:
        st.info("Nobody changes in the best iteration, so there is no trade-off.")
        return
    slider = f"tradeoff-people-{key}"
    st.session_state.setdefault(slider, everybody)
    left, right = st.columns([3, 1], gap="large")
    with left, st.container(horizontal=True, vertical_alignment="bottom"):
        against = choose_one("Against", AXES, "people", f"tradeoff-against-{key}", persist_state="session")
        helped = st.slider(
            "People in the plan",
            0,
            everybody,
            key=slider,
            persist_state="session",
            help="In the order they are helped.",
        )
    with left:
        dark = st.context.theme.type == "dark"
        figure = figures.tradeoff_figure(lines, found.group.wish, chosen=helped, against=against, dark=dark)
        words = figures.caption(lines, found.group.wish, helped)
        chart(figure, f"tradeoff-{against}", words, partial(figures.table, lines), clicked=partial(_move, slider))
    with right:
        _price(found, helped)
    _plan(found, helped, key)


def _move(slider: str, selection: Selection) -> None:
    """A click on the line moves the slider there."""
    helped = figures.people_at(selection)
    if helped is not None:
        st.session_state[slider] = helped


def _price(found: RunOutcome, helped: int) -> None:
    next_one = price(found.tradeoff, helped)
    st.markdown("**The price of one more person**")
    if next_one is None:
        most = found.group.budget.people
        used = most is not None and helped >= most
        st.caption(f"The limit of {count(most or 0, 'person', 'people')} is used up." if used else "Nobody else is in the plan.")
        return
    who = next_one.whom
    st.metric("Takes", f"{amount(next_one.effort)} effort", help=f"The effort of {who}. {EFFORT}")
    st.metric("Brings", next_one.brings, help=f"What {who} adds to what is asked.")


def _plan(found: RunOutcome, helped: int, key: str) -> None:
    """Those who are in it, first helped first."""
    people = found.order[:helped]
    if not len(people):
        st.caption("With nobody there is no plan.")
        return
    first = session.memo("tradeoff-plan", key, lambda: plan_table(found, found.order[:MANY_ROWS]))  # no more are listed
    plan_list(first.loc[people[:MANY_ROWS]], bool(found.group.named), f"tradeoff-plan-{key}")
    with st.container(horizontal=True, vertical_alignment="center"):
        who = count(len(people), "person", "people")
        st.caption(f"{who} of {len(found.order):,} who change, first helped first{the_rest(helped)}.", width="stretch")
        file = f"discover-plan-{len(people)}"
        downloads(lambda: limited(found, helped), people.tolist(), f"tradeoff-{key}", file, f"The plan with {who}.")
