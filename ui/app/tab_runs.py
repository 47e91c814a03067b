"""Runs from the page's side: the one runner of this server, the run this tab looks at, and those it has started."""

from __future__ import annotations

import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from discover_core.errors import InputError
from discover_core.outcome.opposite_changes import opposite_words
from discover_core.outcome.policy_outcome import PolicyOutcome
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary
from discover_core.outcome.typical_moves import in_words
from discover_core.problem.settings import Settings
from discover_core.store.erase import erase
from discover_core.store.row_check import Damaged
from discover_core.store.run import Run
from discover_core.store.run_progress import RunProgress
from discover_core.store.store import Store
from discover_core.store.told_codec import unpack_told
from discover_core.workers.runner import Runner

from . import address, open_files, scenario_io, session

ENDS_WITHIN = 10.0  # seconds to wait for a run at work before it is deleted all the same
AT_HAND = 12  # runs that stay at hand in one session


@st.cache_resource
def runner() -> Runner:
    """Starting it marks the runs of a server that is gone."""
    return Runner()


def store() -> Store:
    return runner().store


def current() -> str | None:
    """The id of the run this tab looks at."""
    run_id: str | None = st.session_state.get("run")
    return run_id


def shown() -> Run | None:
    """The run this tab looks at, as its row says."""
    run_id = current()
    return None if run_id is None else store().run(run_id)


@st.cache_resource(max_entries=8, show_spinner="Opening the result …")
def outcome(run: Run) -> RunOutcome:
    """A run as a result. What a store holds of a run never changes, so whoever has its id may share what was read."""
    return RunOutcome.open(store(), run.id)


def delete(runs: Collection[str], scenarios: Collection[str] = (), names: Collection[str] = ()) -> None:
    """Delete these for good, with the files that nobody else needs or has open. What is at work is stopped first."""
    for run in store().runs(runs):
        if run.working:
            with suppress(InputError):  # on a full disk nothing can be asked of a worker; it finds out by itself
                runner().stop(run.id)
    end = time.monotonic() + ENDS_WITHIN
    while any(run.working for run in store().runs(runs)) and time.monotonic() < end:
        time.sleep(0.1)
    if current() in runs:
        look_at(None)
    erase(store(), runner().files, runs, scenarios, names, open_files.held())


def policy_outcome(run: Run) -> PolicyOutcome | None:
    """What its audited policy tells everybody of the group; None where there is none, as for runs of before."""
    said = Summary.from_json(run.summary)
    audit = None if said is None else said.audit
    return None if audit is None or not audit.audits else _policy_outcome(run, looks_at(audit.family))


@st.cache_resource(max_entries=8, show_spinner=False)
def _policy_outcome(run: Run, looks: int) -> PolicyOutcome | None:
    told, said = store().policy(run.id), Summary.from_json(run.summary)
    if told is None or said is None or said.audit is None:
        return None
    audit = said.audit.audit(looks)
    statement = f"{looks} answers were audited with this group, too many for a promise." if audit is None else audit.sentence
    return PolicyOutcome.of_told(outcome(run), unpack_told(told), statement)


def looks_at(family: str) -> int:
    """How many different answers were audited with the same group in this browser, this one among them."""
    asked = set()
    for run in store().runs([*opened(), *told()]):
        if run.damage is not None:
            continue
        said = Summary.from_json(run.summary)
        if said is not None and said.audit is not None and said.audit.family == family:
            asked.add(run.question.without_seed)
    return max(1, len(asked))


@st.cache_resource(max_entries=8, show_spinner=False)
def words(run: Run, policy: bool) -> tuple[str, ...]:
    """What happened, as its worker told it; of a run that is at work or was cut off, worked out here. Or the policy's answer."""
    said = Summary.from_json(run.summary)
    if policy and said is not None and said.audit is not None:
        return said.audit.words
    return said.words if said is not None and said.words else tuple(in_words(outcome(run)))


