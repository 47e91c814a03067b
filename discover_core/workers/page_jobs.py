"""The work that pages hand to a job: open a table, train a model, load a model, measure another method's rows.

Jobs are told where a table is and give back what they found out; none gets or returns the table itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from ..models.code_search import better_codes
from ..models.evaluate import evaluate_model
from ..models.load import check_model, load_model
from ..models.model import Model
from ..models.questions import ChooseOutput
from ..models.save import save_model
from ..models.train import train_model
from ..outcome.group import Group
from ..outcome.other_method import OtherMethod, other_method
from ..policy.apply_file import Applied, apply_upload
from ..policy.audited_answer import audited_answer
from ..policy.policy_file import policy_archive
from ..policy.policy_upload import PolicyHead, uploaded_policy
from ..problem.actionability import Actionability
from ..problem.samples import load_sample
from ..problem.targets import Quantiles, Values
from ..scenario.json_file import parse_json
from ..scenario.question import Question
from ..scenario.scenario import Scenario
from ..scenario.sources import NO_COPY, ModelCopy, ModelFile, ModelSource, SampleTable, TableFile, TableSource, TrainedModel
from ..scenario.target_file import target_values
from ..store.files import data_files
from ..store.run_progress import RunProgress
from ..store.store import Store
from ..store.table_files import keep_copy
from ..table.cohort import Cohort
from ..table.dataset import Dataset
from ..table.known import ready_schema, recognise
from ..table.names import suggest_outcome
from ..table.people import people_names, suggest_people
from ..table.read import read_table
from ..table.schema import Schema
from ..table.write import to_csv
from .job import Progress
from .page_results import OpenTable, ScoredModel
from .worker import solve_run as solve_run  # loaded with the rest, so that a run starts at once


def nothing(progress: Progress) -> None:
    """The first job of a server: it makes the process that workers are forked from load its libraries."""


def open_sample(name: str, progress: Progress) -> OpenTable:
    """A shipped data set with its demo model and group."""
    progress(0.05, "Reading the data")
    sample = load_sample(name)
    dataset = Dataset.of(sample.table, sample.schema, sample.title)
    source = SampleTable(name)
    scored = _train(
        sample.known.model, sample.table, sample.schema, 0, {}, lambda share, doing: progress(0.1 + 0.9 * share, doing)
    )
    cohort = Cohort(score_side="above", score_value=sample.known.score_above, sample=sample.known.sample)
    return OpenTable(dataset.summary, sample.actions, source, sample.known, cohort, scored)


def open_file(path: str, name: str, progress: Progress) -> OpenTable:
    """A user's file. `name` is what the user calls it; `path` is where we put it, and it goes once it is read."""
    progress(0.05, "Reading the file")
    try:
        raw = read_table(path, name)
        source = TableFile(data_files().put(Path(path).read_bytes(), name))
    finally:
        Path(path).unlink(missing_ok=True)
    keep_copy(raw, data_files().get(source.file))
    progress(0.6, f"Looking at {len(raw.columns)} columns")
    known = recognise(raw)
    if known is not None:
        schema = ready_schema(raw, known)
    else:
        schema = Schema.infer(raw)
        outcome = suggest_outcome(schema)
        schema = schema if outcome is None else Schema.infer(raw, outcome)
    progress(0.8, f"Preparing {len(raw):,} rows")
    dataset, people = Dataset.of(raw, schema, Path(name).name), suggest_people(raw, schema)
    return OpenTable(dataset.summary, Actionability.default(schema), source, known, people=people)


def open_scenario(
    question: Question,
    with_model: bool,
    progress: Progress,
) -> OpenTable:
    """Everything a question speaks of, from its files in the data folder; `with_model` unless whoever asks has its model."""
    scenario = question.scenario
    progress(0.05, "Reading the data")
    raw = scenario.data.table(data_files())
    dataset, scored = Dataset.of(raw, scenario.schema, question.data_title), None

    def onward(share: float, doing: str) -> None:
        progress(0.2 + 0.8 * share, doing)

    model = scenario.model
    if with_model and isinstance(model, TrainedModel):
        scored = _train(model.family, raw, scenario.schema, model.seed, model.settings, onward)
    elif with_model and isinstance(model, ModelFile):
        content, title = data_files().get(model.file).read_bytes(), question.model_title or model.file
        scored = _load(content, title, raw, scenario.schema, model, question.model_copy.approved, onward)
    parts = (dataset.summary, scenario.actions, scenario.data, recognise(raw), scenario.cohort, scored, scenario)
    return OpenTable(*parts, scenario.people)


def train(
    family: str, source: TableSource, schema: Schema, seed: int, settings: Mapping[str, Any], progress: Progress
) -> ScoredModel:
    """A trained model and its scores for everybody."""
    return _train(family, source.table(data_files()), schema, seed, settings, progress)


def load(
    path: str,
    name: str,
    source: TableSource,
    schema: Schema,
    mapping: Mapping[str, str],
    output: int | str | None,
    approved: Collection[str],
    progress: Progress,
) -> ScoredModel:
    """An uploaded model, tried on a few rows, then on everybody."""
    content = Path(path).read_bytes()
    Path(path).unlink()
    model = ModelFile(data_files().put(content, name), dict(mapping), output)
    return _load(content, name, source.table(data_files()), schema, model, approved, progress)


