"""The fields of the search budget: each strategy's own, in grey what has no effect, and what they say."""

from dataclasses import replace
from typing import get_args

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.problem.settings import Selection, Settings
from discover_core.solver.settings_words import PAIRED, WORDS, idle_settings, own_settings, setting_words
from discover_core.solver.strategies import DRAWING, STRATEGIES

from ..solver.test_strategies import Copies


def form():
    import streamlit as st

    from ui.scenario.budget_form import settings_fields

    st.session_state["said"] = settings_fields(st.session_state["given"], "budget")


def shown(settings: Settings) -> AppTest:
    app = AppTest.from_function(form)
    app.session_state["given"] = settings
    app.run()
    assert not app.exception
    return app


def labels(app: AppTest, disabled: bool) -> set[str]:
    kinds = (app.selectbox, app.number_input, app.toggle, app.slider)
    return {widget.label for kind in kinds for widget in kind if widget.disabled == disabled}


def words(*names: str) -> set[str]:
    return {setting_words(name).label for name in names}


@pytest.mark.parametrize("selection", get_args(Selection))
@pytest.mark.parametrize("name", [*STRATEGIES, "copies"])
def test_each_strategy_has_its_fields(name: str, selection: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(STRATEGIES, "copies", Copies)
    settings = Settings(name, selection, patience=5, k=7, usual=0.9)
    app = shown(settings)
    assert app.session_state["said"] == settings
    own, idle = own_settings(name), idle_settings(settings)
    drawing = set() if idle >= DRAWING else DRAWING
    shown_in_grey = (drawing | PAIRED) & idle
    never = {"patience", "patient"} if selection == "personal" else set()  # which ends by itself
    assert (shown_in_grey >= PAIRED) == (selection == "personal")
    others = {*WORDS, "strategy"} - DRAWING - never - {other for strategy in STRATEGIES for other in own_settings(strategy)}
    assert labels(app, True) == words(*shown_in_grey)
    assert labels(app, False) == words(*others - shown_in_grey, *drawing - idle, *own)
    assert STRATEGIES[name].title in app.selectbox[0].options
    assert any(STRATEGIES[name].sentence in caption.value for caption in app.caption) == bool(drawing & idle)


def test_what_is_chosen_is_what_is_said():
    app = shown(Settings())
    app.selectbox(key="budget-strategy").select("genetic").run()
    app.number_input(key="budget-crossover").set_value(0.25)
    app.number_input(key="budget-k").set_value(12)
    app.selectbox(key="budget-guidance").select("none")
    app.slider(key="budget-balance").set_value((0.1, 0.6)).run()
    said = Settings("genetic", k=12, crossover=0.25, guidance="none", l=0.1, r=0.6)
    assert app.session_state["said"] == said
    assert labels(app, True) == words("angle", *PAIRED)
    app.selectbox(key="budget-selection").select("rowwise").run()
    assert app.session_state["said"] == replace(said, selection="rowwise")
    assert labels(app, True) == words("angle")
    app.toggle(key="budget-patient").set_value(True).run()
    app.toggle(key="budget-walled").set_value(True).run()
    assert app.session_state["said"] == replace(said, selection="rowwise", patience=20, usual=0.95)
