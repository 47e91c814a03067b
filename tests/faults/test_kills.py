"""kill -9, at random moments, through the app: nothing that was stored is lost, and going on gives the same bits."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import time
from collections import Counter
from contextlib import closing, suppress

import pytest

from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask, begun, stored_steps, undisturbed
from .conftest import Serve
from .process_tree import alive, fork_server
from .visitor import WAIT, Visitor

VICTIMS = ("worker", "server", "fork server", "server and worker")
MORE = 60  # steps that a run makes at most before something happens to it again
SCENARIO = german(150)
TRUE_AFTER = 120.0  # seconds within which a run has to say the truth where a machine may be very busy


@pytest.mark.parametrize(
    ("kills", "limit"),
    [pytest.param(6, TRUE_AFTER, marks=pytest.mark.slow), pytest.param(100, 15.0, marks=pytest.mark.soak)],
)
def test_kills_lose_nothing(kills: int, limit: float, serve: Serve) -> None:
    server = serve()
    store = Store(server.store)
    chance, whole, done = random.Random(14), undisturbed(SCENARIO), Counter[str]()
    slowest, known_steps, runs, run_id = dict.fromkeys(VICTIMS, 0.0), 0, 1, ask(store, SCENARIO)
    while done.total() < kills:
        victim = VICTIMS[done.total() % len(VICTIMS)]
        with Visitor(server.url) as visitor:
            go_on(visitor, run_id)
            known = wait(chance, store, run_id)
            hit = kill(victims(server, victim, store, run_id))
        done[victim] += hit
        seconds, began = 0.0, time.monotonic()
        if hit and victim.startswith("server"):
            server.process.wait(WAIT)  # its last thread may end after its first
            server.start()
        elif hit:
            until_true(store, run_id)
            seconds = time.monotonic() - began
        with Visitor(server.url) as visitor:
            visitor.open("solve", f"run={run_id}")
            if hit and victim.startswith("server"):
                began = time.monotonic()  # before it has answered, a server can say nothing false
                until_true(store, run_id)
                seconds = time.monotonic() - began
            assert visitor.troubles == []
        assert seconds < limit, (
            f"after the end of a {victim} its run said nothing true for {seconds:.1f} s: {store.state(run_id)}"
        )
        slowest[victim] = max(slowest[victim], seconds)
        state, steps = store.state(run_id), stored_steps(store, run_id)
        assert len(steps) > known, "a step that had been stored is gone"
        assert steps == whole[: len(steps)]
        assert intact(server)
        known_steps += known + 1
        if done.total() % 10 == 0:
            print(f"\n{figures(done, slowest)} So far {known_steps:,} steps, {runs} runs.", flush=True)
        if state.state == "finished":
            assert steps == whole
            runs, run_id = runs + 1, ask(store, SCENARIO)
    with Visitor(server.url) as visitor:
        go_on(visitor, run_id)
        visitor.press_until(BEGIN, lambda: begun(store, run_id))
        visitor.until(lambda: store.state(run_id).over)
        assert visitor.troubles == []
    assert stored_steps(store, run_id) == whole
    store.engine.dispose()
    print(
        f"\n{figures(done, slowest)} Of {known_steps:,} steps stored before, none was lost; {runs} runs went on to the same bits."
    )


def figures(done: Counter[str], slowest: dict[str, float]) -> str:
    counts = ", ".join(f"{done[victim]} of a {victim} (true after {slowest[victim]:.1f} s at most)" for victim in VICTIMS)
    return f"{done.total()} kills: {counts}; the store was intact after each."


def go_on(visitor: Visitor, run_id: str) -> None:
    """Open the page of a run and press its button, if it is not at work."""
    visitor.open("solve", f"run={run_id}")
    if visitor.has(BEGIN):
        visitor.press(BEGIN)


def wait(chance: random.Random, store: Store, run_id: str) -> int:
    """Until the run has made some more steps, or none: a worker may also be hit while it begins. The last step that is stored."""
    before, more, end = store.state(run_id).done, chance.choice((0, chance.randrange(1, MORE))), time.monotonic() + WAIT
    while (state := store.state(run_id)).working and (state.pid is None or state.done < before + more):
        assert time.monotonic() < end, "the run makes no steps"
        time.sleep(0.01)
    time.sleep(chance.uniform(0, 0.1))
    return store.state(run_id).done


def victims(server: Server, victim: str, store: Store, run_id: str) -> list[int]:
    """The processes that are meant; none if one of them is not there at this moment."""
    forks, state = fork_server(server.process.pid), store.state(run_id)
    worker = state.pid if state.working else None
    named = {"worker": worker, "fork server": forks, "server": server.process.pid}
    found = [named[name] for name in victim.split(" and ")]
    return [] if state.over or None in found else found


def kill(pids: list[int]) -> bool:
    """Whether there was anything to kill. It is over when this returns."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + WAIT
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < end, "a process outlived kill -9"
        time.sleep(0.01)
    return bool(pids)


def until_true(store: Store, run_id: str) -> None:
    """Wait while a run says that it is at work and nobody works on it."""
    end = time.monotonic() + TRUE_AFTER
    while (state := store.state(run_id)).working and not alive(state.pid) and time.monotonic() < end:
        time.sleep(0.02)


def intact(server: Server) -> bool:
    with closing(sqlite3.connect(server.home / "runs.sqlite3", timeout=WAIT)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
