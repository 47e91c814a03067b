"""The target "look like another group": everybody, the rest of the table, or rows chosen by rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.targets import ReferenceGroup, TargetSpecification
from discover_core.table import Cohort, Rule
from discover_core.table.cohort import Side

from ..app import session
from ..app.choice import choose_at_most_one
from ..app.group_rules import first_rule, rule_fields
from ..app.text import count, plain
from .target_memory import TargetMemory, Whom

SCORES: dict[Side, str] = {"above": "Score above", "below": "Score below"}
WHOM: dict[Whom, str] = {"everybody": "Everybody", "rest": "All others", "rules": "People I choose"}


def reference(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    assert isinstance(specification, ReferenceGroup)
    others = work.cohort.complement()
    now: Whom = "everybody" if specification.cohort == Cohort() else "rest" if specification.cohort == others else "rules"
    if memory.whom == "rules" or now == "rules":
        now, memory.chosen = "rules", specification.cohort
    whom = st.segmented_control(
        "Whose scores should the group's look like",
        [w for w in WHOM if w != "rest" or others is not None],
        format_func=WHOM.__getitem__,
        default=now,
        required=True,
        key=f"whom-{key}",
        help="“All others” are the rows of the table that the group's rules leave out.",
    )
    memory.whom = whom
    if whom == "everybody":
        cohort = Cohort()
    elif whom == "rest" and others is not None:
        cohort = others
    else:
        cohort = memory.chosen = _chosen(work, memory, key)
    _found(work, cohort)
    return ReferenceGroup(cohort)


def _chosen(work: session.Work, memory: TargetMemory, key: str) -> Cohort:
    """Rules as on the Data page, and the side of a score."""
    usable = [column for column in work.schema if column.role != "excluded"]
    cohort, turn = memory.chosen, memory.turn
    rules: list[Rule] = []
    removed = None
    for i, rule in enumerate(cohort.rules):
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"reference-rule-{i}"):
            rules.append(rule_fields(rule, usable, f"reference-{key}-{turn}-{i}"))
            if st.button("Remove", icon=":material/delete:", key=f"reference-remove-{key}-{turn}-{i}"):
                removed = i
    if st.button("Add a rule", icon=":material/add:", key=f"reference-add-{key}", disabled=not usable):
        used = {rule.column for rule in rules}
        rules.append(first_rule(next((column for column in usable if column.name not in used), usable[0])))
        removed = -1
    about = "Choose neither to take people of any score."
    side = choose_at_most_one("Their score", SCORES, cohort.score_side, f"reference-side-{key}", about)
    value = cohort.score_value
    if side is not None:
        shown = st.number_input(
            "Value", value=float(value), step=work.score_step, format="%.10g", key=f"reference-score-{key}", width=180
        )
        value = value if shown is None else shown
    made = replace(cohort, rules=tuple(rules), score_side=side, score_value=value)
    if removed is None:
        return made
    if removed >= 0:
        made = replace(made, rules=tuple(rule for i, rule in enumerate(rules) if i != removed))
        memory.turn += 1
    session.ask(target=ReferenceGroup(made))
    st.rerun()


def _found(work: session.Work, cohort: Cohort) -> None:
    """How many rows match; what is wrong with a rule is said in the place of the chart."""
    try:
        rows = cohort.rows(work.dataset.ready, work.schema, work.scores)
    except InputError:
        return
    same = len(np.intersect1d(rows, work.group, assume_unique=True))
    also = f", {same:,} of them in the group itself" if same else ""
    st.markdown(f"**{len(rows):,} of {count(len(work.scores), 'row')} match**{plain(also)}")
