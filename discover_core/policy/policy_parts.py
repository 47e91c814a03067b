"""The parts of a policy's file, each checked before anything is made of it."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..problem.budget import Budget
from ..problem.checks import finite_values, number, whole
from ..problem.problem import Problem
from ..problem.target import SIDES, Past, Target
from ..scenario.json_schema import build, check_names
from ..solver.fence import Fence
from ..table.cohort import Cohort
from ..table.schema import Schema
from .actions import Action
from .design import Design, unseen
from .membership import group_of
from .programmes import Programme

Floats = NDArray[np.float64]


def values_by_name(data: Any, what: str, names: list[str], exact: bool = True) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"The {what} of a policy must be names with values.")
    if exact:
        check_names(data, names, what, names)
    return data


def entries(data: Any, what: str) -> list[Any]:
    if not isinstance(data, list):
        raise InputError(f"The {what} of a policy must be a list.")
    return data


def text_or_none(data: Any, what: str) -> str | None:
    if data is not None and not isinstance(data, str):
        raise InputError(f"The {what} of a policy must be text.")
    return data


def lines_of_text(data: Any, what: str) -> list[str]:
    if not all(isinstance(line, str) for line in entries(data, what)):
        raise InputError(f"The {what} of a policy must be a list of lines of text.")
    return list(data)


def numbers(data: Any, what: str, count: int) -> Floats:
    values = finite_values(data, what)
    if len(values) != count:
        raise InputError(f"{what} must be {count:,} numbers, not {len(values):,}.")
    return values


def cells_from_dict(data: Any, schema: Schema, what: str) -> Floats:
    """People, feature by feature, categories by their places among the levels."""
    names = schema.feature_names
    values_by_name(data, f"{what} people", names)
    parts = [finite_values(data[name], f"The {what} values of “{name}”") for name in names]
    if len({len(part) for part in parts}) != 1:
        raise InputError(f"The {what} people of a policy need a value of each feature.")
    cells = np.column_stack(parts)
    for j in range(len(names)):
        _places(cells[:, j], schema, j, f"The {what} values of “{names[j]}”")
    return cells


def tried_from_dict(data: Any, known: Problem) -> dict[int, Floats]:
    """The values that are tried of each feature that may change."""
    names = known.schema.feature_names
    needed = [names[j] for j in np.flatnonzero(Fence.of(known).walls.open.any(axis=0))]
    check_names(data, names, "values that are tried", needed)
    made = {}
    for name, given in data.items():
        j, what = names.index(name), f"The values of “{name}” that are tried"
        values = made[j] = finite_values(given, what)
        _places(values, known.schema, j, what)
        if (np.diff(values) <= 0).any():
            raise InputError(f"{what} must rise.")
        levels = len(known.schema.features[j].levels)
        if known.schema.features[j].categorical and len(values) != levels:
            raise InputError(f"{what} must be all of its {levels} levels, not {len(values)} of them.")
    return made


def target_from_dict(data: Any) -> Target:
    part = values_by_name(data, "target", ["kind"], exact=False)
    held = ["values", "past", "sampled"] if "values" in part else ["knots", "left", "right"]
    check_names(part, ["kind", *held], "target", ["kind"])
    if part.get("past") is not None:
        _check_past(part["past"])
    return Target.from_dict(part)


def _check_past(data: Any) -> None:
    names = [field.name for field in fields(Past)]
    check_names(data, names, "past of the target", ["tau", "share", "side"])
    number("tau", data["tau"])
    number("share", data["share"], low=0, high=1)
    number("margin", data.get("margin", 0.0), low=0)
    if data["side"] not in SIDES:
        raise InputError(f"The side of a policy's target must be one of {', '.join(SIDES)}.")
    if not isinstance(data.get("strict", False), bool):
        raise InputError("“strict” of a policy's target must be true or false.")


def budget_from_dict(data: Any) -> Budget:
    """What one person may spend, and nothing about all of them together, which a policy has in its cut."""
    budget = build(Budget, data, "budget")
    if budget != Budget(features=budget.features, effort=budget.effort):
        raise InputError("The budget of a policy is one person's: it may hold “features” and “effort” only.")
    if budget.effort is None:
        raise InputError("A policy needs an “effort” in its budget: the most that one person may change.")
    return budget


def design_to_dict(design: Design, schema: Schema) -> dict[str, Any]:
    said = {"people": design.people, "scores": design.scores.tolist(), "changed": design.changed, "reached": design.reached}
    if design.cells is None or design.seen is None:
        return said
    names = schema.feature_names
    cells = {name: design.cells[:, j].tolist() for j, name in enumerate(names)}
    return {**said, "cells": cells, "seen": {name: design.seen[j].tolist() for j, name in enumerate(names)}}


def design_from_dict(data: Any, schema: Schema, version: int) -> Design:
    """Those of the first version do not say what the people are like."""
    kept = [] if version == 1 else ["cells", "seen"]
    values_by_name(data, "design", ["people", "scores", "changed", "reached", *kept])
    whole("people", data["people"], 1)
    whole("changed", data["changed"], 0)
    number("reached", data["reached"])
    scores = np.sort(finite_values(data["scores"], "The design scores"))
    cells = cells_from_dict(data["cells"], schema, "design") if kept else None
    seen = _seen(data["seen"], schema) if kept else None
    if max(len(scores), data["changed"], 0 if cells is None else len(cells)) > data["people"]:
        raise InputError(f"The design of a policy speaks of more than its {data['people']:,} people.")
    if cells is not None and seen is not None and unseen(cells, seen, schema).any():
        raise InputError("The design people of a policy have values that are not among those said to be seen.")
    return Design(data["people"], scores, data["changed"], float(data["reached"]), cells, seen)


def cohort_from_dict(data: Any, schema: Schema, known: Problem) -> Cohort | None:
    """The group's rules; its words are made of them anew."""
    if data is None:
        return None
    part = values_by_name(data, "group", ["words", "cohort"])
    if text_or_none(part["words"], "words of the group") is None:
        raise InputError("The words of the group of a policy must be text.")
    cohort = build(Cohort, part["cohort"], "cohort")
    if cohort != group_of(cohort) or cohort == Cohort():
        raise InputError("The cohort of a policy's group must have rules, and no sample.")
    for rule in cohort.rules:
        if rule.column not in schema.feature_names and rule.column != schema.outcome:
            raise InputError(f"The policy's group has a rule about “{rule.column}”, which is no column of the policy.")
        if rule.column in schema.feature_names:
            rule.mask(known.factual, schema)
    return cohort


