"""What a worker does with a run: build the problem, write every step, and obey the requests in the store."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from dataclasses import replace

from ..errors import InputError, said
from ..outcome.run_outcome import RunOutcome
from ..outcome.summary import summary_of
from ..problem.problem import Problem
from ..problem.settings import Settings
from ..scenario.scenario import Scenario
from ..solver.search import layout_of
from ..solver.solve import solve
from ..store.files import Files
from ..store.run import Request, Run, State
from ..store.step_codec import LEVELS, pack_head, place_of, step_row
from ..store.store import Lost, Store

PATIENCE = 5.0  # seconds a worker may take to obey before it is ended in the middle of an iteration
LOOK = 0.5
OBEYED: dict[Request, tuple[State, str | None]] = {"pause": ("paused", None), "stop": ("stopped", "Stopped by hand.")}
GONE = "The server was shut down while this run was at work. Everything up to here is kept: continue from here."


def solve_run(url: str, files: Files, run_id: str) -> None:
    """The whole life of a worker; the scenario's files are among `files`.

    It returns when there is nothing left to do, and everything it knows is in the store.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C ends the server; whoever works for it notices by itself
    store = Store(url)
    try:
        token = store.claim(run_id, os.getpid())
    except Lost:
        return
    over, solved = threading.Event(), threading.Event()
    threading.Thread(target=_watch, args=(store, run_id, token, over, solved), daemon=True).start()
    try:
        _work(store, files, run_id, token, solved)
    except Lost:
        return
    finally:
        over.set()


def _work(store: Store, files: Files, run_id: str, token: str, solved: threading.Event) -> None:
    run = store.run(run_id)
    if run is None:
        raise Lost
    state: State = "finished"
    sentence: str | None = None
    answer: str | None = None
    try:
        try:
            problem = run.question.problem(files)
        except InputError as error:
            if run.done >= 0:
                raise
            store.end(run_id, token, "refused", str(error))
            return
        request = _solve(store, run, token, problem, run.question.scenario)
        if request is not None:
            state, sentence = OBEYED[request]
    except InputError as error:
        state, sentence = "failed", str(error)
    except MemoryError:
        state, sentence = "failed", "There was not enough memory: choose a smaller group, or fewer tries per iteration."
    except Lost:
        raise
    except Exception as error:
        state, sentence = "failed", f"Something unexpected went wrong ({type(error).__name__}: {said(error)})."
    solved.set()
    if state != "paused":
        answer = _answer(store, run_id)
    store.end(run_id, token, state, sentence, answer)


def _solve(store: Store, run: Run, token: str, problem: Problem, scenario: Scenario) -> Request | None:
    """Go on from the last step stored. The request that ended it, or None when it came to its own end."""
    place, settings = place_of(store.steps(run.id)), settings_of(run, scenario)
    if place is None:
        store.begin(run.id, token, pack_head(problem, layout_of(problem, settings), scenario.people))
    request = store.read_request(run.id, token)
    if request is not None:
        return request
    began = time.monotonic() - run.seconds
    for step in solve(problem, settings, place, LEVELS):
        request = store.write(run.id, token, step_row(step), time.monotonic() - began)
        if request is not None and step.iteration < settings.iterations:
            return request
    return None


def settings_of(run: Run, scenario: Scenario) -> Settings:
    """The settings asked for. Who went on for more does not want it to end for the reason that ended it before."""
    if not run.more:
        return scenario.settings
    return replace(scenario.settings, iterations=run.iterations, stop_when_certified=False, patience=None)


def _answer(store: Store, run_id: str) -> str | None:
    """What the best iterate amounts to, from the steps as they are stored."""
    try:
        return summary_of(RunOutcome.open(store, run_id)).to_json()
    except Exception:  # the steps are what counts; whoever opens them can work the answer out again
        return None


def _watch(store: Store, run_id: str, token: str, over: threading.Event, solved: threading.Event) -> None:
    """End a worker that cannot obey in time, whose server is gone, or whose run belongs to another by now."""
    parent = multiprocessing.parent_process()
    asked: float | None = None
    while not over.wait(LOOK):
        try:
            if parent is not None and not parent.is_alive():
                store.end(run_id, token, "stopped", GONE)
                os._exit(0)
            request = store.read_request(run_id, token)
            if request is None or solved.is_set():
                asked = None
                continue
            asked = asked or time.monotonic()
            if time.monotonic() - asked > PATIENCE:
                store.end(run_id, token, *OBEYED[request])
                os._exit(0)
        except Lost:
            if not over.wait(PATIENCE):
                os._exit(0)
        except InputError:
            continue  # the store could not be written: the worker itself will say so
