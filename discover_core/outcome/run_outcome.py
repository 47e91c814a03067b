"""The answer of a run in the store."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import pandas as pd

from ..errors import InputError
from ..scenario.scenario import Scenario
from ..scenario.sources import FileSource
from ..solver.tradeoff import helped_order
from ..solver.verdict import Course, Verdict
from ..store.run_progress import RunProgress
from ..store.store import Store
from .group import Group
from .outcome import Outcome
from .summary import Summary, summary_of


@dataclass(frozen=True, eq=False)
class RunOutcome(Outcome):
    """`progress` is everything stored of the run: how the search came by this answer."""

    progress: RunProgress = field(kw_only=True)

    @classmethod
    def open(cls, store: Store, run_id: str, iteration: int | None = None, ended: bool = False) -> Self:
        """The run at its best iterate, or at another; `ended` if it did although the store does not say so yet. An InputError
        while there is no step yet."""
        return cls.of(RunProgress.open(store, run_id), iteration, ended)

    @classmethod
    def of(cls, progress: RunProgress, iteration: int | None = None, ended: bool = False) -> Self:
        head, scenario = progress.head, progress.scenario
        if head is None or progress.done < 0:
            raise InputError("This run has not made a step yet, so there is no result.")
        at = progress.best if iteration is None else iteration
        last = (progress.done, int(progress.numbers("still")[-1]), int(progress.numbers("model_rows")[-1]))
        spent, ended = (scenario.budget, scenario.rules), ended or progress.run.state == "finished"
        course = Course.of(progress.wish, head.outputs, scenario.actions, progress.run.settings, last, *spent, ended)
        helped = helped_order(head.cells, progress.edits[: at + 1])
        group = Group.of_run(head, scenario)
        return cls(progress.run.name, group, *progress.iterate(at), at, course, helped, progress=progress)

    @property
    def scenario(self) -> Scenario:
        return self.progress.scenario

    @cached_property
    def summary(self) -> Summary:
        """As its worker left it, or worked out now: the worker of a run that was cut off could not."""
        return self._known or summary_of(self)

    @cached_property
    def verdict(self) -> Verdict:
        return super().verdict if self._known is None else self._known.verdict

    @cached_property
    def _known(self) -> Summary | None:
        """What the store has of just this iterate."""
        said = Summary.from_json(self.progress.run.summary)
        return said if said is not None and said.iteration == self.iteration else None

    def raw(self, files: FileSource) -> pd.DataFrame:
        """The group's rows as the user's table has them, every column of it."""
        return self.scenario.data.table(files).iloc[self.group.rows]
