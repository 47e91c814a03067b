"""The target "upload": numbers from a file. A file that cannot be used leaves the target as it was."""

from __future__ import annotations

import streamlit as st

from discover_core.errors import InputError
from discover_core.problem.targets import Quantiles, TargetSpecification, Values

from ..app import page_jobs, session
from ..app.text import count, plain
from .target_memory import TargetMemory

MEGABYTES = 20


def upload(work: session.Work, memory: TargetMemory, specification: TargetSpecification, key: str) -> TargetSpecification:
    own = f"target-file-{key}"
    st.file_uploader(
        "The scores you wish for",
        type=["csv", "txt", "xlsx", "parquet"],
        key=own,
        on_change=_uploaded,
        args=(own, memory),
        max_upload_size=MEGABYTES,
        help="They need not be as many as the group has people: only how they are spread counts.",
    )
    if memory.problem is not None:
        st.error(plain(memory.problem))
    in_use = memory.specifications.get("upload")
    if in_use is None:
        st.caption(
            "One column of numbers, or two columns “probability” and “value”. Until a file is read, the target stays as it was."
        )
    else:
        st.markdown(f"In use: {_words(in_use)}" + (f" from {plain(memory.file)}." if memory.file else "."))
    return specification


def _words(specification: TargetSpecification) -> str:
    if isinstance(specification, Quantiles):
        return f"**{count(len(specification.values), 'quantile')}**"
    return f"**{count(len(specification.values), 'value')}**" if isinstance(specification, Values) else "your target"


def _uploaded(key: str, memory: TargetMemory) -> None:
    file, work = st.session_state.get(key), session.current()
    if file is not None and work is not None and work.scored is not None:
        session.take(file, lambda path, name: _read(path, name, work, memory))


def _read(path: str, name: str, work: session.Work, memory: TargetMemory) -> None:
    """In a job: until it is read, the target stays as it was."""

    def done(specification: Values | Quantiles) -> None:
        memory.problem, memory.file = None, name
        memory.put("upload", specification)
        current = session.current()
        if current is not None and current.id == work.id:
            session.ask(target=specification)

    def failed(error: InputError) -> None:
        memory.problem = str(error)

    interval = None if work.scored is None else work.scored.model.interval
    page_jobs.start(f"Reading {plain(name)}", "read_target", path, name, interval, done=done, failed=failed, path=path)
