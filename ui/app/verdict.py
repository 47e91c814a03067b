"""The verdict as a box: neutral for a wish that is met, amber for a missed one, grey where none was possible.

Green is left to the audit."""

from __future__ import annotations

import streamlit as st

from discover_core.outcome.run_words import run_end_words
from discover_core.outcome.summary import Summary
from discover_core.solver.verdict import Verdict
from discover_core.store.run_progress import RunProgress

from .text import plain

IN_SAMPLE = "In-sample certificate (as in the paper)"
AMBER = ("partly", "missed", "uncertified")


def verdict(found: Verdict, roomy: bool = False) -> None:
    """Headline and certificate, and what would help: behind a button unless the page is `roomy`."""
    flatters = (
        " It flatters: it speaks of people who were tuned while the same limits steered the search." if found.certified else ""
    )
    said = f"**{plain(found.sentence)}**  \n{IN_SAMPLE}: {plain(found.certificate)}{flatters}"
    with st.container(key="verdict", gap="small"):
        if found.status == "reached":
            st.info(said, icon=":material/info:")
        elif found.status in AMBER:
            st.warning(said, icon=":material/flag:")
        else:
            with st.container(border=True, key="verdict-grey"):
                st.markdown(f":material/info: {said}")
        ways = "\n".join(f"- {plain(way)}" for way in found.help)
        if ways and roomy:
            st.markdown(f":material/lightbulb: **What would help**\n{ways}")
        elif ways:
            with st.popover("What would help", icon=":material/lightbulb:", key="what-helps"):
                st.markdown(ways)


def details(progress: RunProgress, summary: Summary) -> None:
    """The certificate with its numbers, and how the run came by it."""
    said = (progress.run, progress.scenario.settings, summary, len(progress.outputs), progress.feasible_since)
    with st.expander("Details of the certificate"):
        st.markdown("  \n".join(plain(sentence) for sentence in (summary.sentence, *summary.details)))
        st.markdown(plain(run_end_words(*said)))
        st.caption(
            "As in the paper, the limits treat the changed people as if they were drawn anew. They were tuned while the same "
            "limits steered the search, so this speaks of these people and is not yet a promise about new ones."
        )
