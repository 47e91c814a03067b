"""Runs in real processes and a real database: they can be paused, stopped, killed and orphaned, and lose nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary, summary_of
from discover_core.scenario.question import Question
from discover_core.store.files import data_files
from discover_core.store.run_progress import RunProgress
from discover_core.store.store import Store
from discover_core.store.tables import RUNS
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner

from .held_model import PICKLES, HoldableProcesses, held_run
from .scenarios import german, until

LONG, ENDLESS = 4000, 20_000
SEARCHES = {"rowwise": {}, "personal": {"selection": "personal", "k": 1}}


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))


@pytest.fixture
def runner():
    made = Runner(Store(), HoldableProcesses(2))
    yield made
    for run, _ in made.store.unfinished():
        made.stop(run.id)
    end = time.monotonic() + 20
    while made.store.unfinished() and time.monotonic() < end:
        time.sleep(0.05)
    made.close()


def over(run):
    return run.over


def at(iteration):
    return lambda run: run.done >= iteration


def bits(store, run_id):
    """Everything stored of the steps, but the time they took."""
    return [tuple(value for name, value in row._mapping.items() if name not in ("run", "seconds")) for row in store.steps(run_id)]


@pytest.mark.parametrize("search", SEARCHES)
def test_a_run_stores_what_the_solver_yields(runner, search):
    scenario = german(**SEARCHES[search])
    run_id = runner.start(Question("first", scenario, data_title="German Credit"))
    run = until(runner.store, run_id, over)
    assert (run.state, run.sentence, run.done) == ("finished", None, 8)
    steps = list(dc.solve(scenario.problem(), scenario.settings, levels=(0.1,)))
    progress = RunProgress.open(runner.store, run_id)
    for name in ("q", "q_x", "q_y", "ucl_x", "ucl_y", "eta", "model_rows", "feasible"):
        assert progress.numbers(name).tolist() == [getattr(step, name) for step in steps]
    assert np.array_equal(progress.outputs, steps[-1].outputs)
    assert np.array_equal(progress.iterate(5)[0], steps[5].cells)
    assert np.allclose(progress.impact, [step.impact for step in steps], rtol=1e-6)
    assert [s.tolist() for s in progress.selected] == [step.selected.tolist() for step in steps]
    assert np.array_equal(progress.limits(0.1)[0], [step.levels[0, 0] for step in steps])
    result = dc.run(scenario.problem(), scenario.settings)
    said = Summary.from_json(progress.run.summary)
    assert said.sentence == result.certificate.sentence
    assert said.iteration == result.best_step.iteration
    head = progress.head
    followed = RunProgress(run, head, head.outputs.copy(), head.cells.copy())
    for row in runner.store.steps(run_id, -1):  # distances are asked for after every step, as a page does
        followed._add(row)
        assert followed.distances is followed.distances
    assert np.array_equal(followed.distances, progress.distances)


@pytest.mark.parametrize("search", SEARCHES)
def test_pausing_rests_and_resuming_gives_the_same_bits(runner, search, tmp_path):
    hold, asked, run_id = held_run(runner, tmp_path, german(60, **SEARCHES[search]), 12)
    runner.pause(run_id)
    hold.release()
    run = until(runner.store, run_id, lambda run: run.state == "paused")
    time.sleep(0.4)
    assert 2 <= runner.store.run(run_id).done == run.done < 10
    runner.go_on(run_id)
    assert until(runner.store, run_id, over).state == "finished"
    whole = runner.start(asked)
    until(runner.store, whole, over)
    assert runner.store.run(whole).done > 10
    assert bits(runner.store, run_id) == bits(runner.store, whole)
    assert runner.store.run(run_id).summary == runner.store.run(whole).summary


def test_stopped_is_not_failed_and_keeps_its_steps(runner):
    run_id = runner.start(Question("long", german(LONG)))
    until(runner.store, run_id, at(2))
    runner.stop(run_id)
    run = until(runner.store, run_id, over)
    assert (run.state, run.sentence) == ("stopped", "Stopped by hand.")
    assert len(runner.store.steps(run_id)) == run.done + 1
    assert run.summary is not None


@pytest.mark.slow
def test_a_killed_worker_leaves_its_steps_and_a_sentence_and_the_run_can_go_on(runner, tmp_path, monkeypatch):
    hold, asked, run_id = held_run(runner, tmp_path, german(80), 7)
    os.kill(runner.store.state(run_id).pid, signal.SIGKILL)
    run = until(runner.store, run_id, over)
    hold.release()
    assert run.state == "failed"
    assert "signal 9" in run.sentence
    assert f"Everything up to iteration {run.done} is kept" in run.sentence
    assert len(runner.store.steps(run_id)) == run.done + 1
    assert run.summary is None  # it could not say what it had reached, but its steps do
    monkeypatch.setenv(PICKLES, "1")
    told = summary_of(RunOutcome.open(runner.store, run_id))
    short = replace(german(run.done), model=hold.source, folder=data_files().path)
    result = dc.run(short.problem(), short.settings)
    assert told.sentence == result.certificate.sentence
    assert told.metrics.ot_x == pytest.approx(dc.metrics(result.problem, result.counterfactual).ot_x, rel=1e-9)
    runner.go_on(run_id)
    assert until(runner.store, run_id, over).state == "finished"
    whole = runner.start(asked)
    assert until(runner.store, whole, over).state == "finished"
    assert bits(runner.store, run_id) == bits(runner.store, whole)


@pytest.mark.slow
def test_more_runs_than_workers_wait_in_order_and_can_be_taken_out(runner):
    first, second, third, fourth = (runner.start(Question(name, german(LONG))) for name in "abcd")
    until(runner.store, first, at(1))
    until(runner.store, second, at(1))
    waiting = [runner.store.run(run_id) for run_id in (third, fourth)]
    assert [run.state for run in waiting] == ["queued", "queued"]
    assert [runner.store.before(run) for run in waiting] == [(2, 0), (2, 1)]
    runner.stop(third)
    assert runner.store.run(third).state == "stopped"
    runner.pause(first)  # a run that rests gives its place to the next
    until(runner.store, fourth, at(1))
    assert runner.store.run(third).done == -1
    assert runner.store.run(first).state == "paused"
    runner.stop(first)
    assert runner.store.run(first).state == "stopped"


def test_a_model_that_cannot_be_had_is_one_sentence(runner):
    scenario = german()
    broken = json.loads(json.dumps(scenario.to_dict()))
    broken["model"] = {"file": "missing.json", "mapping": {}, "output": None}
    run = until(runner.store, runner.start(Question("broken", dc.Scenario.from_dict(broken))), over)
    assert run.state == "refused"  # going on would not help
    assert run.sentence == ("The file “missing.json” is not in the scenario's folder: put it there, or correct the path.")


def test_who_goes_on_goes_past_what_ended_the_run(runner):
    asked = german(6, stop_when_certified=True)
    easy = replace(asked, bounds=replace(asked.bounds, u_x=100.0, u_y=100.0))
    run_id = runner.start(Question("easy", easy))
    assert until(runner.store, run_id, over).done == 0
    runner.go_on(run_id, more=6)  # as many as were asked at first
    run = until(runner.store, run_id, lambda run: run.over and run.done > 0)
    assert (run.state, run.done) == ("finished", 6)


@pytest.mark.parametrize("search", SEARCHES)
def test_going_on_for_more_iterations(runner, search):
    run_id = runner.start(Question("short", german(3, **SEARCHES[search])))
    until(runner.store, run_id, over)
    runner.go_on(run_id, more=4)
    run = until(runner.store, run_id, over)
    assert (run.state, run.done, run.iterations) == ("finished", 7, 7)
    long = runner.start(Question("long", german(7, **SEARCHES[search])))
    until(runner.store, long, over)
    assert bits(runner.store, run_id) == bits(runner.store, long)


def test_a_personal_search_that_is_done_has_nothing_to_go_on_with(runner):
    run_id = runner.start(Question("done", german(40, selection="personal", k=20)))
    first = until(runner.store, run_id, over)
    assert 3 < first.done < 40
    steps = bits(runner.store, run_id)
    runner.go_on(run_id, more=5)
    run = until(runner.store, run_id, over)
    assert (run.state, run.done, run.sentence) == ("finished", first.done, None)
    assert bits(runner.store, run_id) == steps
    assert run.summary == first.summary


SERVER = """
import signal, sys
from discover_core.scenario.question import Question
from discover_core.workers.runner import Runner
from tests.workers.scenarios import german, until

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever runs tests in the background ignores Ctrl+C
    runner = Runner()
    run_id = runner.start(Question("orphan", german(int(sys.argv[1]))))
    until(runner.store, run_id, lambda run: run.done >= 3)
    print(run_id, flush=True)
    sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_server_that_ends_leaves_runs_that_say_so_and_can_be_continued(tmp_path, how):
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    environment = dict(os.environ, PYTHONPATH=os.getcwd())
    command, pipe = [sys.executable, str(script), str(ENDLESS)], subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)
    run_id = server.stdout.readline().strip()
    worker = Store().run(run_id).pid
    server.send_signal(how)
    server.wait(300)
    runner = Runner(Store(), Processes(2))
    run = until(runner.store, run_id, over)
    assert run.state == "stopped"
    assert run.sentence.startswith("The server was shut down while this run was at work.")
    assert 3 <= run.done < ENDLESS
    end = time.monotonic() + 300
    while gone(worker) is False and time.monotonic() < end:
        time.sleep(0.05)
    assert gone(worker), "the worker outlived its server"
    assert runner.store.run(run_id).done == run.done
    runner.go_on(run_id)
    whole, reached = runner.start(Question("whole", german(ENDLESS))), run.done + 20
    for each in (run_id, whole):
        until(runner.store, each, at(reached))
        runner.stop(each)
        assert until(runner.store, each, over).state == "stopped"
    assert bits(runner.store, run_id)[: reached + 1] == bits(runner.store, whole)[: reached + 1]
    assert len(bits(runner.store, run_id)) > reached
    runner.close()


