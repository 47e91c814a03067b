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
from discover_core.problem.column_rules import known_rules
from discover_core.problem.presets import FITTED, QUICK
from discover_core.problem.settings import Settings
from discover_core.problem.targets import Shift
from discover_core.problem.targets.score_scale import middle, score_step
from discover_core.problem.wish import Wish
from discover_core.scenario.sources import SampleTable, TableSource
from discover_core.scenario.study import Study
from discover_core.table import Cohort, Dataset, Schema
from discover_core.table.known import KnownTable
from discover_core.workers.page_results import OpenTable, ScoredModel

from . import open_files
from .draft import FIRST_TARGET, Draft
from .memory import Memory
from .text import plain

SHOWN = 5.0  # seconds that a message stays at least
UNDECIDED = "Whom is it about? Choose the group first: some of the people by a rule, or everybody."
AT_HAND = 4  # pieces of work that stay at hand in one session
AUDITED = 100  # people in a group from which on answers are audited unless somebody says otherwise


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
    scored: ScoredModel | None
    source: TableSource
    draft: Draft = field(default_factory=Draft)
    everybody: bool = False
    people: str | None = None

    @classmethod
    def of(cls, opened: OpenTable, dataset: Dataset, draft: Draft | None = None) -> Work:
        parts = (dataset, opened.actions, opened.known, opened.cohort, opened.scored, opened.source)
        demo = isinstance(opened.source, SampleTable)
        first = draft or Draft(fitted=QUICK if demo else FITTED)
        if draft is None and opened.known is not None:
            first = replace(first, rules=known_rules(opened.known, dataset.schema))
            first = replace(first, target=replace(FIRST_TARGET, share=opened.known.share)) if demo else first
        return cls(uuid.uuid4().hex[:8], *parts, first, demo or opened.scenario is not None, opened.people)

    @property
    def sample(self) -> str | None:
        """The name of the shipped data set this is about."""
        return self.source.sample if isinstance(self.source, SampleTable) else None

    @property
    def files(self) -> frozenset[str]:
        """Those of the data folder that it needs."""
        return open_files.names_in(self.source, self.scored and (self.scored.source, self.scored.model_copy))

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
    def study(self) -> Study:
        scored = self.scored
        return Study(
            self.dataset, self.cohort, None if scored is None else scored.model, None if scored is None else scored.scores
        )

    @property
    def group(self) -> NDArray[np.int64]:
        """The rows of the group; an InputError when a rule cannot be used, or nobody has said whom it is about."""
        if not self.decided:
            raise InputError(UNDECIDED)
        return self.study.group

    @property
    def scores(self) -> NDArray[np.float64]:
        """The score of every row of the table. Only with a model."""
        return self.study.scores

    @property
    def middle(self) -> float:
        """A threshold to begin with."""
        return middle(self.scores, self.study.interval)

    @property
    def score_step(self) -> float:
        """A step for fields that hold a score."""
        return score_step(self.scores, self.study.interval)

    @cached_property
    def wish(self) -> Wish:
        """What the draft asks of the group's scores; an InputError when its target cannot be made."""
        return self.study.wish(self.draft.target)

    @cached_property
    def beyond(self) -> str | None:
        """A sentence if nobody in the whole table scores what the draft asks for."""
        return self.study.beyond(self.draft.target)

    @cached_property
    def to_help(self) -> int:
        """How many people of the group a search has to help for the draft."""
        return self.study.to_help(self.draft.target)

    @cached_property
    def settings(self) -> Settings:
        """The settings to solve with: while fitted, they follow the group and the wish."""
        own = self.draft.settings
        preset = self.draft.fitted
        return own if preset is None else self.study.fitted(self.actions, self.draft.target, own, preset)

    @property
    def audited(self) -> bool:
        """Whether an answer is audited: if nobody said so, where the group is large enough for it to say something."""
        return len(self.group) >= AUDITED if self.draft.audited is None else self.draft.audited

    def with_model(self, scored: ScoredModel) -> Work:
        """A threshold of .5, the first target of all, means nothing for scores without bounds: then it is a shift."""
        made = replace(self, scored=scored)
        if made.study.interval is not None or made.draft.target != FIRST_TARGET:
            return made
        return replace(made, draft=replace(made.draft, target=Shift.first(made.scores, None)))

    def with_schema(self, schema: Schema) -> Work:
        """The same work with other columns. A rule whose column is used differently now cannot be kept."""
        if schema == self.schema:
            return self
        kept = tuple(rule for rule in self.cohort.rules if schema[rule.column].role == self.schema[rule.column].role)
        draft, said = self.draft.carried(self.schema, schema)
        if len(kept) < len(self.cohort.rules):
            lost = next(rule.column for rule in self.cohort.rules if rule not in kept)
            said.append(f"The group's rule on **{plain(lost)}** was removed, because the column is used differently now.")
        if said:
            say("info", " ".join(said))
        cohort = replace(self.cohort, rules=kept)
        actions = self.actions.carried(schema)
        people = self.people if self.people != schema.outcome else None
        dataset = self.dataset.with_schema(schema)
        return replace(self, dataset=dataset, actions=actions, cohort=cohort, people=people, draft=draft)


def current() -> Work | None:
    work: Work | None = st.session_state.get("work")
    return work


def keep(work: Work) -> None:
    """Make this the current work; the one before it stays among the recent ones. What is asked may be another question now."""
    before = current()
    if work is not before:
        st.session_state.pop("looked_at", None)
        _carry_on(before, work)
    st.session_state["work"] = work
    others = [w for w in st.session_state.get("recent", []) if w.id != work.id]
    st.session_state["recent"] = [work, *others][:AT_HAND]
    open_files.hold(work, work.id, work.files)


def _carry_on(before: Work | None, work: Work) -> None:
    """What was found out about a table, a group and a model holds for them, whatever is asked."""
    if before is not None and before.dataset is work.dataset and before.scored is work.scored and before.cohort == work.cohort:
        vars(work).setdefault("study", before.study)


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


def memory() -> Memory:
    """What this session worked out last."""
    kept: Memory = st.session_state.setdefault("worked_out", Memory())
    return kept


def memo(name: str, key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gave for this key the last time, in this session only. One value is kept under each name."""
    return memory().get(name, key, make)


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
