"""The verdict as a box: green only for a wish that is met and certified, amber for a missed one, grey where none was possible."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discover_core.outcome.run_words import ended
from discover_core.solver.verdict import Verdict
from discover_core.store.run_progress import RunProgress

from .text import plain

AMBER = ("partly", "missed", "uncertified")


def verdict(answer: dict[str, Any], roomy: bool = False) -> None:
    """Headline and certificate, and what would help: behind a button unless the page is `roomy`."""
    found = Verdict.from_dict(answer["verdict"])
    said = f"**{plain(found.sentence)}**  \n{plain(found.certificate)}"
    with st.container(key="verdict", gap="small"):
        if found.status == "reached":
            certified = found.certified
            (st.success if certified else st.info)(said, icon=":material/verified:" if certified else ":material/info:")
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


def details(progress: RunProgress, answer: dict[str, Any]) -> None:
    """The certificate with its numbers, and how the run came by it."""
    bounds = progress.scenario.bounds
    within = (progress.numbers("ucl_x") <= bounds.u_x) & (progress.numbers("ucl_y") <= bounds.u_y)
    since = int(within.argmax()) if within.any() else None
    with st.expander("Details of the certificate"):
        st.markdown(plain(answer["sentence"]))
        st.markdown(plain(ended(progress.run, progress.scenario.settings, answer, len(progress.outputs), since)))
        st.caption(
            "As in the paper, the limits treat the changed people as if they were drawn anew. They were tuned while the same "
            "limits steered the search, so this speaks of these people and is not yet a promise about new ones."
        )