@st.cache_resource(max_entries=8, show_spinner=False)
def opposite(run: Run, policy: bool) -> str:
    """The warning of features that go up for some and down for others, if there are any."""
    found = policy_outcome(run) if policy else outcome(run)
    return "" if found is None else opposite_words(found)


def summary(progress: RunProgress) -> Summary | None:
    """What a run that is over amounts to; None while it is at work, or when it never made a step."""
    said = Summary.from_json(progress.run.summary)
    if said is not None or not progress.run.over or progress.done < 0:
        return said
    return _worked_out(progress.run)


@st.cache_resource(max_entries=8, show_spinner="Working out what was reached …")
def _worked_out(run: Run) -> Summary:
    """Of a run that was cut off, or stopped while it paused: its worker could not say it."""
    return outcome(run).summary


def gone() -> bool:
    """Whether the run this tab looks at is not in the store any more."""
    return session.problem_of(store) is None and shown() is None


def look_at(run_id: str | None) -> None:
    st.session_state["run"] = st.session_state["looked_at"] = run_id
    if run_id is None:
        st.query_params.pop("run", None)
    else:
        st.session_state["runs"] = list(dict.fromkeys([run_id, *opened()]))[:AT_HAND]


def opened() -> list[str]:
    """The ids of the runs this tab has started or opened, the last one first."""
    return list(st.session_state.get("runs", []))


def told() -> list[str]:
    """The ids of the runs that the browser says it has started or opened, in whichever tab."""
    return list(st.session_state.get("runs_told", []))


def looked_at(run: Run) -> bool:
    """Whether somebody wanted to see just this run, whatever the draft asks."""
    return bool(st.session_state.get("looked_at") == run.id)


def look_at_draft() -> None:
    """The draft is what the Solve page is about, until a run is looked at again."""
    st.session_state.pop("looked_at", None)


def mine() -> list[Run]:
    """The runs this tab has started or opened, the newest first."""
    return store().runs(opened())


def progress() -> RunProgress:
    """What is stored of the run this tab looks at, brought up to date; an InputError when there is none."""
    run_id = current() or ""
    kept: RunProgress | None = st.session_state.get("run_progress")
    if kept is None or kept.run.id != run_id:
        kept = RunProgress.open(store(), run_id)
        st.session_state["run_progress"] = kept
    else:
        kept.refresh(store())
    return kept


def start(work: session.Work) -> None:
    """Ask the question as it stands."""
    look_at(runner().start(scenario_io.question_of(work)))


def try_again(run: Run, **changes: object) -> None:
    """The same question with other settings, as a run of its own."""
    asked = run.question
    settings: Settings = replace(asked.scenario.settings, **changes)  # type: ignore[arg-type]
    look_at(runner().start(replace(asked, scenario=replace(asked.scenario, settings=settings))))


def open_question(run: Run, go_to: str | None = "scenario") -> None:
    """Make the question of a run the current work, so that it can be changed."""
    scenario_io.open_question(run.question, run.created, go_to=go_to)


def reopen(run_id: str) -> None:
    """After a reload: bring back the question of the run, and stay on the page."""
    run = store().run(run_id)
    if run is not None and run.damage is None:
        open_question(run, go_to=None)


def damage(run: Run) -> str | None:
    """Why what is stored of a run cannot be shown, if so."""
    try:
        if run.damage is None:
            progress()
    except Damaged as error:
        return str(error)
    except InputError:
        return None  # it is gone, or the store is: whoever shows it says so
    return run.damage


def open_address() -> None:
    """The address may name a run: look at it if this tab has none yet, or if Back or Forward led to it."""
    wanted = st.query_params.get("run")
    if not wanted or wanted == current():
        return
    if address.came_back() or (current() is None and st.session_state.get("run_asked") != wanted):
        st.session_state["run_asked"] = wanted
        if store().run(wanted) is not None:
            look_at(wanted)
        else:
            session.say("error", "There is no run with this id: it may have been deleted, or the address is incomplete.")
