"""What one browser session is working on: one immutable `Work`, and the last few before it."""

from __future__ import annotations

import os
import tempfile
import time
import uuid
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.problem.amounts import amount
from discover_core.problem.presets import FITTED, PRESETS
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.problem.wish import Wish
from discover_core.scenario.first_target import first_shift, middle, score_step
from discover_core.scenario.sources import SampleTable, TableSource
from discover_core.scenario.target_specification import TargetContext, TargetSpecification
from discover_core.table import Cohort, Dataset, Schema
from discover_core.table.known import KnownTable
from discover_core.workers.page_results import Opened, Scored

from .draft import Draft
from .text import plain

SHOWN = 5.0  # seconds that a message stays at least
UNDECIDED = "Whom is it about? Choose the group first: some of the people by a rule, or everybody."
KEPT = 4  # pieces of work that stay at hand in one session


@dataclass(frozen=True)
class Work:
    """A table, its group and its model. Every change makes a new one; widgets are only views of it.

    A group without any rule is everybody only if somebody said so (`everybody`): a demo, a scenario, or the user.
    `people` is the column that says what people are called; without one they go by their rows.
    """

    id: str
    dataset: Dataset
    actions: Actionability
    known: KnownTable | None
    cohort: Cohort
    scored: Scored | None
    source: TableSource
    draft: Draft = field(default_factory=Draft)
    everybody: bool = False
    people: str | None = None

    @classmethod
    def of(cls, opened: Opened, draft: Draft | None = None) -> Work:
        parts = (opened.dataset, opened.actions, opened.known, opened.cohort, opened.scored, opened.source)
        said = isinstance(opened.source, SampleTable) or opened.scenario is not None
        return cls(uuid.uuid4().hex[:8], *parts, draft or Draft(), said, opened.people)

    @property
    def sample(self) -> str | None:
        """The name of the shipped data set this is about."""
        return self.source.sample if isinstance(self.source, SampleTable) else None

    @property
    def schema(self) -> Schema:
        return self.dataset.schema

    @property
    def model_is_old(self) -> bool:
        """The columns were described differently when the model was made."""
        return self.scored is not None and self.scored.model.schema != self.schema

    @property
    def decided(self) -> bool:
        """Somebody has said whom it is about: by a rule, by the score, or in so many words everybody."""
        return self.everybody or bool(self.cohort.rules) or self.cohort.score_side is not None

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """The rows of the group; an InputError when a rule cannot be used, or nobody has said whom it is about."""
        if not self.decided:
            raise InputError(UNDECIDED)
        return self.cohort.rows(self.dataset.ready, self.schema, None if self.scored is None else self.scored.scores)

    @cached_property
    def population(self) -> NDArray[np.int64]:
        """All rows that fulfil the rules, before sampling."""
        everybody = replace(self.cohort, sample=None)
        return everybody.rows(self.dataset.ready, self.schema, None if self.scored is None else self.scored.scores)

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """The score of every row of the table, inside the model's interval. Only with a model."""
        assert self.scored is not None
        interval = self.scored.model.interval
        return self.scored.scores if interval is None else np.clip(self.scored.scores, *interval)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the model's scores can lie, if it says so."""
        return None if self.scored is None else self.scored.model.interval

    @property
    def middle(self) -> float:
        """A threshold to begin with."""
        return middle(self.scores, self.interval)

    @property
    def score_step(self) -> float:
        """A step for fields that hold a score."""
        return score_step(self.scores, self.interval)

    @cached_property
    def wish(self) -> Wish:
        """What the draft asks of the group's scores; an InputError when its target cannot be made."""
        return Wish.of(self.target(self.draft.target), self.scores[self.group])

    @property
    def beyond(self) -> str | None:
        """A sentence if nobody in the whole table scores what the draft asks for."""
        past = self.wish.past
        if past is None or past.right(self.scores).any():
            return None
        end = (
            f"the lowest is {amount(self.scores.min())}"
            if past.side == "below"
            else f"the highest is {amount(self.scores.max())}"
        )
        return f"Nobody in the whole table scores {past.words}: {end}. It may not be possible at all."

    @property
    def needed(self) -> int:
        """How many people of the group have to change; all of them while nobody can say."""
        try:
            return self.wish.needed(self.scores[self.group])
        except InputError:
            return len(self.group)

    @property
    def settings(self) -> Settings:
        """The settings to solve with: while fitted, they follow the group and the wish."""
        own = self.draft.settings
        if not self.draft.fitted:
            return own
        fitted = PRESETS[FITTED].settings(len(self.group), len(self.actions.editable), self.needed)
        return replace(fitted, seed=own.seed, encoding=own.encoding)

    def target(self, specification: TargetSpecification) -> Target:
        """The distribution that a specification makes for this group; an InputError when it cannot."""

        def scores_of(cohort: Cohort) -> NDArray[np.float64]:
            rows = cohort.rows(self.dataset.ready, self.schema, self.scores)
            if not len(rows):
                raise InputError("The reference group has no rows: loosen its rules.")
            return self.scores[rows]

        return specification.target(TargetContext(self.scores[self.group], scores_of))

    def with_model(self, scored: Scored) -> Work:
        """A threshold of .5, the first target of all, means nothing for scores without bounds: then it is a shift."""
        made = replace(self, scored=scored)
        if made.interval is not None or made.draft.target != Draft().target:
            return made
        return replace(made, draft=replace(made.draft, target=first_shift(made.scores, None)))

    def with_schema(self, schema: Schema) -> Work:
        """The same work with other columns. A rule whose column is used differently now cannot be kept."""
        if schema == self.schema:
            return self
        kept = tuple(rule for rule in self.cohort.rules if schema[rule.column].role == self.schema[rule.column].role)
        if len(kept) < len(self.cohort.rules):
            lost = next(rule.column for rule in self.cohort.rules if rule not in kept)
            say("info", f"The group's rule on **{plain(lost)}** was removed, because the column is used differently now.")
        cohort = replace(self.cohort, rules=kept)
        actions = self.actions.carried(schema)
        people = self.people if self.people != schema.outcome else None
        return replace(self, dataset=self.dataset.with_schema(schema), actions=actions, cohort=cohort, people=people)


