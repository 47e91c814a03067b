"""The audit's statement: what holds for new people, or why nothing can be said of them."""

from __future__ import annotations

import streamlit as st

from discover_core.figures.text import percent
from discover_core.outcome.audit_digest import AuditDigest
from discover_core.policy.audit import Audit
from discover_core.solver.advice import round_up

from . import tab_runs
from .text import count, plain


def audit_box(found: AuditDigest) -> bool:
    """What holds for others, above the verdict on these people. Whether the wish is met and the statement holds, which alone is
    green."""
    st.caption("**New people like these**")
    good = _statement(found)
    st.caption("**The people of this group**, with the plan that was tuned to them together")
    return good


def _statement(found: AuditDigest) -> bool:
    if found.trouble:
        st.info(f"**Not audited.** {plain(found.trouble)}", icon=":material/info:")
        return False
    looks = tab_runs.looks_at(found.family)
    audit = found.audit(looks)
    if audit is None:
        st.warning(
            f"**{looks} answers were audited with this group**, too many to be corrected for: a fresh audit needs people who are "
            "not in it.",
            icon=":material/flag:",
        )
        return False
    good = found.met and audit.holds and not found.known
    said = [f"**{plain(audit.share.sentence)}**", plain(audit.people.sentence)]
    if looks > 1:
        said.append(f"{looks} answers were audited with this group, so each is given a smaller share of the risk.")
    if not (found.met and audit.holds):
        said.append(_short(found, audit))
    said += _flattered(found, audit)
    with st.container(key="audit"):
        (st.success if good else st.warning)("  \n".join(said), icon=":material/verified_user:" if good else ":material/flag:")
        with st.expander("What the audit says of how far people move, and how it was made"):
            st.markdown(f"- {plain(audit.inputs.sentence)}\n- {plain(audit.outputs.sentence)}")
            st.caption(
                f"A policy was learnt from {count(found.design, 'person', 'people')} and tried on "
                f"{count(audit.n, 'other', 'others')}, chosen at random, from whom nothing was learnt"
                f"{', neither by the policy nor by the model' if found.known == 0 else ''}. Each sentence holds for new people "
                "like these with its confidence: people who would be in this group."
            )
    return good


def _flattered(found: AuditDigest, audit: Audit) -> list[str]:
    """What the model knows of the audited people, which no split can undo."""
    if found.known is None:
        return ["If your model was trained on these people, this is too good for new ones."]
    if found.known:
        return [f"The model was trained on {found.known:,} of the {audit.n:,} audited people, so this is too good for new ones."]
    return []


def _short(found: AuditDigest, audit: Audit) -> str:
    if not found.met:
        return f"The wish is missed. {plain(found.reached)}"
    if not audit.share.holds:
        wanted = "what was wished" if found.wanted is None else f"nine tenths of the way, {percent(found.wanted)},"
        if found.enough is None or found.enough <= audit.n:
            return f"The wish is met here, but {wanted} cannot be promised to others: of the audited people too few got there."
        more = f"with {audit.n:,} audited people. About {round_up(found.enough, 2):,.0f} would be enough"
        likely = "" if found.likely is None else f" if {percent(found.likely)} of them get there"
        return f"The wish is met here, but {wanted} cannot be promised to others {more}{likely}."
    parts = (("how far people move", audit.inputs.holds), ("how far scores are off", audit.outputs.holds))
    sides = [name for name, holds in parts if not holds]
    return f"The wish is met, but {' and '.join(sides)} cannot be kept within its bound with confidence."
