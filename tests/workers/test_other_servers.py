"""Which servers are gone, whatever the clocks say; and two of them on one data folder."""

import os
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace

import pytest

from discover_core.scenario.question import Question
from discover_core.store.servers import ServerRow
from discover_core.store.store import Store
from discover_core.store.tables import SERVERS
from discover_core.workers.other_servers import HELD_UP, HERE, SILENT, OtherServers
from discover_core.workers.runner import Runner

from .scenarios import german

NOW = 1_700_000_000.0


@pytest.fixture(scope="module")
def ended() -> int:
    """The number of a process that is no more."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def looks(others: OtherServers, *rows: ServerRow) -> list[set[str]]:
    return [others.gone([row]) for row in rows]


def elsewhere(heartbeat: float) -> ServerRow:
    return ServerRow("other", "elsewhere", 7, heartbeat)


@pytest.mark.parametrize("jump", [0.0, 10**9, -(10**9)])
def test_a_server_that_goes_on_saying_something_is_there_whatever_its_clock_says(jump):
    beats = [elsewhere(NOW + 5 * i + (jump if i > 3 else 0)) for i in range(3 * SILENT)]
    assert looks(OtherServers("here", os.getpid()), *beats) == [set()] * len(beats)


@pytest.mark.parametrize("heartbeat", [NOW - 10**9, NOW, NOW + 10**9])
def test_a_server_elsewhere_that_says_nothing_more_is_gone(heartbeat):
    others = OtherServers("here", os.getpid())
    assert looks(others, *[elsewhere(heartbeat)] * (SILENT + 1)) == [set()] * SILENT + [{"other"}]
    assert looks(others, elsewhere(heartbeat + 1)) == [set()]  # it was only asleep


def test_a_server_here_whose_process_is_gone_is_gone_at_once(ended):
    others = OtherServers("here", os.getpid())
    assert others.gone([ServerRow("other", "here", ended, NOW + 10**9)]) == {"other"}
    there = ServerRow("parent", "here", os.getppid(), NOW)
    assert looks(others, *[there] * (HELD_UP + 1)) == [set()] * HELD_UP + [{"parent"}]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells so in /proc")
def test_a_server_here_that_has_ended_is_gone_although_nobody_has_learnt_of_it():
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    os.kill(process.pid, 0)
    assert OtherServers("here", os.getpid()).gone([ServerRow("other", "here", process.pid, NOW)]) == {"other"}
    process.wait()


def test_a_server_that_had_the_number_of_this_process_is_gone():
    """As in a container that was started again."""
    before, same = (ServerRow(name, "here", os.getpid(), NOW) for name in ("before", "same process"))
    HERE.add(same.id)
    try:
        assert OtherServers("here", os.getpid()).gone([before, same]) == {before.id}
    finally:
        HERE.discard(same.id)


@pytest.fixture
def runner(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("discover_core.workers.runner.HEARTBEAT", 10**6)  # only the tests look
    made = Runner(Store(), ThreadPoolExecutor(1))
    yield made
    made.close()


def servers(store: Store) -> set[str]:
    return set(store.servers())


def test_rows_of_servers_that_are_gone_go_once_their_runs_are_settled(runner, ended):
    store = runner.store
    store.heartbeat("idle", runner._host, ended)
    store.heartbeat("busy", runner._host, ended)
    store.heartbeat("elsewhere", "another computer", 1)
    run_id = store.add(Question("a run", german()), "busy")
    runner._reconcile()
    assert (store.run(run_id).state, servers(store)) == ("stopped", {runner.server, "busy", "elsewhere"})
    runner._reconcile()
    assert servers(store) == {runner.server, "elsewhere"}
    for _ in range(SILENT + 1):
        runner._reconcile()
    assert servers(store) == {runner.server}


def test_no_run_of_ones_own_is_lost_with_the_row_of_its_server(runner):
    run_id = runner.store.add(Question("a run", german()), runner.server)
    runner._futures[run_id] = [Future()]
    runner.store.forget_servers([runner.server])
    runner._reconcile()
    assert runner.store.run(run_id).state == "queued"
    runner._say()
    assert servers(runner.store) == {runner.server}
    del runner._futures[run_id]


def test_a_runner_that_is_closed_while_it_rests_says_nothing_more(runner, monkeypatch):
    before = runner.store.servers()
    monkeypatch.setattr("discover_core.workers.runner.time", SimpleNamespace(sleep=lambda seconds: runner.close()))
    runner._live()
    assert runner.store.servers() == before


def test_two_servers_leave_each_others_runs_alone(runner):
    """Each is at work on one run, and the clock of neither is right."""
    other = Runner(Store(), ThreadPoolExecutor(1))
    ids = {each.server: runner.store.add(Question("a run", german()), each.server) for each in (runner, other)}
    try:
        for each in (runner, other):
            each._futures[ids[each.server]] = [Future()]
        for _ in range(3):
            for each in (runner, other):
                with each.store.writing() as connection:
                    connection.execute(SERVERS.update().values(heartbeat=time.time() + 10**6))
                each._say()
                each._reconcile()
        assert {runner.store.run(run_id).state for run_id in ids.values()} == {"queued"}
        assert servers(runner.store) == {runner.server, other.server}
    finally:
        for each in (runner, other):
            each._futures.pop(ids[each.server])
        other.close()