def programmes_from_list(data: Any, kind: str, schema: Schema) -> tuple[Programme, ...]:
    if kind == "personal" and entries(data, "programmes"):
        raise InputError("A personal policy has no programmes: leave the list empty.")
    return tuple(_programme(one, schema) for one in entries(data, "programmes"))


def _programme(data: Any, schema: Schema) -> Programme:
    """Its words are made of its action anew."""
    names = ["action", "words", "reach", "given", "effort", "together"]
    values_by_name(data, "programme", names)
    if text_or_none(data["words"], "words of the programme") is None:
        raise InputError("The words of a programme of a policy must be text.")
    for name in names[2:]:
        number(name, data[name], low=0)
    action = Action.from_list(data["action"], schema)
    return Programme(action, action.words(schema), *(float(data[name]) for name in names[2:]))


def _seen(data: Any, schema: Schema) -> tuple[Floats, ...]:
    names = schema.feature_names
    values_by_name(data, "values that are seen", names)
    found = []
    for j, column in enumerate(schema.features):
        what = f"The values of “{column.name}” that are seen"
        values = finite_values(data[column.name], what)
        _places(values, schema, j, what)
        if column.categorical and (np.diff(values) <= 0).any():
            raise InputError(f"{what} must rise.")
        if not column.categorical and (len(values) != 2 or values[0] > values[1]):
            raise InputError(f"{what} must be two numbers, the lower one first.")
        found.append(values)
    return tuple(found)


def _places(values: Floats, schema: Schema, j: int, what: str) -> None:
    """An InputError unless the values of a category are places among its levels."""
    column = schema.features[j]
    if column.categorical and not np.isin(values, np.arange(len(column.levels))).all():
        raise InputError(f"{what} must be places among its {len(column.levels)} levels.")
