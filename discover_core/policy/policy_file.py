"""`policy.json`: a policy with everything it takes to apply it, and the model's file beside it."""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.model import Model, Scorer
from ..problem.bounds import Bounds
from ..problem.budget import Budget
from ..problem.checks import finite_values, number, whole
from ..problem.problem import Problem
from ..problem.settings import Settings, completed
from ..problem.target import Target
from ..scenario.json_schema import build, check_names, plain, read_json, write_json
from ..scenario.scenario import actions_from_dict
from ..scenario.sources import check_path, file_in
from ..solver.cells import Layout
from ..table.encoding import Encoding
from ..table.schema import Schema
from .actions import Action
from .audit_data import audit_from_dict, audit_to_dict
from .ground import Ground
from .learn import KINDS
from .policy import Design, Policy
from .programmes import Programme
from .score_map import ScoreMap
from .versions import Aim

Floats = NDArray[np.float64]
VERSION = 1
QUESTION = ["schema", "actions", "target", "bounds", "settings", "budget", "rules"]
PARTS = ["version", "kind", "model", *QUESTION, "geometry", "people", "aim", "cut", "design", "programmes", "audit"]
NOBODY = "nobody"
CLOSE = 1e-6  # how far scores of the same model may be apart on another machine


def write_policy(policy: Policy, path: Path) -> None:
    """The file, and the model's beside it under a name of its own."""
    model, file = policy.ground.known.model, None
    try:
        if isinstance(model, Model):
            saved = _saved(model)
            if saved is not None:
                file = f"{path.stem}-model{saved[1]}"
                path.with_name(file).write_bytes(saved[0])
        write_json(path, policy_to_dict(policy, file))
    except OSError as error:
        raise InputError(f"“{path.name}” cannot be written: {error.strerror or error}.") from error


def policy_archive(policy: Policy) -> bytes:
    """`policy.json` and the model's file, in a ZIP."""
    model, content = policy.ground.known.model, io.BytesIO()
    saved = _saved(model) if isinstance(model, Model) else None
    file = None if saved is None else f"policy-model{saved[1]}"
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("policy.json", json.dumps(policy_to_dict(policy, file), ensure_ascii=False, indent=1))
        if saved is not None and file is not None:
            archive.writestr(file, saved[0])
    return content.getvalue()


def read_policy(path: str | Path, model: Scorer | None = None) -> Policy:
    """The policy in a file, with this model, or with the one in the file beside it."""
    path = Path(path)
    data = read_json(path)
    if model is None:
        model = _model_beside(data, path.parent)
    return policy_from_dict(data, model)


def policy_to_dict(policy: Policy, model_file: str | None = None) -> dict[str, Any]:
    """All of it, in plain values. `model_file` is the model's file in the same folder."""
    ground, aim = policy.ground, policy.aim
    known, layout = ground.known, ground.layout
    cells, names = layout.cells(known.factual), known.schema.feature_names
    parts = {
        "version": VERSION,
        "kind": policy.kind,
        "model": {
            "title": str(getattr(known.model, "title", "The model")),
            "file": model_file,
            "hash": model_hash(known.model),
            "interval": None if known.interval is None else list(known.interval),
        },
        "schema": known.schema.to_dict(),
        "actions": known.actions.to_dict(),
        "target": known.target.to_dict(),
        "bounds": known.bounds.to_dict(),
        "settings": ground.settings.to_dict(),
        "budget": known.budget.to_dict(),
        "rules": list(known.rules),
        "geometry": {
            "schema_hash": schema_hash(known.schema),
            "centre": ground.centre.tolist(),
            "scale": ground.scale.tolist(),
            "tried": {names[j]: values.tolist() for j, values in sorted(ground.tried.items())},
        },
        "people": {
            "cells": {name: cells[:, j].tolist() for j, name in enumerate(names)},
            "scores": known.outputs.tolist(),
        },
        "aim": {
            "today": aim.wished.today.tolist(),
            "wished": aim.wished.wished.tolist(),
            "tolerance": aim.tolerance,
            "price": aim.price,
        },
        "cut": NOBODY if policy.cut == math.inf else policy.cut,
        "design": {**asdict(policy.design), "scores": policy.design.scores.tolist()},
        "programmes": [{**asdict(one), "action": one.action.to_list(known.schema)} for one in policy.programmes],
        "audit": None if policy.audited is None else audit_to_dict(policy.audited),
    }
    return {name: plain(part) for name, part in parts.items()}


