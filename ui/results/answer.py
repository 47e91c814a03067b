"""The answer of a run: audit and verdict, whose plan is shown, what it amounts to, and the measures of the paper for experts."""

from __future__ import annotations

import math

import streamlit as st

from discover_core.figures.text import amount, percent
from discover_core.outcome.policy_outcome import PolicyOutcome
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary

from ..app import tab_runs
from ..app.audit_box import audit_box
from ..app.choice import choose_one
from ..app.run_end import trouble
from ..app.text import plain
from ..app.verdict import details, verdict

PLANS = {
    "policy": ":material/verified_user: Audited, for others too",
    "search": ":material/group: Tuned to this group alone",
}
ABOUT_PLANS = (
    "The audit speaks of a policy, which tells each person what to change, knowing nobody else. The other plan was found for all "
    "of these people together: it needs a little less and promises nothing of others."
)


def answer(found: RunOutcome) -> None:
    progress, told = found.progress, tab_runs.summary(found.progress)
    trouble(progress.run)
    if not progress.run.over:
        st.info("The run is not over: this is its best iteration so far.", icon=":material/hourglass_top:")
    if told is None:
        reached = progress.wish.sentence(progress.wish.reached(found.outputs))
        st.markdown(f"**{plain(reached)}**")
        return
    if told.audit is not None:
        audit_box(told.audit)
    verdict(told.verdict, roomy=True)


def whose_plan(found: RunOutcome) -> RunOutcome:
    """What the rest of the page is about: the policy's answer, where there is one, unless the search's is asked for. A budget of
    all people together is kept by the search to the last person, so it comes first there."""
    policy = tab_runs.policy_outcome(found.progress.run)
    if policy is None:
        return found
    budget = found.scenario.budget
    together = budget.people is not None or budget.total_effort is not None
    first = "search" if together else "policy"
    asked = choose_one("Whose plan is shown", PLANS, first, f"whose-plan-{first}", ABOUT_PLANS, persist_state="session")
    if together and asked == "policy":
        over = budget.people is not None and len(policy.movers) > budget.people
        told = f" Here it tells {len(policy.movers):,}, more than the {budget.people:,} allowed." if over else ""
        (st.warning if over else st.caption)(
            f"A policy knows nobody else, so in a group it may tell a few more, or fewer, than the limit for all together.{told}"
        )
    return policy if asked == "policy" else found


def in_words(shown: RunOutcome) -> None:
    """What it amounts to."""
    progress, told = shown.progress, tab_runs.summary(shown.progress)
    if told is None:
        return
    policy = isinstance(shown, PolicyOutcome)
    with st.container(border=True, key="in-words"):
        st.markdown("#### In words")
        words, warning = tab_runs.words(progress.run, policy), tab_runs.opposite(progress.run, policy)
        st.markdown("\n".join(f"- {plain(said)}" for said in words if said != warning))
        if warning:
            st.warning(plain(warning), icon=":material/swap_vert:")
    with st.container(horizontal=True, key="folds"):
        details(progress, told)
        if not policy:
            _for_experts(told)


def _for_experts(told: Summary) -> None:
    measured = told.metrics
    achieved = _sure(told.achieved) if told.certified else None
    shown = [
        (
            "OT(x)",
            amount(measured.ot_x),
            "How far the group is from how it was: squared sliced distance, on slices no search saw.",
        ),
        ("OT(y)", amount(measured.ot_y), "How far the scores are from the target: squared distance."),
        ("MMD", amount(measured.mmd), "Another distance between the group before and after (squared, Gaussian kernel)."),
        (
            "AReS cost",
            amount(measured.ares_cost),
            "The size of all changes: numbers as shares of their range, categories as one half.",
        ),
        (
            "Effort in all",
            amount(measured.effort),
            "Everybody's effort together: 1 is one standard deviation of a number, or one category switched.",
        ),
        (
            "Values per person",
            amount(measured.cells_per_person),
            "How many values change, on average over those who change.",
        ),
    ]
    if not math.isnan(measured.usual):
        why = "The median over those who change: more unusual, afterwards, than this share of all people of the table."
        shown.append(("Unusual after", percent(measured.usual), why))
    if achieved is not None:
        why = (
            "The largest confidence, on each side, at which both limits still hold for the answer (P). In a small group it says "
            "how large the group is; the details of the certificate have each side's own."
        )
        shown.insert(0, ("Confidence reached", achieved, why))
    with st.expander("For experts"), st.container(horizontal=True):
        for label, value, why in shown:
            st.metric(label, value, help=why, border=True, width=170)


def _sure(achieved: float | None) -> str:
    if achieved is None:
        return "none"
    return "over 99.99%" if achieved >= 0.9999 else f"{math.floor(10_000 * achieved) / 100:.2f}%"
