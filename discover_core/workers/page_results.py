"""What the tasks of the pages return. Light to import: the page holds these, workers make them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..models.codes import Better
from ..models.model import Model
from ..problem.actionability import Actionability
from ..scenario.scenario import Scenario
from ..scenario.sources import ModelCopy, ModelSource, TableSource
from ..table.cohort import Cohort
from ..table.dataset import Dataset
from ..table.known import KnownTable


@dataclass(frozen=True)
class Scored:
    """A model, its score for every row of the table, and its file in a safe format (content, extension).

    `source` is how a scenario names it, `kept` how a run gets it without training it again. `better` are codes of its columns
    that fit far better than those it is given.
    """

    model: Model
    scores: NDArray[np.float64]
    file: tuple[bytes, str] | None
    source: ModelSource
    kept: ModelCopy
    better: Better | None = None


@dataclass(frozen=True)
class Opened:
    """A table ready to work with; a sample brings its story, a first group and a trained model, a scenario everything.

    `source` is where the table comes from: a sample, or a file that is kept in the data folder. `people` is the column that
    says what people are called, if any.
    """

    dataset: Dataset
    actions: Actionability
    source: TableSource
    known: KnownTable | None = None
    cohort: Cohort = field(default_factory=Cohort)
    scored: Scored | None = None
    scenario: Scenario | None = None
    people: str | None = None
