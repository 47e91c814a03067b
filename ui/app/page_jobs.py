"""The job of a session: start it, show it on every page, take its result."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from discover_core.errors import InputError
from discover_core.workers import Job
from discover_core.workers.job_queue import JobQueue
from discover_core.workers.limits import Limits

from . import session
from .presence import presence
from .text import plain

JOBS = "discover_core.workers.page_jobs"
EVERY = 0.15  # seconds between two looks at a job


@dataclass(frozen=True)
class Started:
    """A job, what to do with its result or its error, and the file that goes when it is over."""

    job: Job
    done: Callable[[Any], None]
    failed: Callable[[InputError], None] | None
    path: str | None

    def end(self) -> None:
        """Whether or not somebody is there to see it."""
        self.job.stop()
        self.clear()

    def clear(self) -> None:
        if self.path:
            with contextlib.suppress(OSError):
                os.unlink(self.path)


@st.cache_resource
def queue() -> JobQueue:
    """The places of this server; an InputError when a setting cannot be used."""
    return JobQueue(Limits.of_environment())


def busy() -> bool:
    return "job" in st.session_state


def start(
    title: str,
    task: str,
    *args: Any,
    done: Callable[[Any], None],
    failed: Callable[[InputError], None] | None = None,
    path: str | None = None,
) -> None:
    """Begin a task by its name; a job that is still running gives way."""
    if busy():
        stop()
    session.hush()
    started = Started(Job(f"{JOBS}:{task}", *args, title=title, queue=queue()), done, failed, path)
    st.session_state["job"] = started
    presence().expect(started.end)


def stop() -> None:
    started: Started = st.session_state["job"]
    started.job.stop()
    _drop(started)
    session.say("info", f"{started.job.title} was stopped. Nothing else has changed.")


def collect() -> None:
    """Take the result of a job that is over. Called once at the top of every run."""
    presence()
    started: Started | None = st.session_state.get("job")
    if started is None or started.job.state == "running":
        return
    _drop(started)
    if started.job.state == "finished":
        session.attempt(lambda: started.done(started.job.result))
    elif started.job.error is not None:
        if started.failed is None:
            session.say("error", plain(started.job.error))
        else:
            started.failed(started.job.error)


def panel() -> DeltaGenerator | None:
    """The place of the running job, with a button to stop it; None when there is none."""
    if not busy():
        return None
    with st.container(border=True, key="job"):
        left, right = st.columns([6, 1], vertical_alignment="center")
        if right.button("Stop", key="stop_job", width="stretch"):
            stop()
            st.rerun()
        return left.empty()


def follow(place: DeltaGenerator | None) -> None:
    """Once the page is drawn, show the job's progress until it is over. Any click ends this run and starts another."""
    started: Started | None = st.session_state.get("job")
    if place is None or started is None:
        return
    job = started.job
    while job.state == "running":
        place.progress(min(job.share, 1.0), f"**{job.title}** · {_doing(job)} · {job.seconds:.0f} s")
        time.sleep(EVERY)
    st.rerun()


def _doing(job: Job) -> str:
    before = job.before
    if before is None:
        return job.doing or "Starting"
    waits = "next in line" if not before else "1 other before this one" if before == 1 else f"{before} others before this one"
    return f"Waiting for a place: {waits}"


def _drop(started: Started) -> None:
    st.session_state.pop("job", None)
    presence().expect(None)
    started.clear()
