"""What one browser session is working on: one immutable `Work`, and the last few before it."""

from __future__ import annotations

import os
import tempfile
import time
import uuid
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.runs.results import Opened, Scored
from discover_core.table import Cohort, Dataset, Schema
from discover_core.table.known import KnownTable

from .text import plain

SHOWN = 5.0  # seconds that a message stays at least
KEPT = 4  # pieces of work that stay at hand in one session


@dataclass(frozen=True)
class Work:
    """A table, its group and its model. Every change makes a new one; widgets are only views of it."""

    id: str
    dataset: Dataset
    actions: Actionability
    known: KnownTable | None
    cohort: Cohort
    scored: Scored | None
    sample: str | None = None

    @classmethod
    def of(cls, opened: Opened, sample: str | None = None) -> Work:
        return cls(uuid.uuid4().hex[:8], opened.dataset, opened.actions, opened.known, opened.cohort, opened.scored, sample)

    @property
    def schema(self) -> Schema:
        return self.dataset.schema

    @property
    def model_is_old(self) -> bool:
        """The columns were described differently when the model was made."""
        return self.scored is not None and self.scored.model.schema != self.schema

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """The rows of the group; an InputError when a rule cannot be used."""
        return self.cohort.rows(self.dataset.ready, self.schema, None if self.scored is None else self.scored.scores)

    @cached_property
    def matching(self) -> int:
        """How many rows fulfil the rules, before sampling."""
        everybody = replace(self.cohort, sample=None)
        return len(everybody.rows(self.dataset.ready, self.schema, None if self.scored is None else self.scored.scores))

    def with_schema(self, schema: Schema) -> Work:
        """The same work with other columns. A rule whose column is used differently now cannot be kept."""
        if schema == self.schema:
            return self
        kept = tuple(rule for rule in self.cohort.rules if schema[rule.column].role == self.schema[rule.column].role)
        if len(kept) < len(self.cohort.rules):
            lost = next(rule.column for rule in self.cohort.rules if rule not in kept)
            say("info", f"The group's rule on **{plain(lost)}** was removed, because the column is used differently now.")
        cohort = replace(self.cohort, rules=kept)
        return replace(self, dataset=self.dataset.with_schema(schema), actions=Actionability.default(schema), cohort=cohort)


def current() -> Work | None:
    work: Work | None = st.session_state.get("work")
    return work


def keep(work: Work) -> None:
    """Make this the current work; the one before it stays among the recent ones."""
    st.session_state["work"] = work
    before = [w for w in st.session_state.get("recent", []) if w.id != work.id]
    st.session_state["recent"] = [work, *before][:KEPT]


def update(**changes: Any) -> None:
    """Change some fields of the current work."""
    work = current()
    if work is not None:
        keep(replace(work, **changes))


def recent() -> list[Work]:
    return list(st.session_state.get("recent", []))


def say(kind: Literal["error", "success", "info"], text: str) -> None:
    """A message for the top of the page."""
    st.session_state["message"] = (kind, text, None, None)


def hush() -> None:
    """Take the message away: something new has begun."""
    st.session_state.pop("message", None)


def message(page: str) -> tuple[str, str] | None:
    """The message to show. It stays on its page for some seconds, because a run may follow another at once, and then goes."""
    kept = st.session_state.get("message")
    if kept is None:
        return None
    kind, text, since, where = kept
    if since is not None and (time.monotonic() - since > SHOWN or where != page):
        hush()
        return None
    st.session_state["message"] = (kind, text, since or time.monotonic(), page)
    return kind, text


def park(content: bytes) -> str:
    """Put an upload on disk under a name of our own; the job that reads it gets the path."""
    handle, path = tempfile.mkstemp(prefix="discover-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    return path


def problem_of(action: Any) -> str | None:
    """The sentence if this raises an InputError."""
    try:
        action()
    except InputError as error:
        return str(error)
    return None
