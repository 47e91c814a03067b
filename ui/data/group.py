"""The cohort builder: rules, the model's score, a sample; and live how many rows match."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from discover_core.table import Cohort, Rule
from discover_core.table.cohort import Match, Side
from discover_core.table.write import to_csv

from ..app import session
from ..app.choice import choose_at_most_one, choose_one
from ..app.group_rules import everybody_button, first_rule, rule_fields
from ..app.text import count, plain

SHOWN = 100


@st.fragment
def group_builder() -> None:
    work = session.current()
    if work is None:
        return
    question = st.container()
    with st.container():  # one for each part, so that a rule more or less moves nothing else
        cohort = _rules(work)
    with st.container():
        cohort = _score(work, cohort)
    with st.container():
        if replace(work, cohort=cohort).decided:
            cohort = _sample(work, cohort)
    if cohort != work.cohort:
        session.update(cohort=cohort)
        work = session.current() or work
    with st.container():
        if work.decided:
            _answer(work)
    with question:  # drawn last: a rule just made has answered it
        if not work.decided:
            st.markdown(session.UNDECIDED)
            everybody_button("data")


def _rules(work: session.Work) -> Cohort:
    usable = [c for c in work.schema if c.role != "excluded"]
    version = st.session_state.setdefault("rules_version", 0)
    rules: list[Rule] = []
    for i, rule in enumerate(work.cohort.rules):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"rule-{i}"):
            made = rule_fields(rule, usable, f"{work.id}-{version}-{i}")
            if st.button("Remove", icon=":material/delete:", key=f"remove-{work.id}-{version}-{i}"):
                kept = tuple(r for j, r in enumerate(work.cohort.rules) if j != i)
                session.update(cohort=replace(work.cohort, rules=kept))
                st.session_state["rules_version"] = version + 1
                st.rerun(scope="fragment")
        rules.append(made)
    match = work.cohort.match
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Add a rule", icon=":material/add:", key=f"add-rule-{work.id}", disabled=not usable):
            session.update(cohort=replace(work.cohort, rules=(*rules, first_rule(usable[0]))))
            st.rerun(scope="fragment")
        if len(rules) > 1:
            options: dict[Match, str] = {"all": "All rules must hold", "any": "Any rule is enough"}
            match = choose_one("Match", options, match, f"match-{work.id}", label_visibility="collapsed")
    return replace(work.cohort, rules=tuple(rules), match=match)


def _score(work: session.Work, cohort: Cohort) -> Cohort:
    if work.scored is None:
        st.caption("Once there is a model, you can also choose people by its score.")
        return cohort if cohort.score_side is None else replace(cohort, score_side=None)
    options: dict[Side | None, str] = {None: "Any score", "above": "Score above", "below": "Score below"}
    low, high = float(work.scored.scores.min()), float(work.scored.scores.max())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = f"The score is the {plain(work.scored.model.output)}."
        side = choose_at_most_one("The model's score", options, cohort.score_side, f"side-{work.id}", about)
        if side is None:
            return replace(cohort, score_side=None)
        value = st.number_input(
            "Value",
            value=float(cohort.score_value),
            step=(high - low) / 100 or 0.01,
            format="%.3g",
            key=f"score-{work.id}",
            width=180,
        )
    return replace(cohort, score_side=side, score_value=value)


def _sample(work: session.Work, cohort: Cohort) -> Cohort:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.toggle("Take a random sample of them", value=cohort.sample is not None, key=f"sampled-{work.id}")
        if not wanted:
            return replace(cohort, sample=None)
        size = st.number_input("Rows", value=cohort.sample or 200, min_value=1, step=50, key=f"size-{work.id}", width=160)
        seed = st.number_input(
            "Seed",
            value=cohort.seed,
            min_value=0,
            step=1,
            key=f"seed-{work.id}",
            width=140,
            help="The same seed takes the same rows.",
        )
    return replace(cohort, sample=int(size), seed=int(seed))


def _answer(work: session.Work) -> None:
    sentence = session.problem_of(lambda: work.group)
    if sentence:
        st.error(plain(sentence))
        return
    total, found, group = len(work.dataset.raw), len(work.study.population), work.group
    if not found:
        st.warning("No row matches. Loosen a rule, or remove one.")
        return
    sampled = f", {count(len(group), 'row')} of them drawn at random" if len(group) < found else ""
    st.markdown(f"#### {found:,} of {count(total, 'row')} match{sampled}")
    rows = work.dataset.raw.iloc[group[:SHOWN]]
    st.dataframe(rows, height=220, hide_index=False, key=f"group-{work.id}", alt="The first rows of the group.")
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(group) > SHOWN:
            st.caption(f"The first {SHOWN} of {len(group):,} rows.", width="stretch")
        st.download_button(
            "Download the group (CSV)",
            lambda: to_csv(work.dataset.raw.iloc[group]),
            "group.csv",
            "text/csv",
            key=f"download-{work.id}",
            on_click="ignore",
        )
