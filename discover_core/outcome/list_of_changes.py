"""The plan: who changes what, line by line, in the units of the user's table, to read and to take away."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.words import HUGE, number_words
from ..scenario.json_schema import plain
from ..scenario.question_words import question_sentence
from ..table.schema import Column
from ..table.values import as_text, grid_of
from ..table.write import to_excel
from .outcome import Outcome

Mask = NDArray[np.bool_]
DAY = 86_400_000_000  # microseconds
FINE = 4  # digits of a continuous feature's range that people read


class FeatureChanges(NamedTuple):
    """The cells of one feature that differ: whose, and their values there."""

    column: Column
    people: list[int]
    before: list[Any]
    after: list[Any]


def plan_table(outcome: Outcome) -> pd.DataFrame:
    """One line per person who changes, the greatest effort first; the index is the person's place in the group.

    “Row” is the person's row in the user's table, counted from 1. “Changes” is for reading, numbers of a continuous feature
    are rounded there; `changes_table` has them to the last bit.
    """
    words: dict[int, list[str]] = {int(person): [] for person in outcome.movers}
    for column, people, before, after in _changed(outcome):
        known: dict[tuple[Any, Any], str] = {}
        for person, pair in zip(people, zip(before, after, strict=True), strict=True):
            if pair not in known:
                known[pair] = change_words(column, *pair)
            words[person].append(known[pair])
    movers = outcome.movers
    table = pd.DataFrame(
        {
            "Person": pd.Series([outcome.names[person] for person in movers], dtype=object, index=movers),
            "Row": outcome.group.rows[movers] + 1,
            "Changes": pd.Series(["; ".join(said) for said in words.values()], dtype=object, index=movers),
            "Features changed": outcome.changed[movers].sum(axis=1),
            "Effort": outcome.effort[movers],
            "Score before": outcome.group.outputs[movers],
            "Score after": outcome.outputs[movers],
        },
        index=movers,
    )
    return table.sort_values("Effort", ascending=False, kind="stable")


def changes_table(outcome: Outcome) -> pd.DataFrame:
    """One line per changed cell, person by person, exactly as stored. “Change” is a difference of numbers, for dates in days."""
    lines: list[tuple[int, str, int, str, Any, Any, str, float]] = []
    names, rows = outcome.names, outcome.group.rows + 1
    for column, people, before, after in _changed(outcome):
        unit = "days" if column.date else column.unit
        for person, old, new in zip(people, before, after, strict=True):
            change = math.nan if column.categorical else difference(column, old, new)
            cells = (file_value(column, old), file_value(column, new))
            unit_of = "" if column.categorical else unit
            lines.append((person, names[person], rows[person], column.name, *cells, unit_of, change))
    kinds: dict[str, Any] = {"place": np.int64, "Person": object, "Row": np.int64}
    kinds |= dict.fromkeys(("Feature", "Before", "After", "Unit"), object) | {"Change": float}
    table = pd.DataFrame(lines, columns=list(kinds)).astype(kinds)
    return table.sort_values("place", kind="stable").set_index("place").rename_axis(None)


def plan_excel(outcome: Outcome) -> bytes:
    """“Plan” to read, “Changes” with every changed cell, numbers to the 16 digits that Excel keeps, and the “Answer” in words."""
    sheets = {"Plan": plan_table(outcome), "Changes": changes_table(outcome)}
    told = _told(outcome)
    words = {"Question": told["question"]} if "question" in told else {}
    words |= {"Answer": told["verdict"]["sentence"], "Certificate": told["verdict"]["certificate"]}
    sheets["Answer"] = pd.DataFrame({"What": list(words), "In words": list(words.values())})
    return to_excel(sheets)


def _told(outcome: Outcome) -> dict[str, Any]:
    """The question and its verdict, in the words of the page."""
    asked = outcome.group.specification
    question = {} if asked is None else {"question": question_sentence(asked, len(outcome.outputs))}
    return {**question, "verdict": plain(asdict(outcome.verdict))}


def plan_json(outcome: Outcome) -> bytes:
    """The plan for programs. The run is named but not by its id, which would let whoever gets the file open the run."""
    people: dict[int, dict[str, Any]] = {}
    order = outcome.movers[np.argsort(-outcome.effort[outcome.movers], kind="stable")]
    for person in order.tolist():
        people[person] = {
            "person": outcome.names[person],
            "row": int(outcome.group.rows[person]) + 1,
            "changes": [],
            "effort": float(outcome.effort[person]),
            "score_before": float(outcome.group.outputs[person]),
            "score_after": float(outcome.outputs[person]),
        }
    for column, who, before, after in _changed(outcome):
        for person, old, new in zip(who, before, after, strict=True):
            values = (old, new) if column.categorical else (file_value(column, old), file_value(column, new))
            people[person]["changes"].append({"feature": column.name, "before": values[0], "after": values[1]})
    run = {"name": outcome.name, "iteration": outcome.iteration}
    return json.dumps({"run": run, **_told(outcome), "people": list(people.values())}, allow_nan=False, indent=1).encode()


def search(plan: pd.DataFrame, text: str) -> Mask:
    """Which lines have the text in who they are about or in “Changes”, in small or capital letters; all for an empty text."""
    wanted = text.strip().casefold()
    lines = zip(plan["Person"], plan["Row"], plan["Changes"], strict=True)
    return np.array([any(wanted in str(cell).casefold() for cell in line) for line in lines], dtype=bool)


def filter_people(plan: pd.DataFrame, people: Collection[int]) -> pd.DataFrame:
    """The lines of these people, given by their places in the group; for the plan and for `changes_table`."""
    return plan[plan.index.isin(list(people))]


def change_words(column: Column, before: Any, after: Any) -> str:
    """One changed cell: Duration 24 → 18 months."""
    old, new = value_text(column, before), value_text(column, after)
    if old == new:  # only digits that people would not read tell them apart
        old, new = as_text(file_value(column, before)), as_text(file_value(column, after))
    return f"{column.name} {old} → {new}{unit_text(column)}"


def value_text(column: Column, value: Any) -> str:
    """A value without its unit: a level as it is called, a date, a number with the digits that matter in its column."""
    if column.categorical:
        return as_text(value)
    if column.date:
        return _moment(value)[:10]
    spread = (column.high or 0) - (column.low or 0)
    if grid_of(column) is not None or spread <= 0 or abs(value) >= HUGE:
        return number_words(value)
    places = min(max(FINE - 1 - math.floor(math.log10(spread)), 0), 12)
    text = f"{value:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def unit_text(column: Column) -> str:
    """What follows a number of this column, its blank included."""
    return f" {column.unit}" if column.unit and not column.categorical and not column.date else ""


def difference(column: Column, before: float, after: float) -> float:
    """After minus before, without the dust that floating point leaves on a grid."""
    grid = grid_of(column)
    return float(after - before if grid is None else round(after - before, grid[2]))


def _changed(outcome: Outcome) -> Iterator[FeatureChanges]:
    """Feature by feature, in the order of the table."""
    for j, column in enumerate(outcome.schema.features):
        people = np.flatnonzero(outcome.changed[:, j])
        if len(people):
            before, after = (table[column.name].to_numpy()[people].tolist() for table in (outcome.before, outcome.after))
            yield FeatureChanges(column, people.tolist(), before, after)


def file_value(column: Column, value: Any) -> Any:
    """The value as a cell of a file: numbers to the last bit, dates and levels as text."""
    if column.categorical:
        return as_text(value)
    return _moment(value).removesuffix("T00:00:00.000000") if column.date else value


def _moment(days: float) -> str:
    """Days since 1970-01-01 as a time of the calendar, to the microsecond."""
    return str(np.datetime64(round(days * DAY), "us"))
