"""The form that trains a model."""

from __future__ import annotations

from typing import Any

import streamlit as st

from discover_core.models.settings import FAMILIES, Setting
from discover_core.workers.page_results import ScoredModel

from ..app import page_jobs, session
from ..app.text import count, plain


def training_form(current: session.Work) -> None:
    """Family, the settings that matter, seed, and one button."""
    schema = current.schema
    if schema.outcome is None:
        st.info("To train a model, first choose the outcome on the Data page: what the model is to predict.")
        st.page_link("pages/data.py", label="Choose the outcome", icon=":material/arrow_back:")
        return
    if schema.task == "multiclass" and schema.positive is None:
        outcome = schema[schema.outcome]
        chosen = st.selectbox(
            f"{plain(schema.outcome)} has {len(outcome.levels)} values. Whose probability is the score?",
            outcome.levels,
            index=None,
            placeholder="Choose one",
            key=f"class-{current.id}",
        )
        if chosen is None:
            return
        session.keep(current.with_schema(schema.with_outcome(schema.outcome, chosen)))
        st.rerun()
    regression = schema.task == "regression"
    titles = {name: f.title_regression if regression else f.title for name, f in FAMILIES.items()}
    family = st.selectbox(
        "Kind of model", list(titles), format_func=titles.__getitem__, index=4, key="family", persist_state="session"
    )
    st.caption(FAMILIES[family].help)
    settings = FAMILIES[family].settings
    places = st.columns(len(settings) + 1, vertical_alignment="bottom")
    values = {setting.name: _ask(place, setting, family) for place, setting in zip(places, settings, strict=False)}
    seed = places[-1].number_input(
        "Seed",
        value=0,
        min_value=0,
        step=1,
        key="train_seed",
        persist_state="session",
        help="The same seed gives the same model.",
    )
    if st.button(f"Train {titles[family]}", type="primary", key="train", disabled=page_jobs.busy(), width="stretch"):
        _start(current, family, int(seed), values, titles[family])
        st.rerun()
    what = plain(schema.outcome) if regression else f"whether {plain(schema.outcome)} is {plain(schema.positive)}"
    st.caption(f"Learns {what} from {count(len(schema.features), 'feature')}; a quarter of the rows is held out to measure it.")


def _ask(place: Any, setting: Setting, family: str) -> Any:
    key = f"setting-{family}-{setting.name}"
    if setting.kind == "choice":
        return place.selectbox(setting.label, setting.options, key=key, help=setting.help, persist_state="session")
    cast = int if setting.kind == "int" else float
    return place.number_input(
        setting.label,
        value=cast(setting.default),
        min_value=cast(setting.low),
        max_value=cast(setting.high),
        step=1 if setting.kind == "int" else 0.01,
        format="%d" if setting.kind == "int" else "%g",
        key=key,
        help=setting.help,
        persist_state="session",
    )


def _start(current: session.Work, family: str, seed: int, values: dict[str, Any], title: str) -> None:
    def done(scored: ScoredModel) -> None:
        keep_model(current.id, scored)

    page_jobs.start(f"Training {title}", "train", family, current.source, current.schema, seed, values, done=done)


def keep_model(work_id: str, scored: ScoredModel) -> None:
    """Attach a model to the work it was made for, even if another one is open by now."""
    for item in session.recent():
        if item.id == work_id:
            here = session.current()
            session.keep(item.with_model(scored))
            if here is not None and here.id != work_id:
                session.keep(here)
            session.say("success", f"**{plain(scored.model.title)}** is ready. Every row has its score.")
