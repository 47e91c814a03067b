"""A worker that the computer leaves lying for a while, as it does when memory is short: the run waits, and says nothing false."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from contextlib import closing

import pytest

from discover_core.store.engine import HELD
from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask, begun, stored_steps, undisturbed
from .process_tree import alive
from .visitor import Visitor

SCENARIO = german(300)
PAUSE = 3  # iterations after which a worker is left lying


@pytest.mark.parametrize("seconds", [pytest.param(7.0, marks=pytest.mark.slow), pytest.param(60.0, marks=pytest.mark.soak)])
def test_a_worker_that_is_swapped_out_goes_on_where_it_was(seconds: float, server: Server, store: Store) -> None:
    """Longer than a heartbeat, and than a worker may take to obey; another one is stopped meanwhile, and ends."""
    patient, stopped = ask(store, SCENARIO), ask(store, SCENARIO)
    with Visitor(server.url) as one, Visitor(server.url) as other:
        frozen = {run_id: begin(visitor, store, run_id) for visitor, run_id in ((one, patient), (other, stopped))}
        for pid in frozen.values():
            freeze(pid, server)
        done, end = store.state(patient).done, time.monotonic() + seconds
        other.press("stop-run")
        one.until(lambda: time.monotonic() > end)
        assert (store.state(patient).state, store.state(patient).done) == ("running", done)
        other.until(lambda: store.state(stopped).over)
        other.until(lambda: not alive(frozen[stopped]))
        os.kill(frozen[patient], signal.SIGCONT)
        one.until(lambda: store.state(patient).over)
        assert one.troubles == other.troubles == []
        other.press_until(BEGIN, lambda: begun(store, stopped))
        other.until(lambda: store.state(stopped).over)
    assert stored_steps(store, patient) == stored_steps(store, stopped) == undisturbed(SCENARIO)
    print(f"\nA worker left lying for {seconds:.0f} s at iteration {done} went on to the same bits, as did a run stopped so.")


@pytest.mark.soak
def test_one_that_is_left_lying_in_the_middle_of_a_write_keeps_others_waiting_and_no_more(server: Server, store: Store) -> None:
    """For longer than a page waits for the store: another run at work waits, too, and a button says a sentence."""
    long = german(2000)
    lying, waiting, later = (ask(store, scenario) for scenario in (long, long, SCENARIO))
    with Visitor(server.url) as one, Visitor(server.url) as other, Visitor(server.url) as third:
        pid, _ = begin(one, store, lying), begin(other, store, waiting)
        third.open("solve", f"run={later}")
        freeze(pid, server, writing=True)
        done, end = store.state(waiting).done, time.monotonic() + 20.0
        third.press(BEGIN)
        third.until(lambda: HELD in third.text)
        third.until(lambda: time.monotonic() > end)
        assert (store.state(waiting).state, store.state(waiting).done) == ("running", done)
        os.kill(pid, signal.SIGCONT)
        third.press_until(BEGIN, lambda: begun(store, later))
        one.until(lambda: all(store.state(run_id).over for run_id in (lying, waiting, later)))
        assert one.troubles == other.troubles == third.troubles == []
    assert stored_steps(store, lying) == stored_steps(store, waiting) == undisturbed(long)
    assert stored_steps(store, later) == undisturbed(SCENARIO)


def begin(visitor: Visitor, store: Store, run_id: str) -> int:
    """Begin a run. The process of its worker, once it is at work."""
    visitor.open("solve", f"run={run_id}")
    visitor.press(BEGIN)
    visitor.until(lambda: store.state(run_id).done >= PAUSE)
    pid = store.state(run_id).pid
    assert pid is not None
    return pid


def freeze(pid: int, server: Server, writing: bool = False) -> None:
    """Leave a worker lying between two writes, or in the middle of one, which keeps everybody from writing."""
    os.kill(pid, signal.SIGSTOP)
    while can_write(server, 0.1 if writing else 1.0) == writing:
        os.kill(pid, signal.SIGCONT)
        time.sleep(random.uniform(0.0, 0.02))
        os.kill(pid, signal.SIGSTOP)


def can_write(server: Server, seconds: float) -> bool:
    """Whether the store is free within a time that a step does not take."""
    with closing(sqlite3.connect(server.home / "runs.sqlite3", timeout=seconds)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.rollback()
        return True
