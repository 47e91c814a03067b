"""What a policy told the people of a file."""

from __future__ import annotations

import io

import pandas as pd
import streamlit as st

from discover_core.policy.apply_file import Applied

from ..app.text import count, plain

LISTED = 500  # lines on the page


def plan() -> None:
    """The last plan of this tab."""
    kept: tuple[str, Applied, bytes] | None = st.session_state.get("applied")
    if kept is None:
        return
    name, applied, content = kept
    st.subheader(f"The plan for {plain(name)}")
    with st.container(key="applied", gap="small"):
        st.markdown(f"**{applied.sentence}**")
        st.caption(f"The policy’s audit: {plain(applied.audit)}")
        st.caption(plain(applied.whom))
        for warning in applied.warnings:
            st.warning(plain(warning), icon=":material/warning:")
    lines = pd.read_csv(io.BytesIO(content), encoding="utf-8-sig", keep_default_na=False, nrows=LISTED)
    st.dataframe(
        lines,
        key="applied-lines",
        hide_index=True,
        column_order=["row", "changes", "score_before", "score_after", "effort", "usual_before", "warning"],
        column_config={
            "row": st.column_config.NumberColumn("Row", format="localized", help="The row of the file, counted from 1."),
            "changes": st.column_config.TextColumn("What to change", width="large"),
            "score_before": st.column_config.NumberColumn("Score before", format="%.3f"),
            "score_after": st.column_config.NumberColumn("Score after", format="%.3f"),
            "effort": st.column_config.NumberColumn(
                "Effort", format="%.2f", help="How far all changes of a person go, in typical differences between people."
            ),
            "usual_before": st.column_config.NumberColumn(
                "Unusual",
                format="percent",
                help="41% means: more unusual than 41% of the people the policy was learnt from. At 100% somebody is like none "
                "of them.",
            ),
            "warning": st.column_config.TextColumn(
                "Warning", width="large", help="Why the guarantee, or what is told, may not fit this person."
            ),
        },
    )
    if applied.lines > LISTED:
        st.caption(f"The first {LISTED} of {count(applied.lines, 'line')}; the file has all of them.")
    st.download_button(
        "Plan (CSV)", content, "plan.csv", "text/csv", key="applied-csv", type="primary", icon=":material/download:"
    )
