"""The plan: who changes what, line by line, in the units of the user's table, to read and to take away."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.change_words import difference, file_value
from ..scenario.json_schema import plain
from ..scenario.question_words import question_sentence
from ..solver.plan import FeatureChanges, feature_changes
from ..table.write import to_excel
from .outcome import Outcome

Mask = NDArray[np.bool_]
UNUSUAL = ("Unusual before", "Unusual after")  # the share of people one is more unusual than
HEADINGS = {
    "changes": "Changes",
    "cells": "Features changed",
    "effort": "Effort",
    "score_before": "Score before",
    "score_after": "Score after",
    "usual_before": UNUSUAL[0],
    "usual_after": UNUSUAL[1],
}


def plan_table(outcome: Outcome, people: NDArray[np.int64] | None = None) -> pd.DataFrame:
    """One line per person who changes, the greatest effort first; the index is the person's place in the group.

    With `people`, some of those who change, only theirs are worked out.

    “Row” is the person's row in the user's table, counted from 1. “Changes” is for reading, numbers of a continuous feature
    are rounded there; `changes_table` has them to the last bit. How unusual people are is left out where it is unknown.
    """
    lines = outcome.plan if people is None else outcome.plan_of(people)
    names = [outcome.names[person] for person in lines.index]
    table = pd.DataFrame(
        {"Person": pd.Series(names, dtype=object, index=lines.index), "Row": lines["row"] + 1}, index=lines.index
    )
    for name, heading in HEADINGS.items():
        if outcome.group.usual is not None or heading not in UNUSUAL:
            table[heading] = lines[name]
    return table


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
    if outcome.group.usual is not None:
        for heading, shares in zip(UNUSUAL, outcome.usual_movers, strict=True):
            table[heading] = shares[table["place"].to_numpy()]
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
    numbers = {name: outcome.plan[name] for name in ("effort", "usual_before", "usual_after", "score_before", "score_after")}
    for person in outcome.plan.index.tolist():
        told = {name: float(numbers[name][person]) for name in numbers if not math.isnan(numbers[name][person])}
        row = int(outcome.group.rows[person]) + 1
        people[person] = {"person": outcome.names[person], "row": row, "changes": [], **told}
    for column, who, before, after in _changed(outcome):
        for person, old, new in zip(who, before, after, strict=True):
            values = (old, new) if column.categorical else (file_value(column, old), file_value(column, new))
            people[person]["changes"].append({"feature": column.name, "before": values[0], "after": values[1]})
    run = {"name": outcome.name, "iteration": outcome.iteration}
    return json.dumps({"run": run, **_told(outcome), "people": list(people.values())}, allow_nan=False, indent=1).encode()


def search(outcome: Outcome, people: NDArray[np.int64], text: str) -> Mask:
    """Whose lines of the plan have the text in who they are about or in “Changes”, in small or capital letters; all for an
    empty text. `people` are some of those who change."""
    wanted = text.strip().casefold()
    if not wanted:
        return np.ones(len(people), dtype=bool)
    lines = zip(people.tolist(), outcome.group.rows[people] + 1, outcome.changes.reindex(people), strict=True)
    told = ((outcome.names[person], str(row), words) for person, row, words in lines)
    return np.array([any(wanted in cell.casefold() for cell in line) for line in told], dtype=bool)


def filter_people(plan: pd.DataFrame, people: Collection[int]) -> pd.DataFrame:
    """The lines of these people, given by their places in the group; for the plan and for `changes_table`."""
    return plan[plan.index.isin(list(people))]


def _changed(outcome: Outcome) -> Iterator[FeatureChanges]:
    return feature_changes(outcome.group.layout, outcome.group.cells, outcome.cells)
