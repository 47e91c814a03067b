"""Which policy, which people, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discover_core.errors import InputError, sound
from discover_core.models.loaded import EXTENSIONS, PICKLES
from discover_core.models.pickled import pickle_allowed
from discover_core.policy.apply_file import Applied
from discover_core.policy.policy_upload import PolicyHead, check_sizes

from ..app import page_jobs, session
from ..app.open_data import TYPES
from ..app.text import count, plain

NAMED = 12  # columns that are named


def policy_form() -> None:
    busy = page_jobs.busy()
    left, right = st.columns(2, gap="large")
    with left:
        files = _policy()
    with right:
        people = st.file_uploader(
            "New people",
            type=TYPES,
            key="apply-people",
            help="CSV, Parquet or Excel, a row per person, with the columns that the policy needs. It is not kept.",
        )
    ready = bool(files) and people is not None
    if st.button(
        "Apply the policy",
        icon=":material/play_arrow:",
        type="primary",
        key="apply-policy",
        disabled=not ready or page_jobs.busy(),
        help=None if ready else "Choose a policy and a table of people first.",
    ):
        assert people is not None
        session.take(people, lambda path, name: _start(files, path, name))
        st.rerun()
    if page_jobs.busy() and not busy:  # a policy is being read: the place for that is above, and this run is past it
        st.rerun()


def _policy() -> dict[str, bytes]:
    """The files that were chosen, or the policy of the answer it was last prepared for; none if they are no policy."""
    models = [ending.lstrip(".") for ending in EXTENSIONS if ending not in PICKLES or pickle_allowed()]
    turn: int = st.session_state.get("apply-turn", 0)
    chosen: Sequence[Any] = st.file_uploader(
        "Policy",
        type=sorted({"zip", "json", *models}),
        accept_multiple_files=True,
        key=f"apply-files-{turn}" if turn else "apply-files",
        help="The ZIP from the Policy view of Results, or a policy.json (up to 20 MB) together with its model’s file.",
    )
    try:
        check_sizes([int(file.size) for file in chosen])
    except InputError as error:
        st.session_state["apply-turn"], st.session_state["apply-refusal"] = turn + 1, str(error)
        st.rerun()  # with a field of another name: what was chosen in this one is given up
    if chosen:
        st.session_state.pop("apply-refusal", None)
    elif "apply-refusal" in st.session_state:
        st.warning(plain(st.session_state["apply-refusal"]))
    files = {sound(str(file.name)): file.getvalue() for file in chosen}
    which = tuple(str(file.file_id) for file in chosen)
    prepared: dict[tuple[str, int], tuple[bytes, bytes]] = st.session_state.get("policy_files", {})
    if not files and prepared:
        files = {"policy.zip": list(prepared.values())[-1][0]}
        which = (str(list(prepared)[-1]),)
        st.caption("The policy that you prepared on Results is taken until you choose another.")
    if not files:
        st.caption("You find it on Results under “Policy”, once an answer was audited.")
        st.page_link("pages/results.py", label="Go to Results", icon=":material/query_stats:")
        return {}
    return files if _about(files, which) else {}


def _about(files: dict[str, bytes], which: tuple[str, ...]) -> bool:
    """What they say of themselves, which a job reads: whether they are a policy."""
    known: tuple[tuple[str, ...], PolicyHead | str | None] | None = st.session_state.get("policy_head")
    if known is None or known[0] != which:
        if page_jobs.busy():
            st.caption("This policy is read once the work above is over.")
            return False

        def keep(found: PolicyHead | str | None) -> None:
            st.session_state["policy_head"] = (which, found)

        keep(None)
        page_jobs.start("Reading the policy", "read_policy", files, done=keep, failed=lambda error: keep(str(error)))
        return False
    head = known[1]
    if isinstance(head, PolicyHead):
        _say(head)
    elif head is not None:
        st.warning(plain(head))
    elif not page_jobs.busy():
        st.caption("Reading this policy was stopped: choose it again.")
    return isinstance(head, PolicyHead)


def _say(head: PolicyHead) -> None:
    said = "A policy" if head.people is None else f"Learnt from {count(head.people, 'person', 'people')}"
    whom = f" and for the group “{plain(head.group)}”" if head.group else ""
    st.markdown(f"{said} for the model {plain(head.model)}{whom}.")
    if head.columns:
        more = f" and {len(head.columns) - NAMED} more" if len(head.columns) > NAMED else ""
        st.caption(f"It needs the columns {', '.join(map(plain, head.columns[:NAMED]))}{more}.")


def _start(files: dict[str, bytes], path: str, name: str) -> None:
    def done(found: tuple[Applied, bytes]) -> None:
        st.session_state["applied"] = (name, *found)
        session.hush()

    page_jobs.start(f"Applying the policy to {plain(name)}", "apply_policy", files, path, name, done=done, path=path)
