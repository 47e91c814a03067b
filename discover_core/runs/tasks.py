"""The work that pages hand to a job: open a table, train a model, load a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from ..models.evaluate import evaluate_model
from ..models.load import check_model, load_model
from ..models.model import Model
from ..models.questions import ChooseOutput
from ..models.save import save_model
from ..models.train import train_model
from ..problem.actionability import Actionability
from ..problem.samples import load_sample
from ..table.cohort import Cohort
from ..table.dataset import Dataset
from ..table.known import ready_schema, recognise
from ..table.names import suggest_outcome
from ..table.read import read_table
from ..table.schema import Schema
from .jobs import Progress
from .results import Opened, Scored


def nothing(progress: Progress) -> None:
    """The first job of a server: it makes the process that workers are forked from load its libraries."""


def open_sample(name: str, progress: Progress) -> Opened:
    """A shipped data set with its demo model and group."""
    progress(0.05, "Reading the data")
    sample = load_sample(name)
    dataset = Dataset.of(sample.table, sample.schema, sample.title)
    scored = train(sample.known.model, dataset, 0, {}, lambda share, doing: progress(0.1 + 0.9 * share, doing))
    cohort = Cohort(score_side="above", score_value=sample.known.score_above, sample=sample.known.sample)
    return Opened(dataset, sample.actions, sample.known, cohort, scored)


def open_file(path: str, name: str, progress: Progress) -> Opened:
    """A user's file. `name` is what the user calls it; `path` is where we put it, and it goes once it is read."""
    progress(0.05, "Reading the file")
    try:
        raw = read_table(path, name)
    finally:
        Path(path).unlink(missing_ok=True)
    progress(0.6, f"Looking at {len(raw.columns)} columns")
    known = recognise(raw)
    if known is not None:
        schema = ready_schema(raw, known)
    else:
        schema = Schema.infer(raw)
        outcome = suggest_outcome(schema)
        schema = schema if outcome is None else Schema.infer(raw, outcome)
    progress(0.8, f"Preparing {len(raw):,} rows")
    return Opened(Dataset.of(raw, schema, Path(name).name), Actionability.default(schema), known)


def train(family: str, dataset: Dataset, seed: int, settings: Mapping[str, Any], progress: Progress) -> Scored:
    """A trained model and its scores for everybody."""
    model = train_model(family, dataset.raw, dataset.schema, seed, settings, lambda share, doing: progress(0.8 * share, doing))
    return _score(model, dataset, progress)


def load(
    path: str,
    name: str,
    dataset: Dataset,
    mapping: Mapping[str, str],
    output: int | str | None,
    approved: Collection[str],
    progress: Progress,
) -> Scored:
    """An uploaded model, tried on a few rows, then on everybody."""
    progress(0.1, "Reading the model")
    data = Path(path).read_bytes()
    Path(path).unlink()

    def read(output: int | str | None) -> Model:
        return load_model(data, dataset.schema, name, mapping=mapping or None, output=output, approved=approved)

    try:
        model = read(output)
    except ChooseOutput as question:  # the class chosen on the Data page answers it
        if str(dataset.schema.positive) not in question.choices:
            raise
        model = read(str(dataset.schema.positive))
    check_model(model, dataset.raw)
    progress(0.4, "Measuring it on the rows whose outcome is known")
    model = replace(model, report=evaluate_model(model, _some(dataset.raw), dataset.schema))
    return _score(model, dataset, progress)


def _score(model: Model, dataset: Dataset, progress: Progress) -> Scored:
    progress(0.85, f"Scoring {len(dataset.raw):,} rows")
    scores = model(dataset.raw)
    try:
        return Scored(model, scores, save_model(model))
    except InputError:
        return Scored(model, scores, None)


def _some(table: pd.DataFrame, most: int = 50_000) -> pd.DataFrame:
    return table if len(table) <= most else table.sample(most, random_state=0)