def load_again(
    title: str, source: TableSource, schema: Schema, model: ModelFile, approved: Collection[str], progress: Progress
) -> ScoredModel:
    """A model whose file is kept in the data folder, read in another way: with other codes."""
    content = data_files().get(model.file).read_bytes()
    return _load(content, title, source.table(data_files()), schema, model, approved, progress)


def measure_file(path: str, name: str, url: str, run_id: str, progress: Progress) -> OtherMethod:
    """What another method made of a run's group. `path` goes once it is read."""
    progress(0.05, "Reading the file")
    try:
        table = read_table(path, name)
    finally:
        Path(path).unlink(missing_ok=True)
    run = RunProgress.open(Store(url), run_id)
    if run.head is None:
        raise InputError("This run has not made a step yet, so there is nothing to compare with.")
    progress(0.4, "Preparing the model")
    problem = run.run.question.problem(data_files())
    progress(0.8, f"Measuring {len(table):,} rows")
    return other_method(Group.of_run(run.head, run.scenario), table, name, problem.score)


def policy_files(url: str, run_id: str, looks: int, progress: Progress) -> tuple[bytes, bytes]:
    """The policy of a run with its model, in one archive, and what it tells everybody of the group; so many answers were audited
    with this group."""
    run = RunProgress.open(Store(url), run_id).run
    progress(0.1, "Preparing the model")
    study = run.question.study(data_files())
    progress(0.3, "Learning the policy again")
    answer = audited_answer(study, run.question.scenario, lambda doing, count: progress(0.6, f"{count:,} {doing}"))
    progress(0.9, "Writing the files")
    policy = answer.policy_for(looks).with_cohort(study.cohort)
    told = replace(answer.told, policy=policy)
    lines = told.lines
    if run.question.scenario.people is not None:
        lines.insert(1, "person", people_names(told.rows, run.question.scenario.people))
    return policy_archive(policy), to_csv(lines.drop(columns="cells"))


def apply_policy(files: Mapping[str, bytes], path: str, name: str, progress: Progress) -> tuple[Applied, bytes]:
    """An uploaded policy for everybody in a user's file, and the plan as CSV. `path` goes once it is read."""
    try:
        progress(0.05, "Reading the policy and its model")
        policy = uploaded_policy(files)
        progress(0.1, "Reading the people")
        return apply_upload(
            policy, Path(path), name, lambda done, total: progress(0.1 + 0.9 * done / total, f"{done:,} of {total:,} people")
        )
    finally:
        Path(path).unlink(missing_ok=True)


def read_policy(files: Mapping[str, bytes], progress: Progress) -> PolicyHead:
    """What an uploaded policy says of itself."""
    progress(0.1, "Reading the policy")
    return PolicyHead.of(files)


def read_scenario(path: str, name: str, progress: Progress) -> Scenario:
    """An uploaded `scenario.json`, checked. `path` goes once it is read."""
    progress(0.1, "Reading the scenario")
    try:
        return Scenario.from_dict(parse_json(Path(path).read_bytes(), name))
    finally:
        Path(path).unlink(missing_ok=True)


def read_target(path: str, name: str, interval: tuple[float, float] | None, progress: Progress) -> Values | Quantiles:
    """The scores in an uploaded file. `path` goes once it is read."""
    progress(0.1, "Reading the scores")
    try:
        return target_values(Path(path).read_bytes(), name, interval)
    finally:
        Path(path).unlink(missing_ok=True)


def _train(
    family: str, raw: pd.DataFrame, schema: Schema, seed: int, settings: Mapping[str, Any], progress: Progress
) -> ScoredModel:
    model = train_model(family, raw, schema, seed, settings, lambda share, doing: progress(0.8 * share, doing))
    source = TrainedModel(family, seed, dict(settings))
    return replace(_score(model, raw, source, None, progress), learnt_from=source.learnt_from(raw, schema))


def _load(
    content: bytes,
    name: str,
    raw: pd.DataFrame,
    schema: Schema,
    source: ModelFile,
    approved: Collection[str],
    progress: Progress,
) -> ScoredModel:
    progress(0.1, "Reading the model")

    def read(output: int | str | None) -> Model:
        return load_model(
            content,
            schema,
            name,
            mapping=source.mapping or None,
            output=output,
            codes=source.codes,
            approved=approved,
        )

    try:
        model = read(source.output)
    except ChooseOutput as question:  # the class chosen on the Data page answers it
        if str(schema.positive) not in question.choices:
            raise
        model = read(str(schema.positive))
    check_model(model, raw)
    progress(0.4, "Measuring it on the rows whose outcome is known")
    model = replace(model, report=evaluate_model(model, _some(raw), schema))
    progress(0.6, "Looking whether its columns may be numbered otherwise")
    better = better_codes(model, raw)
    return replace(_score(model, raw, source, ModelCopy(source, tuple(approved)), progress), better=better)


def _score(model: Model, raw: pd.DataFrame, source: ModelSource, kept: ModelCopy | None, progress: Progress) -> ScoredModel:
    progress(0.85, f"Scoring {len(raw):,} rows")
    scores = model(raw)
    try:
        file = save_model(model)
    except InputError:
        return ScoredModel(model, scores, None, source, kept or NO_COPY)
    return ScoredModel(model, scores, file, source, kept or ModelCopy(ModelFile(data_files().put(file[0], f"model{file[1]}"))))


def _some(table: pd.DataFrame, most: int = 50_000) -> pd.DataFrame:
    return table if len(table) <= most else table.sample(most, random_state=0)
