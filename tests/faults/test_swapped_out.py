"""A worker that the computer leaves lying for a while, as it does when memory is short: the run waits, and says nothing false."""

from __future__ import annotations

import os
import signal
import sqlite3
import time
from contextlib import closing

import pytest

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
        frozen = {run_id: freeze(visitor, server, store, run_id) for visitor, run_id in ((one, patient), (other, stopped))}
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


def freeze(visitor: Visitor, server: Server, store: Store, run_id: str) -> int:
    """Begin a run, and leave its worker lying between two writes: in the middle of one it would keep everybody from writing."""
    visitor.open("solve", f"run={run_id}")
    visitor.press(BEGIN)
    visitor.until(lambda: store.state(run_id).done >= PAUSE)
    pid = store.state(run_id).pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    while not can_write(server):
        os.kill(pid, signal.SIGCONT)
        time.sleep(0.01)
        os.kill(pid, signal.SIGSTOP)
    return pid


def can_write(server: Server) -> bool:
    """Whether the store is free within a second, which a step does not take."""
    with closing(sqlite3.connect(server.home / "runs.sqlite3", timeout=1.0)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        connection.rollback()
        return True
