"""The fields of the plan's limits: what they show is what counts, or a sentence says why not."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

import discover_core as dc
from discover_core.workers.page_jobs import open_sample
from ui.app import session
from ui.app.session import Work


@pytest.fixture
def asked(tmp_path, monkeypatch) -> dict[str, Work]:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    opened = open_sample("german_credit", lambda share, doing: None)
    held = {"work": Work.of(opened, opened.dataset())}

    def ask(budget: dc.Budget) -> None:
        held["work"] = replace(held["work"], draft=replace(held["work"].draft, budget=budget))

    monkeypatch.setattr(session, "current", lambda: held["work"])
    monkeypatch.setattr(session, "ask", ask)
    return held


def limits():
    from ui.scenario.plan_limits import plan_limits

    plan_limits()


@pytest.mark.parametrize(
    ("label", "name"), [("Effort per person, at most", "effort"), ("Effort in all, at most", "total_effort")]
)
def test_an_effort_of_0_is_not_dropped_without_a_word(asked, label, name):
    asked["work"] = replace(asked["work"], draft=replace(asked["work"].draft, budget=dc.Budget(**{name: 1e-6})))
    app = AppTest.from_function(limits, default_timeout=60).run()
    assert not app.exception

    def field():
        return next(widget for widget in app.number_input if widget.label == label)

    assert (field().value, len(app.warning)) == (1e-6, 0)
    for value in (2.0, 0.0, 0.25):
        field().set_value(value).run()
        assert not app.exception
        assert field().value == value
        assert getattr(asked["work"].draft.budget, name) == (value or None)
        said = [warning.value for warning in app.warning]
        assert len(said) == (value == 0)
        assert all(words.startswith(f"“{label}”: with 0 nobody could change, so it counts as no limit.") for words in said)
