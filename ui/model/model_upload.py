"""Bring a model: upload it, and answer what it asks: which column is which, which output counts, which types are trusted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from urllib.parse import unquote

import pandas as pd
import streamlit as st

from discover_core.errors import InputError, sound
from discover_core.models.loaded import EXTENSIONS, PICKLES
from discover_core.models.pickled import pickle_allowed
from discover_core.models.questions import ChooseOutput, ColumnMismatch, UnknownTypes
from discover_core.workers.page_results import ScoredModel

from ..app import page_jobs, session
from ..app.text import plain
from .training_form import keep_model


@dataclass(frozen=True)
class Upload:
    """An uploaded model and the answers given so far; `question` is what it asks next."""

    work_id: str
    name: str
    content: bytes
    mapping: dict[str, str] = field(default_factory=dict)
    output: str | None = None
    approved: tuple[str, ...] = ()
    question: InputError | None = None


def model_upload(current: session.Work) -> None:
    if pickle_allowed(None):
        st.warning(
            "This server opens pickle and joblib files. Opening one runs whatever code its author put into it, with this "
            "server's rights. Upload only files you made yourself."
        )
    st.file_uploader(
        "Your model",
        type=[e.lstrip(".") for e in EXTENSIONS if e not in PICKLES or pickle_allowed()],
        key=f"model_upload-{current.id}",
        on_change=_uploaded,
        args=(f"model_upload-{current.id}",),
        help="skops, XGBoost (.json, .ubj), LightGBM (.txt) or ONNX. None of these run code from the file.",
    )
    st.caption(
        "It must score the rows of this table. A scikit-learn model is saved safely with `skops.io.dump(model, 'model.skops')`."
    )
    pending: Upload | None = st.session_state.get("upload")
    if pending is None or pending.question is None or pending.work_id != current.id or page_jobs.busy():
        return
    question = pending.question
    st.warning(plain(question))
    if isinstance(question, ColumnMismatch):
        _ask_columns(pending, question)
    elif isinstance(question, ChooseOutput):
        _ask_output(pending, question)
    elif isinstance(question, UnknownTypes):
        _ask_types(pending, question)
    if st.button("Forget this file", key="forget_upload", type="tertiary"):
        del st.session_state["upload"]
        st.rerun()


def _ask_columns(pending: Upload, question: ColumnMismatch) -> None:
    """What the model wants beside what there is, to be completed."""
    found = [question.matched.get(name) or question.suggested.get(name) for name in question.wants]
    lines = pd.DataFrame({"The model wants": [unquote(name) for name in question.wants], "In the table": found})
    edited = st.data_editor(
        lines,
        key=f"mapping-{pending.work_id}-{pending.name}",
        hide_index=True,
        disabled=["The model wants"],
        column_config={
            "In the table": st.column_config.SelectboxColumn(
                options=question.choices,
                help="The column the model is to read here; “column=value” is 1 where it has that value.",
            )
        },
    )
    mapping = {want: have for want, have in zip(question.wants, edited["In the table"], strict=True) if isinstance(have, str)}
    open_ones = len(question.wants) - len(mapping)
    if st.button("Use these columns", type="primary", key="use_columns", disabled=open_ones > 0):
        _start(replace(pending, mapping={w: h for w, h in mapping.items() if question.matched.get(w) != h}, question=None))
        st.rerun()
    if open_ones:
        st.caption(f"Choose a column for {open_ones} more.")


def _ask_output(pending: Upload, question: ChooseOutput) -> None:
    chosen = st.selectbox("The output that counts", question.choices, key="choose_output")
    if st.button("Use this output", type="primary", key="use_output"):
        _start(replace(pending, output=chosen, question=None))
        st.rerun()


def _ask_types(pending: Upload, question: UnknownTypes) -> None:
    st.code("\n".join(question.types), language=None)
    if st.button("I trust whoever made this file: allow these types", key="approve_types"):
        _start(replace(pending, approved=(*pending.approved, *question.types), question=None))
        st.rerun()


def _uploaded(key: str) -> None:
    file, current = st.session_state.get(key), session.current()
    if file is not None and current is not None and file.file_id != st.session_state.get("last_upload"):
        st.session_state["last_upload"] = file.file_id
        upload = Upload(current.id, sound(str(file.name)), file.getvalue())
        session.attempt(lambda: _start(upload))


def _start(pending: Upload) -> None:
    current = session.current()
    if current is None:
        return
    st.session_state["upload"] = pending
    path = session.park(pending.content)

    def done(scored: ScoredModel) -> None:
        st.session_state.pop("upload", None)
        keep_model(pending.work_id, scored)

    def failed(error: InputError) -> None:
        if isinstance(error, ColumnMismatch | ChooseOutput | UnknownTypes):
            st.session_state["upload"] = replace(pending, question=error)
        else:
            st.session_state.pop("upload", None)
            session.say("error", plain(error))

    page_jobs.start(
        f"Loading {plain(pending.name)}",
        "load",
        path,
        pending.name,
        current.source,
        current.schema,
        pending.mapping,
        pending.output,
        pending.approved,
        done=done,
        failed=failed,
        path=path,
    )
