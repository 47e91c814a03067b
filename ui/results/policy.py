"""The policy behind the audit: its measures, what each adds, and its files for new people."""

from __future__ import annotations

from functools import partial

import streamlit as st

from discover_core.figures import policy as figures
from discover_core.figures.text import amount, percent
from discover_core.outcome.audit_digest import AuditDigest
from discover_core.outcome.run_outcome import RunOutcome

from ..app import page_jobs, session, tab_runs
from ..app.text import count, plain
from .marked_people import chart

PER_ROW = 3


def policy(found: RunOutcome, key: str) -> None:
    told = tab_runs.summary(found.progress)
    audit = None if told is None else told.audit
    if audit is None or not audit.audits:
        st.info(
            "This answer was not audited, so there is no policy for new people. Switch on “Audit it” on the Scenario page, under "
            "“How sure”, and solve again.",
            icon=":material/info:",
        )
        return
    st.markdown(
        f"The policy tells each person what to change, knowing nobody else. It was learnt from "
        f"{count(audit.design, 'person', 'people')} and tells {count(audit.changed, 'person', 'people')} of these "
        f"{audit.people:,} to change. {plain(audit.reached)}"
    )
    if audit.programmes:
        _cards(audit, found.scenario.target.past is not None)
    _files(found.progress.run.id, tab_runs.looks_at(audit.family), key)


def _cards(audit: AuditDigest, share: bool) -> None:
    """`share` says that a share of the group is wished, which both kinds of policy can be compared by."""
    st.markdown("#### Measures")
    st.caption(f"Shares are of the {count(audit.design, 'person', 'people')} they were learnt from.")
    places = [place for _ in range(0, len(audit.programmes), PER_ROW) for place in st.columns(PER_ROW)]
    for number, (place, one) in enumerate(zip(places, audit.programmes, strict=False), 1):
        with place.container(border=True, height="stretch", key=f"programme-{number}"):
            st.markdown(f"**{number}. {plain(one.words)}**")
            st.markdown(
                f"Works alone for **{percent(one.reach)}**, given to {percent(one.given)}  \nMean effort {amount(one.effort)}",
                help="Of the people it was learnt from. Everybody is given the cheapest measure that works for them, or none.",
            )
            st.caption(f"With all before it, {percent(one.together)} have what is wished.")
    together, words = [one.together for one in audit.programmes], [one.words for one in audit.programmes]
    personal = audit.reach[1].reached if audit.reach is not None and share else None
    figure = figures.curve_figure(together, personal)
    chart(figure, "programme-curve", figures.caption(together, personal), partial(figures.table, words, together))
    if audit.reach is not None:
        measures, own = audit.reach
        st.markdown(
            f"**What sharing costs.** These measures change {percent(measures.changed)} of those they were learnt from, at a "
            f"mean effort of {amount(measures.effort)}. If each of the same people were told their own least change, "
            f"{percent(own.changed)} would change, at {amount(own.effort)}."
        )


def _files(run_id: str, looks: int, key: str) -> None:
    kept: dict[tuple[str, int], tuple[bytes, bytes]] = st.session_state.setdefault("policy_files", {})
    st.markdown("#### For new people")
    if (run_id, looks) not in kept:
        st.markdown("The policy as a file, and what it tells everybody in this group.")
        if st.button("Prepare the files", key=f"policy-files-{key}", icon=":material/inventory_2:", disabled=page_jobs.busy()):
            page_jobs.start(
                "The policy's files",
                "policy_files",
                tab_runs.store().url,
                run_id,
                looks,
                done=lambda files: session_keep((run_id, looks), files),
            )
            st.rerun()
        return
    bundle, plan = kept[run_id, looks]
    with st.container(horizontal=True):
        st.download_button(
            "Policy (ZIP)", bundle, "policy.zip", "application/zip", key=f"policy-zip-{key}", icon=":material/download:",
            help="policy.json with its model: for the Apply page, or “discover apply policy.json people.csv”.",
        )  # fmt: skip
        st.download_button(
            "Plan for everybody (CSV)", plan, "policy-plan.csv", "text/csv", key=f"policy-plan-{key}", icon=":material/download:"
        )
    st.caption(
        ":material/lock: The ZIP holds the features of up to 2,000 people of your table, and of up to 2,000 of those it was "
        "learnt from, whom new people are compared with: keep it as safe as the table itself."
    )
    st.page_link("pages/apply.py", label="Apply it to other people", icon=":material/group_add:")


def session_keep(which: tuple[str, int], files: tuple[bytes, bytes]) -> None:
    st.session_state.setdefault("policy_files", {})[which] = files
    session.hush()
