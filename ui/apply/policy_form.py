"""Which policy, which people, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discover_core.errors import InputError
from discover_core.models.loaded import EXTENSIONS, PICKLES
from discover_core.models.pickled import pickle_allowed
from discover_core.policy.apply_file import Applied
from discover_core.policy.policy_upload import policy_data

from ..app import page_jobs, session
from ..app.open_data import TYPES
from ..app.text import count, plain

NAMED = 12  # columns that are named
SHOWN = 300  # letters of a group's words


def policy_form() -> None:
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
        _start(files, people.name, people.getvalue())
        st.rerun()


def _policy() -> dict[str, bytes]:
    """The files that were chosen, or the policy of the answer it was last prepared for; none if they are no policy."""
    models = [ending.lstrip(".") for ending in EXTENSIONS if ending not in PICKLES or pickle_allowed()]
    chosen: Sequence[Any] = st.file_uploader(
        "Policy",
        type=sorted({"zip", "json", *models}),
        accept_multiple_files=True,
        key="apply-files",
        help="The ZIP from the Policy view of Results, or a policy.json together with its model’s file.",
    )
    files = {str(file.name): file.getvalue() for file in chosen}
    prepared: dict[tuple[str, int], tuple[bytes, bytes]] = st.session_state.get("policy_files", {})
    if not files and prepared:
        files = {"policy.zip": list(prepared.values())[-1][0]}
        st.caption("The policy that you prepared on Results is taken until you choose another.")
    if not files:
        st.caption("You find it on Results under “Policy”, once an answer was audited.")
        st.page_link("pages/results.py", label="Go to Results", icon=":material/query_stats:")
        return {}
    try:
        _about(policy_data(files)[0])
    except InputError as error:
        st.warning(plain(error))
        return {}
    return files


def _about(data: dict[str, Any]) -> None:
    """What is known before its model is opened, from a file that nobody has checked."""
    schema, design, model, group = (_part(data, name) for name in ("schema", "design", "model", "group"))
    columns = schema.get("columns")
    names = [str(one.get("name")) for one in columns if isinstance(one, dict)] if isinstance(columns, list) else []
    names = [name for name in names if name != schema.get("outcome")]
    learnt = design.get("people")
    said = [f"Learnt from {count(learnt, 'person', 'people')}" if isinstance(learnt, int) else "A policy"]
    said.append(f"for the model {plain(str(model.get('title', ''))[:80])}")
    said += [f"and for the group “{plain(str(group['words'])[:SHOWN])}”"] if "words" in group else []
    st.markdown(" ".join(said) + ".")
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        st.caption(f"It needs the columns {', '.join(plain(name[:60]) for name in names[:NAMED])}{more}.")


def _part(data: dict[str, Any], name: str) -> dict[str, Any]:
    part = data.get(name)
    return part if isinstance(part, dict) else {}


def _start(files: dict[str, bytes], name: str, content: bytes) -> None:
    path = session.park(content)

    def done(found: tuple[Applied, bytes]) -> None:
        st.session_state["applied"] = (name, *found)
        session.hush()

    page_jobs.start(f"Applying the policy to {plain(name)}", "apply_policy", files, path, name, done=done, path=path)
