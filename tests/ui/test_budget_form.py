"""The fields of the search budget: each strategy's own, in grey what has no effect, and what they say."""

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.problem.settings import Settings
from discover_core.solver.settings_words import WORDS, idle_settings, own_settings, setting_words
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


@pytest.mark.parametrize("name", [*STRATEGIES, "copies"])
def test_each_strategy_has_its_fields(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(STRATEGIES, "copies", Copies)
    settings = Settings(name, patience=5, k=7)
    app = shown(settings)
    assert app.session_state["said"] == settings
    own, idle = own_settings(name), idle_settings(settings)
    drawing = set() if idle == DRAWING else DRAWING
    others = {*WORDS, "strategy"} - DRAWING - {other for strategy in STRATEGIES for other in own_settings(strategy)}
    assert labels(app, True) == words(*drawing & idle)
    assert labels(app, False) == words(*others, *drawing - idle, *own)
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
    assert labels(app, True) == words("angle")