def gone(pid):
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat") as file:
            return file.read().split()[2] == "Z"
    except (ProcessLookupError, FileNotFoundError):
        return True


@pytest.mark.slow
def test_pausing_and_resuming_at_once_leaves_one_healthy_worker(runner):
    for _ in range(3):
        run_id = runner.start(Question("hasty", german(15)))
        runner.pause(run_id)
        runner.go_on(run_id)
        run = until(runner.store, run_id, over)
        assert (run.state, run.sentence, run.done) == ("finished", None, 15)


def test_a_run_whose_worker_never_began_says_so(runner):
    lost = runner.store.add(Question("lost", german()), runner.server)
    runner._reconcile()
    run = runner.store.run(lost)
    assert run.state == "failed"
    assert run.sentence.endswith("Nothing was stored yet.")
    runner.go_on(lost)
    assert until(runner.store, lost, over).state == "finished"


def test_an_executor_that_takes_nothing_more_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    runner = Runner(Store(), pool)
    with pytest.raises(dc.InputError, match="No worker could be started: cannot schedule new futures after shutdown"):
        runner.start(Question("too late", german()))
    (run,) = runner.store.runs(all_ids(runner.store))
    assert (run.state, run.done) == ("failed", -1)
    runner.close()


def all_ids(store):
    with store.reading() as connection:
        return [row.id for row in connection.execute(RUNS.select()).all()]
