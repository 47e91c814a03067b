"""Too good to be true: features that give the outcome away, with a button that leaves them out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from discover_core.models.leakage import BEYOND_BELIEF, NOTICED, Alone, alone
from discover_core.table import describe

from . import session
from .text import plain

SHOWN = 4


def leak_warning(work: session.Work) -> None:
    """Features that nearly decide the outcome alone, as far as the model at hand looks at them."""
    found = [one.name for one in _alone(work) if one.decides and _looked_at(work, one.name)]
    if not found:
        return
    names = ", ".join(f"**{plain(name)}**" for name in found[:SHOWN]) + (" …" if len(found) > SHOWN else "")
    says, it = ("decides", "it") if len(found) == 1 else ("decide", "each")
    with st.container(key="leaks"):
        st.warning(
            f"{names} alone nearly {says} **{plain(work.schema.outcome)}**. Is {it} known before the outcome is? If not, leave "
            "it out: a model that may look it up learns nothing, and changing it would change nobody's outlook.",
            icon=":material/key:",
        )
        _buttons(work, found[:SHOWN])


def belief_warning(work: session.Work) -> None:
    """A model that is right beyond belief on rows it has not seen, though no feature alone explains it."""
    report = None if work.scored is None or work.model_is_old else work.scored.model.report
    if report is None or not report.held_out:
        return
    found = _alone(work)
    name, quality = ("AUC", report.auc) if report.task == "binary" else ("R²", report.r2)
    if quality is None or quality < BEYOND_BELIEF or any(one.decides for one in found):
        return
    first = [one.name for one in found if one.strength >= NOTICED and _looked_at(work, one.name)][:SHOWN]
    hint = f" Look first at {', '.join(f'**{plain(name)}**' for name in first)}." if first else ""
    with st.container(key="belief"):
        st.warning(
            f"An {name} of {quality:.3f} on rows the model has not seen is hardly ever true: some column "
            f"may have been filled in after the outcome was known. Leave such columns out, and train again.{hint}",
            icon=":material/key:",
        )
        _buttons(work, first)


def _alone(work: session.Work) -> tuple[Alone, ...]:
    data = work.dataset
    return session.memo("alone", (work.id, data.schema), lambda: alone(data.raw, data.ready, data.schema))  # type: ignore[no-any-return]


def _looked_at(work: session.Work, name: str) -> bool:
    """Whether the model at hand reads the column; a model to come reads every feature."""
    if work.scored is None or work.model_is_old:
        return True
    return any(name in wanted for wanted in work.scored.model.inputs)


def _buttons(work: session.Work, names: Sequence[str]) -> None:
    with st.container(horizontal=True):
        for i, name in enumerate(names):
            st.button(
                f"Leave out {plain(name)}",
                key=f"leave-out-{work.id}-{i}",
                icon=":material/block:",
                help="It stays in the table, but no model looks at it. “Use as” on the Data page brings it back.",
                on_click=_leave_out,
                args=(name,),
            )


def _leave_out(name: str) -> None:
    work = session.current()
    if work is None or name not in work.schema:
        return
    column = work.schema[name]
    kept: Any = {"unit": column.unit, "label": column.label, "missing_codes": column.missing_codes, "date": column.date}
    reason = "Left out: it gives the outcome away."
    left = describe(work.dataset.raw[name], "excluded", reason=reason, dayfirst=column.dayfirst, **kept)
    session.keep(work.with_schema(work.schema.with_column(left)))
    session.refresh_columns()
    session.say("info", f"**{plain(name)}** is left out." + ("" if work.scored is None else " Train the model again without it."))
