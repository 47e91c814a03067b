"""The result folder: everything a run gave, in files that a spreadsheet or a script can open."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError
from ..outcome.outcome import Outcome
from ..problem.target import Target
from ..scenario.json_file import write_json
from ..scenario.json_schema import plain
from ..scenario.scenario import Scenario
from ..solver.result import Result
from ..table.people import people_names
from ..table.write import to_csv


def make_folder(folder: Path) -> None:
    """A new or empty folder, so that no result is ever mixed with another."""
    check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder “{folder.name}” cannot be made: {error.strerror or error}.") from error


def check_folder(folder: Path) -> None:
    try:
        file, full = folder.exists() and not folder.is_dir(), folder.is_dir() and any(folder.iterdir())
    except OSError as error:
        raise InputError(f"The folder “{folder.name}” cannot be used: {error.strerror or error}.") from error
    if file:
        raise InputError(f"“{folder.name}” is a file: name a new or empty folder for the result.")
    if full:
        raise InputError(f"The folder “{folder.name}” is not empty: name a new or empty one for the result.")


def write_folder(folder: Path, scenario: Scenario, result: Result, stopped: bool = False) -> None:
    """Rows before and after, outputs, target, log, the scenario itself and what the run amounts to."""
    rows = result.problem.rows
    names = [] if scenario.people is None else people_names(rows, scenario.people)
    outcome = Outcome.of_result(result, scenario.name, names, scenario.target)
    outputs = {"row": rows.index, **({"person": names} if names else {})}
    outputs |= {"before": outcome.group.outputs, "after": outcome.outputs}
    tables = {
        "before.csv": rows,
        "after.csv": outcome.into_rows(rows),
        "outputs.csv": pd.DataFrame(outputs),
        "target.csv": quantile_table(outcome.group.target),
        "log.csv": result.history,
    }
    try:
        for name, table in tables.items():
            (folder / name).write_bytes(to_csv(table))
        write_json(folder / "settings.json", scenario.to_dict())
        write_json(folder / "result.json", _summary(outcome, result, stopped))
    except OSError as error:
        raise InputError(f"The result cannot be written to “{folder.name}”: {error.strerror or error}.") from error


def quantile_table(target: Target) -> pd.DataFrame:
    """The quantile function by the ends of its pieces; `Target.quantiles` makes the same distribution of it."""
    ends = np.column_stack([target.knots[:-1], target.knots[1:]]).ravel()
    return pd.DataFrame({"probability": ends, "value": np.column_stack([target.left, target.right]).ravel()})


def _summary(outcome: Outcome, result: Result, stopped: bool) -> Any:
    """Infinite limits are null: JSON has no other word for them."""
    return plain(
        {
            "verdict": asdict(outcome.verdict),
            "rows": len(outcome.outputs),
            "model": getattr(result.problem.model, "title", None),
            "certificate": asdict(outcome.certificate),
            "metrics": asdict(outcome.metrics),
            "best_iteration": outcome.iteration,
            "iterations": int(result.history["iteration"].iloc[-1]),
            "model_rows": int(result.history["model_rows"].iloc[-1]),
            **({"broken_rules": broken} if (broken := result.problem.rule_words) else {}),
            "stopped": stopped,
            "error": result.error,
        }
    )
