"""Rules between columns: a line each, to be written, corrected and taken out, with what it means for the group beside it."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from discover_core.problem.column_rules import ColumnRules
from discover_core.problem.rule_names import quoted
from discover_core.problem.rule_text import LONGEST
from discover_core.scenario.rule_facts import RuleFacts, rule_facts
from discover_core.table.schema import Column
from discover_core.table.values import as_text

from ..app import session
from ..app.draft import rule_problem
from ..app.text import plain
from .action_detail import group_key

ABOUT = (
    "Nobody may be changed so that a rule is broken. A rule holds somebody back if it forbids a value that one of their features "
    "could take on its own. Whoever breaks one today is left alone by it until one of its columns changes."
)


@st.fragment
def column_rules() -> None:
    work = session.current()
    if work is None or work.scored is None:
        return
    st.subheader("Rules between columns", help=ABOUT)
    before = work.draft.rules
    key = f"{work.id}-{session.version()}-{st.session_state.get('rules_turn', 0)}"
    made: list[str] = []
    with st.container(key="column-rules", gap="small"):
        for place, rule in enumerate(before):
            made += _line(work, rule, place, key)
        new = _new(work, key)
    made += [new] if new and new not in made else []
    if tuple(made) != before:
        session.ask(rules=tuple(made))
        if len(made) < len(before):
            st.session_state["rules_turn"] = st.session_state.get("rules_turn", 0) + 1  # the lines below move up
        st.rerun()
    if len(before) > 1 and not any(rule_problem(rule, work.schema) for rule in before):
        together = session.problem_of(lambda: ColumnRules.of(before, work.schema))
        if together:
            st.warning(plain(together))


def _line(work: session.Work, rule: str, place: int, key: str) -> list[str]:
    """One rule as a field, and beside it what is wrong with it or what it means; nothing once it is taken out."""
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", wrap=False):
            said = st.text_input(
                f"Rule {place + 1}", rule, LONGEST, key=f"rule-{key}-{place}", label_visibility="collapsed", width="stretch"
            ).strip()
            out = st.button(
                "", icon=":material/delete:", key=f"no-rule-{key}-{place}", help="Take this rule out", type="tertiary"
            )
        if said == rule and not out:
            problem = rule_problem(rule, work.schema)
            st.caption(f":orange[:material/warning:] {plain(problem)}" if problem else plain(_facts(work, rule).sentence))
    return [] if out or not said else [said]


def _new(work: session.Work, key: str) -> str:
    examples = _examples(work)
    with (
        st.form(f"new-rule-{key}", clear_on_submit=True, border=False),
        st.container(horizontal=True, vertical_alignment="bottom", wrap=False),
    ):
        said = st.text_input(
            "A new rule",
            max_chars=LONGEST,
            key=f"new-rule-text-{key}",
            placeholder=examples[0] if examples else None,
            width="stretch",
            help="Compare columns with <=, <, >=, >, = or !=, and add or multiply numbers. Put odd names into quotes.",
        )
        added = st.form_submit_button("Add", icon=":material/add:")
    if examples:
        st.caption(f"For example: {' · '.join(plain(example) for example in examples)}")
    return said.strip() if added else ""


def _facts(work: session.Work, rule: str) -> RuleFacts:
    """Worked out once for each rule, as long as the group and what may change stay the same, however hard it is."""
    allowed = tuple(replace(one, weight=1.0) for one in work.actions)
    kept: dict[str, RuleFacts] = session.memo("rule-facts", (*group_key(work), allowed), dict)
    if rule not in kept:
        kept[rule] = rule_facts(rule, work.study, work.actions)
    return kept[rule]


def _examples(work: session.Work) -> list[str]:
    """One of each kind, of columns that may change where there are such."""
    may = set(work.actions.editable)
    columns = sorted(work.schema.features, key=lambda column: column.name not in may)
    numbers = [column for column in columns if column.role == "numeric" and not column.date]
    categories = [column for column in columns if column.categorical]
    made = []
    if len(numbers) > 1:
        made.append(_comparison(numbers[0], numbers[1]))
    if numbers and categories:
        level, high = quoted(as_text(categories[0].levels[0]), False), numbers[0].high or 0
        made.append(f"if {_name(categories[0])} = {level} then {_name(numbers[0])} <= {high:g}")
    if len(numbers) > 1:
        made.append(f"{_name(numbers[0])} and {_name(numbers[1])} change together")
    return [example for example in made if rule_problem(example, work.schema) is None]


def _comparison(one: Column, other: Column) -> str:
    """Numbers of different units are compared by a rate."""
    least, most = sorted((one, other), key=lambda column: column.high or 0)
    rate = (most.high or 0) / least.high if one.unit != other.unit and least.high and least.high > 0 else 1.0
    times = f"{float(f'{rate:.0e}'):g} * " if rate >= 1.5 else ""
    return f"{_name(most)} <= {times}{_name(least)}" if times else f"{_name(one)} <= {_name(other)}"


def _name(column: Column) -> str:
    return quoted(column.name, False)
