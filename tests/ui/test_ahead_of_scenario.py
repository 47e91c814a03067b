"""What the Scenario page asks of a large group is found out while its data and its model are looked at."""

from threading import Event, Thread

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.workers.page_jobs import open_sample
from ui.app import bounds_advice, session
from ui.app.memory import Memory


@pytest.fixture(scope="module")
def work():
    opened = open_sample("german_credit", lambda share, doing: None)
    return session.Work.of(opened, opened.dataset())


def script():
    import streamlit as st

    from ui.app import bounds_advice

    thread = bounds_advice.advise_ahead()
    st.session_state["begun"] = thread is not None
    if thread is not None:
        thread.join(300)


def app_of(work) -> AppTest:
    app = AppTest.from_function(script)
    if work is not None:
        app.session_state["work"] = work
    assert not app.run(timeout=600).exception
    return app


def test_a_large_group_is_advised_before_anybody_asks(work, monkeypatch):
    monkeypatch.setattr(bounds_advice, "LARGE", 10)
    memory = app_of(work).session_state["worked_out"]
    at_hand = dict(memory._kept)
    assert {"advice-chance", "advice-ground", "advice-limits"} <= set(at_hand)
    found = bounds_advice.advised(work, memory)  # as the page does
    assert found.advice is at_hand["advice-limits"][1]
    assert all(memory._kept[name] is kept for name, kept in at_hand.items())


def test_nothing_is_begun_for_a_small_group_or_without_one(work):
    assert not app_of(work).session_state["begun"]
    assert not app_of(None).session_state["begun"]


def test_who_asks_for_what_is_being_worked_out_waits_for_it():
    memory, begun, go_on, made = Memory(), Event(), Event(), []

    def slow():
        begun.set()
        go_on.wait(300)
        made.append("slow")
        return "found"

    first = Thread(target=lambda: memory.get("name", 1, slow))
    first.start()
    assert begun.wait(300)
    found: list[str] = []
    second = Thread(target=lambda: found.append(memory.get("name", 1, lambda: made.append("again"))))
    second.start()
    assert memory.get("other", 1, lambda: "at once") == "at once"
    go_on.set()
    for thread in (first, second):
        thread.join(300)
    assert found == ["found"]
    assert made == ["slow"]
    assert memory.get("name", 2, lambda: "new") == "new"
