"""Audit it: whether part of the group is left to test the answer on, and how tight its limits can get."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from discover_core.certificate import share_limit
from discover_core.errors import InputError
from discover_core.figures.text import amount, percent
from discover_core.policy.audit import finest, finest_outputs
from discover_core.policy.parts import Parts
from discover_core.problem.audit_plan import AuditPlan, PolicyKind

from ..app import session
from ..app.choice import choose_one
from ..app.text import count

KINDS: dict[PolicyKind, str] = {"personal": "For each person", "programmes": "A few shared measures"}
ABOUT_KINDS = (
    "For each person: everybody is told their own least change. A few shared measures: everybody gets the cheapest of them that "
    "works for them, or none."
)
FEWEST = 20  # people in the group: fewer cannot be split


def audit_form(work: session.Work, key: str) -> None:
    """The switch, and beneath it what it takes."""
    audit = st.toggle(
        "Audit it",
        work.audited,
        f"audit-{key}",
        "Part of the group, chosen at random, is kept apart. A policy is learnt from the others and tried on them. What it does "
        "there holds for new people like these, with the confidence above.",
    )
    if audit != work.audited:
        session.ask(audited=audit)
        st.rerun()
    if not audit:
        st.caption("Without an audit the certificate speaks of the people that were tuned, and promises nothing of new ones.")
        return
    plan = _asked(work.draft.audit, key)
    if plan != work.draft.audit:
        session.ask(audit=plan)
        st.rerun()
    _how_tight(work, plan)


def _asked(plan: AuditPlan, key: str) -> AuditPlan:
    first, second, third, fourth = st.columns([1, 1, 2, 1])
    share = first.number_input(
        "Kept apart (%)",
        value=round(100 * plan.share),
        min_value=10,
        max_value=90,
        step=5,
        key=f"audit-share-{key}",
        help="So many of the group are left for the audit. More of them make its statement tighter, fewer are left to learn "
        "from. With a model trained here only people it did not learn from are audited, a quarter of the table: it knows "
        "the others.",
    )
    effort = second.number_input(
        "Nobody changes by more than",
        value=plan.effort,
        min_value=0.1,
        step=0.5,
        format="%.3g",
        key=f"audit-effort-{key}",
        help="The most effort of one person: 1 is one standard deviation of a number, or one category switched. The "
        "limit on how far the group moves rests on it.",
    )
    with third:
        kind = choose_one("Changes", KINDS, plan.kind, f"audit-kind-{key}", ABOUT_KINDS)
    programmes = plan.programmes
    if kind == "programmes":
        asked = fourth.number_input(
            "Measures at most", value=plan.programmes, min_value=1, max_value=10, step=1, key=f"audit-programmes-{key}"
        )
        programmes = int(asked or plan.programmes)
    return replace(plan, share=(share or 50) / 100, effort=float(effort or plan.effort), kind=kind, programmes=programmes)


def _how_tight(work: session.Work, plan: AuditPlan) -> None:
    n = len(work.group)
    if n < FEWEST:
        st.warning(f"A group of {count(n, 'person', 'people')} is too small to be split: it takes {FEWEST}.")
        return
    learnt_from = None if work.scored is None else work.scored.learnt_from
    parts = Parts.of(work.group, learnt_from, plan.share, work.draft.settings.seed)
    apart = len(parts.audited)
    level = work.draft.bounds.alpha / 2
    draft = work.draft
    hot = draft.settings.encoding == "onehot"
    width = sum(len(column.levels) if hot and column.role == "nominal" else 1 for column in work.schema.features)
    cap = plan.effort if draft.budget.effort is None else min(plan.effort, draft.budget.effort)
    try:
        least = finest(apart, cap**2 / width, level)
        asked = (work.study.group_scores, work.study.target(draft.target), work.study.interval)
        off = finest_outputs(apart, *asked, level, draft.bounds.beyond)
    except InputError:
        return
    half = 0.5 - share_limit(apart // 2, apart, level)
    scores = (
        f"scores that are off by less than {amount(off)} (squared) not from scores on target"
        if math.isfinite(off)
        else "nothing can be said of how far scores are off, because the model does not say between which numbers they lie"
    )
    st.caption(_who(parts, round(plan.share * n)))
    st.caption(
        f"With {count(apart, 'audit person', 'audit people')} a share of one half is known to within about {percent(half)}, a "
        f"move of the group of less than {amount(least)} (squared) cannot be told from none, and {scores}."
    )


def _who(parts: Parts, wanted: int) -> str:
    """Who is audited, and what the model knows of them."""
    people = count(len(parts.audited), "person is", "people are")
    if parts.known is None:
        return f"{people} audited. If your model was trained on them, the answer flatters: audit with people it has never seen."
    if parts.known:
        return (
            f"{people} audited, and the model was trained on {parts.known:,} of them, so the answer flatters: too few of this "
            "group are new to it. A larger group has more."
        )
    fewer = "" if len(parts.audited) >= wanted else ", all whom the model was not trained on"
    return f"{people} audited{fewer}."
