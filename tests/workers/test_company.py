"""Work that takes too much never takes other work down, and nothing of it is left behind."""

import os
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.store.store import Store
from discover_core.workers import worker
from discover_core.workers.job import Job
from discover_core.workers.job_queue import JobQueue
from discover_core.workers.limits import Limits, Share
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner
from discover_core.workers.worker import solve_run

from .scenarios import german, until

HEAVY = "tests.workers.heavy_work"
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux limits data and lists handles")


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))


@pytest.fixture
def runner():
    made = Runner(Store(), Processes(limits=Limits(memory=1, runs=2)))
    yield made
    for run, _ in made.store.unfinished():
        made.stop(run.id)
        until(made.store, run.id, over)
    made.close()


def over(run):
    return run.over


def bits(store, run_id):
    return [tuple(value for name, value in row._mapping.items() if name not in ("run", "seconds")) for row in store.steps(run_id)]


@pytest.mark.slow
def test_one_that_takes_all_memory_and_one_that_spins_leave_the_others_alone(runner):
    heavy = Processes(limits=Limits(memory=0.3, run_hours=1, runs=2))
    spinning = Job(f"{HEAVY}:spin", queue=JobQueue(Limits(memory=0.3, job_minutes=60)))
    greedy = heavy.submit(allocate)
    company = [runner.start(Question(name, german(6))) for name in ("one", "other")]
    assert [until(runner.store, run_id, over).state for run_id in company] == ["finished", "finished"]
    with pytest.raises(MemoryError):
        greedy.result(120)
    assert spinning.state == "running"
    spinning.stop()
    assert spinning.state == "stopped"
    assert spinning._ready.wait(300)
    assert not os.path.exists(f"/proc/{spinning.pid}")
    alone = runner.start(Question("alone", german(6)))
    assert until(runner.store, alone, over).state == "finished"
    assert bits(runner.store, company[0]) == bits(runner.store, company[1]) == bits(runner.store, alone)


def allocate():
    from .heavy_work import allocate

    allocate(lambda share, doing: None)


@pytest.mark.parametrize(("kind", "state"), [("memory", "failed"), ("time", "stopped")])
def test_a_run_that_the_watchdog_ends_keeps_its_steps_and_says_which_limit_it_was(runner, kind, state):
    run_id = runner.start(Question("long", german(4000)))
    until(runner.store, run_id, lambda run: run.done >= 2)
    for child in list(runner.executor._children.values()):
        child.end_over(kind)
    run = until(runner.store, run_id, over)
    assert run.state == state
    assert {"memory": "needed more than 1 GB of memory", "time": "took longer"}[kind] in run.sentence
    assert {"memory": "DISCOVER_MEMORY", "time": "DISCOVER_RUN_HOURS"}[kind] in run.sentence
    assert len(runner.store.steps(run_id)) == run.done + 1 > 2
    runner.go_on(run_id)
    until(runner.store, run_id, lambda after: after.done > run.done)


def test_a_run_ends_by_itself_when_its_time_is_over():
    runner = Runner(Store(), ThreadPoolExecutor(1))
    with runner._lock:  # the runner takes it for lost otherwise
        run_id = runner.store.add(Question("long", german(4000)), runner.server)
        runner._futures[run_id] = []
    solve_run(runner.store.url, runner.files, run_id, Share(seconds=0.001))
    run = runner.store.run(run_id)
    assert (run.state, run.done) == ("stopped", -1)
    assert run.sentence == (
        "The run took longer than 0.001 seconds, the longest it may take here: continue from here, or choose a smaller group or "
        "fewer iterations, or ask whoever runs the server for more (DISCOVER_RUN_HOURS)."
    )
    runner.close()


def test_a_run_that_is_short_of_memory_keeps_its_steps(monkeypatch):
    solve = worker.solve

    def short(*args):
        for step in solve(*args):
            yield step
            if step.iteration == 2:
                raise dc.InputError("The model failed.") from RuntimeError("std::bad_alloc")

    monkeypatch.setattr(worker, "solve", short)
    runner = Runner(Store(), ThreadPoolExecutor(1))
    run = until(runner.store, runner.start(Question("short", german(8))), over)
    assert (run.state, run.done) == ("failed", 2)
    assert "not enough memory for the run: choose a smaller group" in run.sentence
    assert run.summary is not None
    runner.close()


@pytest.mark.slow
def test_handles_do_not_grow_with_the_runs(runner):
    kept, counts = [], []
    for _ in range(6):
        ids = [runner.start(Question("short", german(1))) for _ in range(2)]
        kept.append(Job("discover_core.workers.page_jobs:nothing"))
        for run_id in ids:
            until(runner.store, run_id, over)
        assert kept[-1].wait(300) == "finished"
        while threads := [thread for thread in threading.enumerate() if re.search(r"_follow|_listen", thread.name)]:
            threads[0].join(300)
        counts.append(handles())
    assert counts[-1] <= counts[1] + 2, counts


def handles():
    """How many this process has, but for the connections that the store keeps for whoever comes next."""
    names = []
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # that of the list itself
            names.append(os.readlink(f"/proc/self/fd/{number}"))
    return len([name for name in names if "runs.sqlite3" not in name])
