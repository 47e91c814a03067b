"""The quick pass: feature by feature, could a person change this? Every answer holds at once, so it may be left at any time."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from discover_core.problem.actionability import Allowed
from discover_core.problem.words import allowed_sentences
from discover_core.table import Column
from discover_core.table.schema import Action
from discover_core.table.values import as_text

from ..app import session
from ..app.text import count, plain

A_MINUTE = 12  # features that one answers in about a minute
VALUES = 6  # categories that are named
BOTH_WAYS: dict[Action, str] = {"locked": "No", "free": "Yes, both ways", "increase": "Only up", "decrease": "Only down"}
EITHER: dict[Action, str] = {"locked": "No", "free": "Yes"}
ICONS: dict[Action, str] = {"locked": "lock", "free": "swap_vert", "increase": "arrow_upward", "decrease": "arrow_downward"}


def answers(column: Column) -> dict[Action, str]:
    """What can be said of a feature: up and down only where it has them."""
    return BOTH_WAYS if column.directed else EITHER


def values_words(column: Column, now: str) -> list[str]:
    """What its values look like: what the group has, some of its categories, and which way is up."""
    said = [f"In the group: {now}{'' if now.endswith('…') else '.'}"]
    if column.role == "nominal" and len(column.choices) > 2:
        more = " …" if len(column.choices) > VALUES else ""
        said.append(f"It can be {', '.join(map(as_text, column.choices[:VALUES]))}{more or '.'}")
    if column.ranking:
        said.append(f"Up is: {' → '.join(as_text(level) for level in column.ranking)}.")
    return said


def time_words(features: int) -> str:
    minutes = round(features / A_MINUTE)
    return "a minute" if minutes <= 1 else f"about {minutes} minutes"


def invitation(work: session.Work, now: dict[str, str]) -> None:
    """Above a table whose columns nobody has gone through before."""
    n = len(work.schema.features)
    with st.container(horizontal=True, vertical_alignment="center", key="quick-pass"):
        st.markdown(f"{count(n, 'feature')}: go through them one by one, it takes {time_words(n)}.", width="content")
        quick_pass_button(work, now, "Go through them")


def quick_pass_button(work: session.Work, now: dict[str, str], label: str, quiet: bool = False) -> None:
    """Begins the quick pass, or goes on with it; `now` says by feature what the group has."""
    if st.button(
        label,
        icon=":material/checklist:",
        type="tertiary" if quiet else "secondary",
        key=f"quick-pass-{work.id}",
        help="Asks of each feature whether a person could change it. You can stop at any time: answers are kept.",
    ):
        _questions(now)


@st.dialog("Could a person change this?", width="medium", on_dismiss="rerun")
def _questions(now: dict[str, str]) -> None:
    work = session.current()
    if work is None:
        return
    columns, at = work.schema.features, _place(work)
    if at >= len(columns):
        _end(work)
        return
    column = columns[at]
    st.progress(at / len(columns), text=f"{at + 1} of {len(columns)}")
    unit = f" ({plain(column.unit)})" if column.unit else ""
    st.markdown(f"### {plain(column.name)}{unit}")
    if column.label:
        st.markdown(plain(column.label))
    st.caption("  \n".join(plain(said) for said in values_words(column, now.get(column.name, ""))))
    if column.lever:
        st.info(plain(column.lever), icon=":material/lightbulb:")
    _choices(work, column, work.actions[column.name])
    with st.container(horizontal=True, horizontal_alignment="distribute", key="quick-pass-steps"):
        st.button(
            "Back", icon=":material/arrow_back:", disabled=at == 0, key=f"quick-back-{work.id}", on_click=_go, args=(at - 1,)
        )
        st.button(
            "Skip",
            icon=":material/arrow_forward:",
            icon_position="right",
            key=f"quick-skip-{work.id}",
            help="It stays as it is marked.",
            on_click=_go,
            args=(at + 1,),
        )


def _choices(work: session.Work, column: Column, rule: Allowed) -> None:
    """One large button per answer; the one that holds now is filled."""
    offered = list(answers(column).items())
    places = [place for _ in offered[::2] for place in st.columns(2)]
    for place, (mode, word) in zip(places, offered, strict=True):
        place.button(
            word,
            icon=f":material/{ICONS[mode]}:",
            type="primary" if mode == rule.mode else "secondary",
            width="stretch",
            key=f"quick-{mode}-{work.id}",
            on_click=_answer,
            args=(column.name, mode),
        )


def _end(work: session.Work) -> None:
    st.progress(1.0, text="All of them")
    st.markdown(" ".join(plain(sentence) for sentence in allowed_sentences(work.actions)))
    with st.container(horizontal=True, key="quick-pass-end"):
        if st.button("Done", type="primary", icon=":material/check:", key=f"quick-done-{work.id}"):
            _go(0)
            st.rerun()
        st.button("Start again", type="tertiary", key=f"quick-again-{work.id}", on_click=_go, args=(0,))


def _place(work: session.Work) -> int:
    """The feature to ask about next: where one left off, also after closing in the middle."""
    return int(st.session_state.get(f"quick-pass-place-{work.id}", 0))


def _go(place: int) -> None:
    work = session.current()
    if work is not None:
        st.session_state[f"quick-pass-place-{work.id}"] = max(place, 0)


def _answer(name: str, mode: Action) -> None:
    work = session.current()
    if work is None:
        return
    rules = tuple(replace(rule, mode=mode) if rule.name == name else rule for rule in work.actions)
    session.update(actions=replace(work.actions, allowed=rules))
    _go(_place(work) + 1)
