"""A worker that the computer leaves lying for a while, as it does when memory is short: the run waits, and says nothing false."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from contextlib import ExitStack, closing, suppress

import pytest

from discover_core.store.engine import HELD
from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask, begun, check_beginning, end_run
from .process_tree import alive
from .visitor import Visitor

SCENARIO = german(20_000)  # longer than anybody waits
PAUSE = 3  # iterations after which a worker is left lying


@pytest.mark.parametrize("seconds", [pytest.param(7.0, marks=pytest.mark.slow), pytest.param(60.0, marks=pytest.mark.soak)])
def test_a_worker_that_is_swapped_out_goes_on_where_it_was(seconds: float, server: Server, store: Store) -> None:
    """Longer than a heartbeat, and than a worker may take to obey; another one is stopped meanwhile, and ends."""
    patient, stopped = ask(store, SCENARIO), ask(store, SCENARIO)
    with Visitor(server.url) as one, Visitor(server.url) as other, ExitStack() as waking:
        lying = begin(one, store, patient)
        freeze(lying, server, waking)
        obeys = begin(other, store, stopped)
        freeze(obeys, server, waking)
        done, end = store.state(patient).done, time.monotonic() + seconds
        other.press("stop-run")
        one.until(lambda: time.monotonic() > end)
        assert (store.state(patient).state, store.state(patient).done) == ("running", done)
        other.until(lambda: store.state(stopped).over)
        other.until(lambda: not alive(obeys))
        os.kill(lying, signal.SIGCONT)
        end_run(store, patient, one)
        assert one.troubles == other.troubles == []
        other.press_until(BEGIN, lambda: begun(store, stopped))
        end_run(store, stopped, other)
    for run_id in (patient, stopped):
        check_beginning(store, run_id, SCENARIO)
    print(f"\nA worker left lying for {seconds:.0f} s at iteration {done} went on to the same bits, as did a run stopped so.")


@pytest.mark.soak
def test_one_that_is_left_lying_in_the_middle_of_a_write_keeps_others_waiting_and_no_more(server: Server, store: Store) -> None:
    """For longer than a page waits for the store: another run at work waits, too, and a button says a sentence."""
    lying, waiting, later = (ask(store, SCENARIO) for _ in range(3))
    with Visitor(server.url) as one, Visitor(server.url) as other, Visitor(server.url) as third, ExitStack() as waking:
        pid, _ = begin(one, store, lying), begin(other, store, waiting)
        third.open("solve", f"run={later}")
        freeze(pid, server, waking, writing=True)
        done, end = store.state(waiting).done, time.monotonic() + 20.0
        third.push(BEGIN)
        third.until(lambda: HELD in third.text.replace("\\", ""))
        third.until(lambda: time.monotonic() > end)
        assert (store.state(waiting).state, store.state(waiting).done) == ("running", done)
        os.kill(pid, signal.SIGCONT)
        end_run(store, lying, one)
        end_run(store, waiting, other)
        third.press_until(BEGIN, lambda: begun(store, later))
        end_run(store, later, third)
        assert one.troubles == other.troubles == third.troubles == []
    for run_id in (lying, waiting, later):
        check_beginning(store, run_id, SCENARIO)
    print("\nA worker left lying for 20 s in the middle of a write: the run beside it waited and went on to the same bits.")


def begin(visitor: Visitor, store: Store, run_id: str) -> int:
    """Begin a run. The process of its worker, once it is at work."""
    visitor.open("solve", f"run={run_id}")
    visitor.press(BEGIN)
    visitor.until(lambda: store.state(run_id).done >= PAUSE)
    pid = store.state(run_id).pid
    assert pid is not None
    return pid


def freeze(pid: int, server: Server, waking: ExitStack, writing: bool = False) -> None:
    """Leave a worker lying between two writes, or in the middle of one, which keeps everybody from writing."""
    waking.callback(wake, pid)
    os.kill(pid, signal.SIGSTOP)
    while can_write(server, 0.1 if writing else 1.0) == writing:
        os.kill(pid, signal.SIGCONT)
        time.sleep(random.uniform(0.0, 0.02))
        os.kill(pid, signal.SIGSTOP)


def wake(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGCONT)


def can_write(server: Server, seconds: float) -> bool:
    """Whether the store is free within a time that a step does not take."""
    with closing(sqlite3.connect(server.home / "runs.sqlite3", timeout=seconds)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.rollback()
        return True
