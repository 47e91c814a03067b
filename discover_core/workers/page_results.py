"""What the jobs of the pages return. Light to import and to send: the page reads the table itself."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..models.codes import Better
from ..models.model import Model
from ..problem.actionability import Actionability
from ..scenario.scenario import Scenario
from ..scenario.sources import ModelCopy, ModelSource, TableSource
from ..store.files import data_files
from ..table.cohort import Cohort
from ..table.dataset import Dataset, DatasetSummary
from ..table.known import KnownTable


@dataclass(frozen=True)
class ScoredModel:
    """A model, its score for every row of the table, and its file in a safe format (content, extension).

    `source` is how a scenario names it, `model_copy` how a run gets it without training it again. `better` are codes of its
    columns that fit far better than those it is given. `learnt_from` are the rows it was fitted to, if anybody knows.
    """

    model: Model
    scores: NDArray[np.float64]
    file: tuple[bytes, str] | None
    source: ModelSource
    model_copy: ModelCopy
    better: Better | None = None
    learnt_from: NDArray[np.bool_] | None = None

    def belongs_to(self, scenario: Scenario) -> bool:
        """Whether it is just the model that the scenario names."""
        return self.model.schema == scenario.schema and self.source == scenario.model


@dataclass(frozen=True)
class OpenTable:
    """A table ready to work with; a sample brings its story, a first group and a trained model, a scenario everything.

    `source` is where the table comes from: a sample, or a file that is kept in the data folder. `people` is the column that
    says what people are called, if any.
    """

    summary: DatasetSummary
    actions: Actionability
    source: TableSource
    known: KnownTable | None = None
    cohort: Cohort = field(default_factory=Cohort)
    scored: ScoredModel | None = None
    scenario: Scenario | None = None
    people: str | None = None

    def dataset(self) -> Dataset:
        """The table with what was found out about it."""
        return self.summary.dataset(self.source.table(data_files()))
