"""Who has been away for long enough is gone; who comes back in time, or has nothing at work, is not."""

import inspect
import threading

import streamlit as st

from ui.app.presence import PATIENCE, Presence


def test_somebody_who_stays_away_is_gone():
    gone = threading.Event()
    presence = Presence(0.01)
    presence.expect(gone.set)
    assert not gone.wait(0.1)
    presence.left()
    assert gone.wait(60)


def test_somebody_who_comes_back_is_not_waited_for():
    presence = Presence(60)
    presence.expect(lambda: None)
    presence.left()
    assert presence._timer is not None
    presence.here()
    assert presence._timer is None


def test_what_begins_while_nobody_is_there_ends_too():
    gone = threading.Event()
    presence = Presence(0.01)
    presence.left()
    presence.expect(gone.set)
    assert gone.wait(60)


def test_a_job_that_is_over_is_not_ended_again():
    presence = Presence(60)
    presence.expect(lambda: None)
    presence.left()
    presence.expect(None)
    assert presence._timer is None


def test_streamlit_still_has_what_this_relies_on():
    assert {"scope", "on_release"} <= set(inspect.signature(st.cache_resource.__call__).parameters)
    assert st.get_option(PATIENCE) > 0
