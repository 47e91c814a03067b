"""Limits of the plan: how many people, how much of each, whom never and whom first; and by how much they fall short."""

from __future__ import annotations

import numpy as np
import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.budget import FAR, Budget
from discover_core.problem.budget_words import falls_short

from ..app import plan_people, session
from ..app.draft import RANKED
from ..app.text import plain

NO_LIMIT = "No limit"
ABOUT_EFFORT = "Effort is the length of a person's change: 1 is one standard deviation of a number, or one category switched."
NAMED = 3  # unknown people that a sentence names
PER_PERSON, IN_ALL = "Effort per person, at most", "Effort in all, at most"


@st.fragment
def plan_limits() -> None:
    work = session.current()
    if work is None or work.scored is None:
        return
    st.markdown("What can be done for the group? A field left empty is no limit.")
    key, before = f"{work.id}-{session.version()}", work.draft.budget
    first, second, third, fourth = st.columns(4, vertical_alignment="bottom")
    with first:
        people = _whole("At most so many people", before.people, f"most-people-{key}", "How many people may change in all.")
    with second:
        words = "How many of a person’s features may change."
        features = _whole("Features per person, at most", before.features, f"most-features-{key}", words)
    with third:
        effort = _number(PER_PERSON, before.effort, f"most-effort-{key}", ABOUT_EFFORT)
    with fourth:
        words = f"Everybody's effort together. {ABOUT_EFFORT}"
        total = _number(IN_ALL, before.total_effort, f"most-in-all-{key}", words)
    for label in [label for label, said in ((PER_PERSON, effort), (IN_ALL, total)) if said == 0]:
        st.warning(f"“{label}”: with 0 nobody could change, so it counts as no limit. Give more than 0, or empty the field.")
    left, right = st.columns(2)
    with left:
        untouched, unknown = _untouched(work, key)
    with right:
        ranked = _first(work, key)
    made = Budget(people, features, effort or None, total or None, untouched, ranked)
    if unknown:
        words = ", ".join(f"“{plain(word)}”" for word in unknown[:NAMED]) + (" …" if len(unknown) > NAMED else "")
        kept = " The others are kept." if untouched else ""
        st.warning(f"Nobody in the group is called {words}: correct it, or take it out.{kept}")
    elif problem := session.problem_of(lambda: plan_people.check(work)) if made == before else None:
        st.warning(plain(problem))
    _short(work, made)
    if made != before:
        session.ask(budget=made)
        st.rerun()  # the tools above speak of the question as it stands


def _whole(label: str, value: int | None, key: str, words: str) -> int | None:
    return st.number_input(label, 1, value=value, step=1, key=key, help=words, placeholder=NO_LIMIT)


def _number(label: str, value: float | None, key: str, words: str) -> float | None:
    return st.number_input(label, 0.0, FAR, value=value, step=0.5, format="%g", key=key, help=words, placeholder=NO_LIMIT)


def _untouched(work: session.Work, key: str) -> tuple[tuple[int | str, ...], list[str]]:
    """Whom the field names, and the words in it that name nobody. As long as nobody writes in it, those of the draft."""
    field, kept = f"untouched-{key}", work.draft.budget.untouched
    shown = plan_people.as_text(work, kept)
    if field not in st.session_state:
        st.session_state[field] = shown
    named = f"Their {plain(work.people)}" if work.people is not None else "Their rows"
    said = st.text_input(
        "Must not be touched",
        key=field,
        placeholder="Nobody",
        help=f"{named}, separated by commas. They stay as they are. “Row 7” is the seventh row of your table.",
    )
    if said == shown:
        return kept, []
    return plan_people.read(work, said)


def _first(work: session.Work, key: str) -> str | None:
    chosen = work.draft.budget.first
    fit = [column for column in work.schema if column.role in RANKED or column.ranking or column.name == chosen]
    names = [column.name for column in fit if column.name != work.schema.outcome or column.name == chosen]
    return st.selectbox(
        "Help first those with the highest …",
        names,
        index=names.index(chosen) if chosen in names else None,
        key=f"help-first-{key}",
        placeholder="No order",
        help="When not everybody can be helped, those with the highest value in this column come first.",
    )


def _short(work: session.Work, budget: Budget) -> None:
    """What so few people can reach at best; nothing if that is enough, or if the outcome itself is not clear yet."""
    if budget.people is None and not budget.untouched:
        return
    try:
        wish, scores = work.wish, work.study.group_scores
    except InputError:
        return
    untouched = np.isin(work.group, [label for label in budget.untouched if isinstance(label, int)])
    said = falls_short(budget, wish, scores, untouched)
    if said is not None:
        st.warning(plain(said), icon=":material/groups:")
