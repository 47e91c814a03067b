"""What the app does with an upload, without the app: every kind of file through the library's own entry, and then used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import discover_core as dc
from discover_core.models.load import check_model, load_model
from discover_core.models.probe import accept_crashes
from discover_core.models.questions import ChooseOutput, ColumnMismatch, UnknownTypes
from discover_core.models.save import save_model
from discover_core.outcome.group import Group
from discover_core.outcome.list_of_changes import changes_table
from discover_core.outcome.other_method import other_method
from discover_core.policy.apply_file import apply_upload
from discover_core.policy.policy_upload import uploaded_policy
from discover_core.problem.actionability import Actionability
from discover_core.scenario.scenario import Scenario
from discover_core.scenario.study import Study
from discover_core.scenario.target_file import target_values
from discover_core.table.dataset import Dataset
from discover_core.table.known import ready_schema, recognise
from discover_core.table.names import suggest_outcome
from discover_core.table.people import people_names, suggest_people
from discover_core.table.read import read_table

from .seeds import policy as policy_at_hand

for library in ("onnxruntime", "openpyxl", "sklearn.ensemble", "skops.io"):  # loaded once, before workers are forked
    import_module(library)
accept_crashes()  # as the processes of the app's jobs do

ASKED = 4  # questions of a model file that are answered
Files = dict[str, bytes]


def opened(kind: str, files: Files) -> None:
    """Open the files as what they are meant to be; an InputError is fine."""
    OPENINGS[kind](files)


def table(files: Files) -> None:
    """As the Data page does: read, understood, prepared."""
    ((name, content),) = files.items()
    raw = read_table(content, name)
    known = recognise(raw)
    if known is not None:
        schema = ready_schema(raw, known)
    else:
        schema = dc.Schema.infer(raw)
        outcome = suggest_outcome(schema)
        schema = schema if outcome is None else dc.Schema.infer(raw, outcome)
    dataset, people = Dataset.of(raw, schema, name), suggest_people(raw, schema)
    Actionability.default(schema)
    if people is not None:
        people_names(raw, people)
    assert len(dataset.ready) == len(raw)


def model(files: Files) -> None:
    """As the Model page does, with a person who says yes to everything that the file asks."""
    ((name, content),) = files.items()
    _, given, schema = german()
    answers: dict[str, Any] = {"mapping": {}, "output": None, "approved": ()}
    for _ in range(ASKED):
        try:
            loaded = load_model(content, schema, name, **answers)
            break
        except ColumnMismatch as question:
            answers["mapping"] |= {name: question.suggested.get(name) or question.choices[0] for name in question.missing}
        except ChooseOutput as question:
            answers["output"] = question.choices[0]
        except UnknownTypes as question:
            answers["approved"] = question.types
    else:
        return
    check_model(loaded, given)
    loaded(given)
    save_model(loaded)


def scenario(files: Files) -> None:
    """As an import does: read, then asked about the table and the model at hand, whose columns may be others."""
    (content,) = files.values()
    with TemporaryDirectory() as folder:
        path = Path(folder, "scenario.json")
        path.write_bytes(content)
        read = Scenario.read(path)
    sample, raw, _ = german()
    if any(column.name not in raw.columns for column in read.schema):
        return
    study = Study.of(Dataset.of(raw, read.schema, sample.title), replace(score(), schema=read.schema), read.cohort)
    study.problem(read.actions, read.target, read.bounds, read.budget, read.rules)
    study.wish(read.target)
    study.fitted(read.actions, read.target, read.settings)


def target(files: Files) -> None:
    """As the Scenario page does: read, and made for a group's probabilities."""
    ((name, content),) = files.items()
    values = target_values(content, name, (0.0, 1.0))
    _, raw, schema = german()
    study = Study.of(Dataset.bare(raw, schema), score(), dc.Cohort())
    study.wish(values)


def policy(files: Files) -> None:
    """As the Apply page does: read with its model, then asked about some people."""
    read = uploaded_policy(files)
    _, raw, _ = german()
    people = raw.head(20)
    told = read.told(people)
    read.warnings(told)
    assert len(told.lines) == len(people)


def people(files: Files) -> None:
    """As the Apply page does with a file of people, for whom a policy is at hand."""
    ((name, content),) = files.items()
    with TemporaryDirectory() as folder:
        path = Path(folder, "upload")
        path.write_bytes(content)
        applied, plan = apply_upload(policy_at_hand(), path, name, lambda done, total: None)
    assert plan.count(b"\n") > applied.lines > 0


def rows(files: Files) -> None:
    """As Results does with another method's rows: read, matched with the group's people, measured and listed."""
    ((name, content),) = files.items()
    problem, group = asked()
    found = other_method(group, read_table(content, name), name, problem.score).outcome
    assert len(found.distances) == len(group.rows)
    changes_table(found)


OPENINGS: dict[str, Callable[[Files], None]] = {
    **dict.fromkeys(("CSV", "CSV.gz", "XLSX", "Parquet"), table),
    **dict.fromkeys(("XGBoost JSON", "XGBoost UBJ", "LightGBM", "ONNX", "skops"), model),
    "scenario.json": scenario,
    **dict.fromkeys(("target CSV", "target XLSX", "target Parquet"), target),
    **dict.fromkeys(("policy.json", "policy ZIP"), policy),
    "people CSV": people,
    "rows CSV": rows,
}


@cache
def german() -> tuple[dc.Sample, Any, dc.Schema]:
    """What is open while a model, a scenario or a target is uploaded: the sample, some rows of it, its schema."""
    sample = dc.load_sample("german_credit_10")
    return sample, sample.table.head(300), sample.schema


@cache
def score() -> dc.Model:
    """Probabilities that a function gives."""
    _, _, schema = german()

    def chance(rows: Any) -> Any:
        return 1 / (1 + np.exp(-np.asarray(rows["Duration"], dtype=np.float64) / 24 + 1))

    return dc.Model(chance, schema, "made", "A function", ("Duration",), "probability that Risk is bad", (0.0, 1.0))


@cache
def asked() -> tuple[dc.Problem, Group]:
    """What a run was asked, for whose people another method has rows."""
    sample, raw, schema = german()
    some = raw.head(40)
    target = dc.Target.threshold(score()(some), 0.5, 0.5, "below")
    problem = dc.Problem(some, schema, score(), sample.actions, target, dc.Bounds(0.6, 0.2))
    return problem, Group.of_problem(problem, dc.Settings(seed=0))


for made in (policy_at_hand, asked):  # once, before workers are forked
    made()
