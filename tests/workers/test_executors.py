"""The worker obeys under any executor and ends nothing but itself; only our own processes are ended when they do not."""

import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy
from discover_core.store.erase import erase
from discover_core.store.files import data_files
from discover_core.store.run_progress import RunProgress
from discover_core.store.store import Store
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner

from .held_model import PICKLES, Hold, HoldableProcesses, allow_pickles, held_run
from .scenarios import german, until

LONG = 4000

pytestmark = pytest.mark.slow  # workers that do not obey are waited for


def process_pool():
    return ProcessPoolExecutor(2, multiprocessing.get_context("forkserver"), allow_pickles)


EXECUTORS = {
    "processes": lambda: HoldableProcesses(2),
    "process pool": process_pool,
    "thread pool": lambda: ThreadPoolExecutor(2),
}


@pytest.fixture(params=EXECUTORS)
def runner(request, tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv(PICKLES, "1")
    made = Runner(Store(), EXECUTORS[request.param]())
    yield made
    for hold in tmp_path.glob("*/hold"):
        hold.unlink()
    for run, _ in made.store.unfinished():
        made.stop(run.id)
        until(made.store, run.id, over)
    made.close()
    made.executor.shutdown()


def over(run):
    return run.over


def at(iteration):
    return lambda run: run.done >= iteration


def start(runner, hold, iterations):
    return runner.start(Question("held", german(iterations), model_copy=ModelCopy(hold.source)))


def check_whole(runner, hold, run_id, iterations):
    """The run is finished, with the numbers that the solver itself gives."""
    assert (runner.store.run(run_id).state, runner.store.run(run_id).done) == ("finished", iterations)
    scenario = replace(german(iterations), model=hold.source, folder=data_files().path)
    steps = list(dc.solve(scenario.problem(), scenario.settings))
    progress = RunProgress.open(runner.store, run_id)
    assert progress.numbers("q").tolist() == [step.q for step in steps]
    assert np.array_equal(progress.outputs, steps[-1].outputs)


def held(runner, tmp_path, call, iterations):
    """A run whose model is held at this call."""
    hold, _, run_id = held_run(runner, tmp_path, german(iterations), call)
    return hold, run_id


def test_a_run_goes_to_its_end_and_rests_and_resumes_on_the_way(runner, tmp_path):
    hold, run_id = held(runner, tmp_path, 7, 40)
    runner.pause(run_id)
    if not isinstance(runner.executor, Processes):
        hold.release()  # nobody ends the worker: it obeys after the call it is in
    rest = until(runner.store, run_id, lambda run: run.state == "paused")
    assert (rest.sentence, rest.request) == (None, None)
    assert len(runner.store.steps(run_id)) == rest.done + 1
    assert rest.done in (3, 4)  # before or after the call it was in
    hold.release()
    runner.go_on(run_id)
    until(runner.store, run_id, over)
    check_whole(runner, hold, run_id, 40)


def test_one_of_two_runs_is_stopped_in_the_middle_of_a_model_call_and_the_other_finishes(runner, tmp_path):
    held, free = Hold(tmp_path / "held"), Hold(tmp_path / "free")
    held.at(7)
    free.at(6)
    stopped, whole = start(runner, held, LONG), start(runner, free, 60)
    held.wait()
    free.wait()  # both are at work
    free.release()
    runner.stop(stopped)
    until(runner.store, whole, over)
    check_whole(runner, free, whole, 60)
    if not isinstance(runner.executor, Processes):
        assert runner.store.run(stopped).state == "stopping"
        held.release()
    run = until(runner.store, stopped, over)
    assert (run.state, run.sentence) == ("stopped", "Stopped by hand.")
    assert len(runner.store.steps(stopped)) == run.done + 1
    assert run.done in (3, 4)
    third = start(runner, free, 8)  # the executor is as good as before
    until(runner.store, third, over)
    check_whole(runner, free, third, 8)


def test_a_run_is_stopped_between_calls(runner, tmp_path):
    run_id = start(runner, Hold(tmp_path / "model"), LONG)
    until(runner.store, run_id, at(2))
    runner.stop(run_id)
    run = until(runner.store, run_id, over)
    assert (run.state, run.sentence) == ("stopped", "Stopped by hand.")
    assert run.summary is not None


def test_a_run_is_stopped_while_its_problem_is_prepared(runner, tmp_path):
    """The model is asked about the whole table, before there is any step."""
    hold, run_id = held(runner, tmp_path, 2, 8)
    runner.stop(run_id)
    if not isinstance(runner.executor, Processes):
        hold.release()
    run = until(runner.store, run_id, over)
    assert (run.state, run.sentence, run.done) == ("stopped", "Stopped by hand.", -1)


def test_a_worker_whose_run_was_deleted_ends(runner, tmp_path):
    hold, run_id = held(runner, tmp_path, 7, LONG)
    erase(runner.store, runner.files, [run_id])
    if not isinstance(runner.executor, Processes):
        hold.release()
    end = time.monotonic() + 300
    while run_id in runner._futures:
        assert time.monotonic() < end, "the worker goes on"
        time.sleep(0.02)
    assert runner.store.run(run_id) is None
    assert not runner.store.steps(run_id)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are ended otherwise there")
def test_a_run_whose_process_dies_although_it_should_have_stopped_has_been_stopped(runner, tmp_path):
    if not isinstance(runner.executor, Processes):
        pytest.skip("nobody else's processes may be ended")
    _, run_id = held(runner, tmp_path, 7, LONG)
    runner.store.request(run_id, "stop")
    os.kill(runner.store.state(run_id).pid, signal.SIGKILL)
    run = until(runner.store, run_id, over)
    assert (run.state, run.sentence) == ("stopped", "Stopped by hand.")
    assert len(runner.store.steps(run_id)) == run.done + 1