def current() -> Work | None:
    work: Work | None = st.session_state.get("work")
    return work


def keep(work: Work) -> None:
    """Make this the current work; the one before it stays among the recent ones. What is asked may be another question now."""
    if work is not current():
        st.session_state.pop("looked_at", None)
    st.session_state["work"] = work
    before = [w for w in st.session_state.get("recent", []) if w.id != work.id]
    st.session_state["recent"] = [work, *before][:KEPT]


def update(**changes: Any) -> None:
    """Change some fields of the current work."""
    work = current()
    if work is not None:
        keep(replace(work, **changes))


def ask(**changes: Any) -> None:
    """Change some fields of the current draft: what a widget of the Scenario page does."""
    work = current()
    if work is not None:
        keep(replace(work, draft=replace(work.draft, **changes)))


def renew() -> None:
    """The draft was changed from elsewhere (a preset, an import): its widgets, whose keys hold this number, start anew."""
    st.session_state["draft_version"] = version() + 1


def version() -> int:
    return int(st.session_state.get("draft_version", 0))


def refresh_columns() -> None:
    """Draw the table anew from the schema, after a change made elsewhere."""
    st.session_state["columns_version"] = st.session_state.get("columns_version", 0) + 1


def memo(name: str, key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gave for this key the last time, in this session only. One value is kept under each name."""
    kept = st.session_state.get(f"memo-{name}")
    if kept is None or kept[0] != key:
        kept = (key, make())
        st.session_state[f"memo-{name}"] = kept
    return kept[1]


def recent() -> list[Work]:
    return list(st.session_state.get("recent", []))


def go_back_to(sample: str) -> None:
    """Make the last work about this demo the current one, if it is still at hand."""
    work = next((work for work in recent() if work.sample == sample), None)
    if work is not None:
        keep(work)


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


def attempt(action: Callable[[], Any]) -> None:
    """Do what a button asks for; if it cannot be done, its sentence shows at the top of the page."""
    try:
        action()
    except InputError as error:
        say("error", plain(error))


def problem_of(action: Any) -> str | None:
    """The sentence if this raises an InputError."""
    try:
        action()
    except InputError as error:
        return str(error)
    return None
