"""What a worker does with a run: build the problem, write every step, and obey the requests in the store.

It may run in any process or thread of anybody's executor, so it ends nothing but itself, by returning.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import replace

from ..errors import InputError, said
from ..outcome.audit_digest import AuditDigest
from ..outcome.policy_outcome import PolicyOutcome
from ..outcome.run_outcome import RunOutcome
from ..outcome.summary import summary_of
from ..outcome.typical_moves import in_words
from ..policy.audited_answer import audited_answer
from ..problem.problem import Problem
from ..scenario.scenario import Scenario
from ..scenario.study import Study
from ..solver.search import layout_of
from ..solver.solve import solve
from ..store.files import Files
from ..store.run import Request, Run, State
from ..store.step_codec import LEVELS, pack_head, place_of, step_row, unpack_head
from ..store.store import Lost, Store
from ..store.told_codec import pack_told, unpack_told
from .enforcement import short_of_memory
from .limits import Share
from .requests import GONE, OBEYED, Interruption, Requests, too_large

PATIENCE = 180.0  # seconds to wait for another writer: the system may leave it lying in the middle, and this run need not fail
TOLD = 0.5  # seconds between two words about an audit


def solve_run(url: str, files: Files, run_id: str, share: Share | None = None) -> None:
    """The whole life of a worker; the scenario's files are among `files`. It ends by itself when its share of time is over.

    It returns when there is nothing left to do, and everything it knows is in the store.
    """
    store = Store(url, PATIENCE)
    try:
        _work(store, files, run_id, store.claim(run_id, os.getpid()), share or Share())
    except Lost:
        return
    finally:
        store.engine.dispose()


def _work(store: Store, files: Files, run_id: str, token: str, share: Share) -> None:
    run = store.run(run_id)
    if run is None:
        raise Lost
    state: State = "finished"
    sentence: str | None = None
    summary: str | None = None
    audit: AuditDigest | None = None
    told: bytes | None = None
    requests = Requests(store, run_id, token, share)
    try:
        try:
            study = run.question.study(files, requests.around)
            problem = run.question.problem_of(study)
        except InputError as error:
            if run.done >= 0 or short_of_memory(error):
                raise
            store.end(run_id, token, "refused", str(error))
            return
        request = _solve(store, run, token, problem, run.question.scenario)
        if request is not None:
            state, sentence = OBEYED[request]
        elif run.question.scenario.audit is not None:
            audit, told = _audit(study, run.question.scenario, Telling(store, run_id, token))
    except Interruption as interruption:
        if interruption.end is None:
            raise Lost from None
        state, sentence = interruption.end
    except Lost:
        raise
    except Exception as error:
        state, sentence = "failed", _trouble(error, share)
    store.solved(run_id, token)
    if state != "paused" and sentence != GONE:  # this process goes with its server
        summary = _summary(store, run_id, state == "finished", audit, told)
    store.end(run_id, token, state, sentence, summary, told)


def _trouble(error: Exception, share: Share) -> str:
    if short_of_memory(error):
        return too_large(share)
    if isinstance(error, InputError):
        return str(error)
    return f"Something unexpected went wrong ({type(error).__name__}: {said(error)})."


def _solve(store: Store, run: Run, token: str, problem: Problem, scenario: Scenario) -> Request | None:
    """Go on from the last step stored. The request that ended it, or None when it came to its own end."""
    place, settings = place_of(store.steps(run.id)), run.settings
    if place is None:
        store.begin(run.id, token, pack_head(problem, layout_of(problem, settings), scenario.people))
    elif (head := store.head(run.id)) is not None:  # it goes on with the target it began with: wishes had a sampling band before
        problem = problem.with_target(replace(problem.target, sampled=unpack_head(head).target.sampled))
    request = store.read_request(run.id, token)
    if request is not None:
        return request
    began = time.monotonic() - run.seconds
    for step in solve(problem, settings, place, LEVELS):
        request = store.write(run.id, token, step_row(step), time.monotonic() - began)
        if request is not None and step.iteration < settings.iterations:
            return request
    return None


class Telling:
    """Says in the store what the audit does, so often that somebody who watches sees it move."""

    def __init__(self, store: Store, run_id: str, token: str) -> None:
        self._say: Callable[[str], None] = lambda sentence: store.say(run_id, token, sentence)
        self._said = -math.inf

    def __call__(self, doing: str, count: int) -> None:
        now = time.monotonic()
        if now - self._said >= TOLD:
            self._said = now
            self._say(f"Auditing: {count:,} {doing}.")


def _audit(study: Study, scenario: Scenario, telling: Telling) -> tuple[AuditDigest, bytes | None]:
    """A policy for the same question, what can be said of new people, and what it tells everybody here. The run's own answer
    stays whatever comes of it."""
    try:
        answer = audited_answer(study, scenario, telling)
    except InputError as error:
        return AuditDigest(trouble=str(error)), None
    return AuditDigest.of(answer), pack_told(answer.told)


def _summary(store: Store, run_id: str, ended: bool, audit: AuditDigest | None, told: bytes | None) -> str | None:
    """What the best iterate amounts to, from the steps as they are stored, and what the policy does."""
    try:
        found = RunOutcome.open(store, run_id, ended=ended)
        if audit is not None and told is not None:
            audit = replace(audit, words=tuple(in_words(PolicyOutcome.of_told(found, unpack_told(told), ""))))
        return summary_of(found, audit).to_json()
    except Exception:  # the steps are what counts; whoever opens them can work it out again
        return None
