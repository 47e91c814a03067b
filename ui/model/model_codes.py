"""Which number stands for which value: what was guessed for the columns of an uploaded model, to be seen and corrected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from discover_core.models.codes import in_order, natural_orders, numeric_levels
from discover_core.models.model import Codes
from discover_core.scenario.sources import ModelFile
from discover_core.workers.page_results import ScoredModel

from ..app import page_jobs, session
from ..app.text import count, plain
from .training_form import keep_model

LISTED = 8  # values named in a sentence
HEIGHT = 320  # of the table, in pixels


def model_codes(current: session.Work) -> None:
    """The numbers that the model is given for words; nothing where its file says them itself."""
    scored = current.scored
    if scored is None or not isinstance(scored.source, ModelFile) or current.model_is_old:
        return
    if "codes_wanted" in st.session_state and not page_jobs.busy():  # it was stopped
        _renew()
    words = [name for name in scored.model.codes if numeric_levels(current.schema[name]) is None]
    if not words and scored.better is None and not _said(scored):
        return
    with st.container(border=True, key="codes"):
        st.subheader("Which number stands for which value")
        said = f"You have said it for {_names(_said(scored))}." if _said(scored) else "**What you see is our guess.**"
        st.markdown(
            f"The model was trained on numbers, and its file does not say which number stands for which value of "
            f"{_names(words or scored.model.codes)}. {said} With the wrong numbers its scores are wrong. "
            "Compare with the program that prepared the training data, and correct what differs."
        )
        _suggestion(current, scored)
        left, right = st.columns([3, 1], gap="medium")
        with left:
            _editor(current, scored, words)
        with right:
            _quality(current, scored)


def _suggestion(current: session.Work, scored: ScoredModel) -> None:
    better = scored.better
    if better is None:
        return
    lines = "".join(f"\n- {plain(name)}: {_listed(numbers)}" for name, numbers in better.codes.items())
    st.warning(
        f"**The numbers in the table are probably not those the model was trained with.** With them its {better.measure} is "
        f"{better.now:.3f}; with the following it would be {better.then:.3f}. Do not trust the scores before this is "
        f"settled. It is a suggestion, found by trying other orders on known outcomes: if you know the right numbers, "
        f"type them in instead.\n{lines}",
        icon=":material/warning:",
    )
    if st.button("Use this order", type="primary", key="use_codes", disabled=page_jobs.busy()):
        _start(current, scored, {**_said(scored), **better.codes})
        st.rerun()


def _editor(current: session.Work, scored: ScoredModel, words: list[str]) -> None:
    """One column at a time: an order to choose, and the number of every value to type."""
    names = [*words, *(name for name in scored.model.codes if name not in words)]
    name = st.selectbox("Column", names, key=f"codes-column-{current.id}") if len(names) > 1 else names[0]
    column, numbers = current.schema[name], scored.model.codes[name]
    version = st.session_state.get("codes_version", 0)
    orders = natural_orders(column, current.dataset.ready[name])
    key = f"codes-order-{current.id}-{version}"
    st.selectbox(
        f"Number the values of {plain(name)} from 0",
        list(orders),
        index=None,
        placeholder="Choose an order, or type the numbers below",
        key=key,
        on_change=_ordered,
        args=(key, name),
    )
    key = f"codes-{current.id}-{names.index(name)}-{version}"
    st.data_editor(
        pd.DataFrame({"Value": list(numbers), "Number": pd.array(list(numbers.values()), dtype="Float64")}),
        key=key,
        hide_index=True,
        width="stretch",
        height=min(HEIGHT, 35 * (len(numbers) + 1) + 3),
        disabled=["Value"],
        column_config={
            "Value": st.column_config.TextColumn(f"Value of {name}"),
            "Number": st.column_config.NumberColumn(
                "Number the model is given", format="%g", help="Empty: nothing, as for a missing value."
            ),
        },
        on_change=_edited,
        args=(key, name),
    )
    shared = [number for number in set(numbers.values()) if list(numbers.values()).count(number) > 1]
    if shared:
        same = [level for level, number in numbers.items() if number == shared[0]]
        st.caption(f"{plain(' and '.join(same[:LISTED]))} have the same number: the model cannot tell them apart.")


def _quality(current: session.Work, scored: ScoredModel) -> None:
    """How well the model fits with these numbers, and whether that became better."""
    value, name = _fit(scored)
    before = st.session_state.get("codes_before")
    change = None if value is None or before is None or before[0] != current.id else value - before[1]
    if value is not None:
        st.metric(
            f"{name} now",
            f"{value:.3f}",
            delta=None if change is None or abs(change) < 5e-4 else f"{change:+.3f}",
            border=True,
            help="How well the model fits the known outcomes with these numbers. It follows every number you correct; the right "
            "numbers nearly always give the highest.",
        )
    else:
        st.caption("Choose an outcome on the Data page and load the model again to see how well these numbers fit.")
    if st.button("Back to our guess", key="reset_codes", disabled=page_jobs.busy() or not _said(scored), width="stretch"):
        _start(current, scored, {})
        st.rerun()


def _fit(scored: ScoredModel) -> tuple[float | None, str]:
    report = scored.model.report
    if report is None:
        return None, ""
    return (report.auc, "AUC") if report.task == "binary" else (report.r2, "R²")


def _ordered(key: str, name: str) -> None:
    chosen, current = st.session_state.get(key), session.current()
    if chosen is not None and current is not None and current.scored is not None:
        column = current.schema[name]
        order = natural_orders(column, current.dataset.ready[name])[chosen]
        _say(current, current.scored, name, in_order(column, order))


def _edited(key: str, name: str) -> None:
    current = session.current()
    if current is None or current.scored is None:
        return
    numbers = dict(_wanted(current).get(name, current.scored.model.codes[name]))
    levels = list(numbers)
    for row, cells in st.session_state[key]["edited_rows"].items():
        if "Number" in cells:
            numbers[levels[int(row)]] = cells["Number"]
    _say(current, current.scored, name, numbers)


def _say(current: session.Work, scored: ScoredModel, name: str, numbers: Any) -> None:
    """Numbers for one column, beside those that were said before and those that are just being tried."""
    _start(current, scored, {**_said(scored), **_wanted(current), name: numbers})


def _start(current: session.Work, scored: ScoredModel, codes: Codes) -> None:
    """Load the model again with these numbers; every score is then new."""
    assert isinstance(scored.source, ModelFile)
    value, _ = _fit(scored)

    def done(new: ScoredModel) -> None:
        if value is not None:
            st.session_state["codes_before"] = (current.id, value)
        keep_model(current.id, new)
        _renew()

    def failed(error: Exception) -> None:
        session.say("error", plain(error))
        _renew()

    page_jobs.start(
        f"Scoring anew with {plain(scored.model.title)}",
        "load_again",
        scored.model.title,
        current.source,
        current.schema,
        replace(scored.source, codes=codes),
        scored.model_copy.approved,
        done=done,
        failed=failed,
    )
    st.session_state["codes_wanted"] = (current.id, codes)


def _said(scored: ScoredModel) -> Codes:
    """What somebody said, instead of our guess."""
    return scored.source.codes if isinstance(scored.source, ModelFile) else {}


def _wanted(current: session.Work) -> Codes:
    """What the model is just being loaded with."""
    owner, codes = st.session_state.get("codes_wanted", ("", {}))
    return codes if owner == current.id else {}


def _renew() -> None:
    """The editor starts from what the model is given now."""
    st.session_state.pop("codes_wanted", None)
    st.session_state["codes_version"] = st.session_state.get("codes_version", 0) + 1


def _names(columns: Any) -> str:
    names = [f"**{plain(name)}**" for name in columns]
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {count(more, 'more column')}" if more > 0 else "")


def _listed(numbers: Any) -> str:
    """0 = own, 1 = rent, … in the order of the numbers."""
    known = sorted((number, level) for level, number in numbers.items() if number is not None)
    shown = ", ".join(f"{number:g} = {plain(level)}" for number, level in known[:LISTED])
    return shown + (f", … ({count(len(known), 'value')})" if len(known) > LISTED else "")