def policy_from_dict(data: Any, model: Scorer) -> Policy:
    """Every part is checked; a model that scores the known people otherwise is noted, not refused."""
    if not isinstance(data, dict) or "version" not in data or "cut" not in data:
        raise InputError("This is not a policy: choose the policy.json that was saved with an audited answer.")
    if type(data["version"]) is not int or data["version"] != VERSION:
        raise InputError(f"This policy has the version {data['version']!r}, but this program reads version {VERSION} only.")
    check_names(data, PARTS, "policy", PARTS)
    if data["kind"] not in KINDS:
        raise InputError(f"There is no kind of policy {data['kind']!r}: use one of {', '.join(KINDS)}.")
    schema = build(Schema, data["schema"], "schema")
    width = len(schema.features)
    geometry = _names(data["geometry"], "geometry", ["schema_hash", "centre", "scale", "tried"])
    centre, scale = (_numbers(geometry[name], f"The {name} of the geometry", width) for name in ("centre", "scale"))
    if not (scale > 0).all():
        raise InputError("The scale of each feature of a policy must be above 0.")
    notes = (
        []
        if geometry["schema_hash"] == schema_hash(schema)
        else ["The policy's columns were changed by hand after it was saved."]
    )
    settings = build(Settings, completed(data["settings"]), "settings")
    actions = actions_from_dict(data["actions"], schema)
    people = _names(data["people"], "people", ["cells", "scores"])
    cells = _cells(people["cells"], schema)
    layout = Layout(Encoding.from_scales(schema, centre, scale, {}, settings.encoding))
    rules = data["rules"] if isinstance(data["rules"], list) and all(isinstance(rule, str) for rule in data["rules"]) else None
    if rules is None:
        raise InputError("The rules of a policy must be a list of lines of text.")
    table = layout.table(cells)
    budget = build(Budget, data["budget"], "budget")
    if budget.effort is None:
        raise InputError("A policy needs an “effort” in its budget: the most that one person may change.")
    target = Target.from_dict(_names(data["target"], "target", ["kind"], exact=False))
    known = Problem(table, schema, model, actions, target, build(Bounds, data["bounds"], "bounds"), table, budget, rules)
    scores = _numbers(people["scores"], "The scores of the known people", len(cells))
    if np.abs(scores - known.outputs).max() > CLOSE * (1 + np.abs(scores).max()):
        notes.append(
            "This is not the model that the policy was learnt with: it scores the same people otherwise, so the guarantee does "
            "not speak of what it says."
        )
    ground = Ground(known, settings, centre, scale, _tried(geometry["tried"], schema))
    aim = _names(data["aim"], "aim", ["today", "wished", "tolerance", "price"])
    today = finite_values(aim["today"], "The scores of the aim")
    wished = _numbers(aim["wished"], "The wished scores", len(today))
    if (np.diff(today) <= 0).any() or (np.diff(wished) < 0).any():
        raise InputError("The scores of a policy's aim must rise.")
    number("tolerance", aim["tolerance"], low=0)
    number("price", aim["price"], low=0)
    made = Aim(ScoreMap(today, wished, target.past, known.interval), float(aim["tolerance"]), float(aim["price"]))
    if data["cut"] != NOBODY:
        number("cut", data["cut"])
    cut = math.inf if data["cut"] == NOBODY else float(data["cut"])
    return Policy(
        data["kind"],
        ground,
        made,
        cut,
        _design(data["design"]),
        tuple(_programme(one, schema) for one in _list(data["programmes"], "programmes")),
        tuple(notes),
        None if data["audit"] is None else audit_from_dict(data["audit"]),
    )


def schema_hash(schema: Schema) -> str:
    """Of the columns as they are stored."""
    text = json.dumps(plain(schema.to_dict()), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def model_hash(model: Scorer) -> str | None:
    """Of the model's file; None for a function, which has none."""
    saved = _saved(model) if isinstance(model, Model) else None
    return None if saved is None else hashlib.sha256(saved[0]).hexdigest()


def _saved(model: Model) -> tuple[bytes, str] | None:
    from ..models.save import save_model  # brings scikit-learn, which takes seconds

    try:
        return save_model(model)
    except InputError:
        return None


def _model_beside(data: Any, folder: Path) -> Scorer:
    from ..models.load import load_model

    file = data["model"].get("file") if isinstance(data, dict) and isinstance(data.get("model"), dict) else None
    if not isinstance(file, str):
        raise InputError("The policy names no model file: give the model it was learnt with.")
    check_path(file)
    loaded: Scorer = load_model(file_in(folder, file), build(Schema, data.get("schema"), "schema"))
    return loaded


def _names(data: Any, what: str, names: list[str], exact: bool = True) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError(f"The {what} of a policy must be names with values.")
    if exact:
        check_names(data, names, what, names)
    return data


def _list(data: Any, what: str) -> list[Any]:
    if not isinstance(data, list):
        raise InputError(f"The {what} of a policy must be a list.")
    return data


def _numbers(data: Any, what: str, count: int) -> Floats:
    values = finite_values(data, what)
    if len(values) != count:
        raise InputError(f"{what} must be {count:,} numbers, not {len(values):,}.")
    return values


def _cells(data: Any, schema: Schema) -> Floats:
    names = schema.feature_names
    _names(data, "known people", names)
    parts = [finite_values(data[name], f"The known values of “{name}”") for name in names]
    if len({len(part) for part in parts}) != 1:
        raise InputError("The known people of a policy need a value of each feature.")
    cells = np.column_stack(parts)
    for j, column in enumerate(schema.features):
        if column.categorical and not np.isin(cells[:, j], np.arange(len(column.levels))).all():
            raise InputError(f"The known values of “{column.name}” must be places among its {len(column.levels)} levels.")
    return cells


def _tried(data: Any, schema: Schema) -> dict[int, Floats]:
    names = schema.feature_names
    check_names(data, names, "values that are tried", [])
    return {names.index(name): finite_values(values, f"The values of “{name}” that are tried") for name, values in data.items()}


def _design(data: Any) -> Design:
    _names(data, "design", ["people", "scores", "changed", "reached"])
    whole("people", data["people"], 1)
    whole("changed", data["changed"], 0)
    number("reached", data["reached"])
    return Design(
        data["people"], np.sort(finite_values(data["scores"], "The design scores")), data["changed"], float(data["reached"])
    )


def _programme(data: Any, schema: Schema) -> Programme:
    names = ["action", "words", "reach", "given", "effort", "together"]
    _names(data, "programme", names)
    for name in names[2:]:
        number(name, data[name], low=0)
    action = Action.from_list(data["action"], schema)
    return Programme(action, action.words(schema), *(float(data[name]) for name in names[2:]))
