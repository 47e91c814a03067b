"""`policy.json`: a policy with everything it takes to apply it, and the model's file beside it."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, short
from ..models.model import Scorer
from ..problem.bounds import Bounds
from ..problem.checks import finite_values, number
from ..problem.problem import Problem
from ..problem.settings import Settings, completed
from ..scenario.json_file import read_json
from ..scenario.json_schema import build, check_names, plain
from ..scenario.scenario import actions_from_dict
from ..scenario.sources import check_path, file_in
from ..solver.cells import Layout
from ..table.cohort import Cohort
from ..table.encoding import Encoding
from ..table.schema import Schema
from .audit_data import audit_from_dict, audit_to_dict
from .ground import Ground
from .learn import KINDS
from .membership import group_words
from .model_identity import ModelIdentity, content_hash, model_file
from .policy import Policy
from .policy_parts import (
    budget_from_dict,
    cells_from_dict,
    cohort_from_dict,
    design_from_dict,
    design_to_dict,
    lines_of_text,
    numbers,
    programmes_from_list,
    target_from_dict,
    tried_from_dict,
    values_by_name,
)
from .score_map import ScoreMap
from .versions import Aim

VERSION = 2
MOST = 20 * 2**20  # bytes of `policy.json`, which holds up to 2,000 people twice over
QUESTION = ["schema", "actions", "target", "bounds", "settings", "budget", "rules"]
PARTS = ["version", "kind", "model", *QUESTION, "geometry", "people", "aim", "cut", "design", "programmes", "audit"]
NOBODY = "nobody"
OLD = (
    "This policy is of an earlier version, whose file does not say for whom it is: who of these people is like those it was "
    "learnt from cannot be told."
)


def write_policy(policy: Policy, path: Path) -> None:
    """The file, and the model's beside it under a name of its own."""
    text, beside = _files(policy, path.stem)
    try:
        for name, content in beside.items():
            path.with_name(name).write_bytes(content)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"“{path.name}” cannot be written: {error.strerror or error}.") from error


def policy_archive(policy: Policy) -> bytes:
    """`policy.json` and the model's file, in a ZIP."""
    text, beside = _files(policy, "policy")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in {"policy.json": text.encode("utf-8"), **beside}.items():
            archive.writestr(name, part)
    return content.getvalue()


def read_policy(path: str | Path, model: Scorer | None = None) -> Policy:
    """The policy in a file, with this model, or with the one in the file beside it."""
    path = Path(path)
    data = read_json(path, MOST)
    if model is None:
        model = _model_beside(data, path.parent)
    return policy_from_dict(data, model)


def policy_to_dict(policy: Policy, beside: Mapping[str, bytes]) -> dict[str, Any]:
    """All of it, in plain values. `beside` is the model's file in the same folder, if there is one."""
    ground, aim, cohort = policy.ground, policy.aim, policy.cohort
    known, layout = ground.known, ground.layout
    cells, names = layout.cells(known.factual), known.schema.feature_names
    interval = None if known.interval is None else (float(known.interval[0]), float(known.interval[1]))
    file, content = next(iter(beside.items()), (None, b""))
    digest = None if file is None else content_hash(content)
    identity = ModelIdentity(str(getattr(known.model, "title", "The model")), file, digest, interval)
    old = policy.design.cells is None  # read from a file of the first version, and can become no other
    parts = {
        "version": 1 if old else VERSION,
        "kind": policy.kind,
        "model": asdict(identity),
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
        "design": design_to_dict(policy.design, known.schema),
        **({} if old else {"group": None if cohort is None else _group(cohort)}),
        "programmes": [{**asdict(one), "action": one.action.to_list(known.schema)} for one in policy.programmes],
        "audit": None if policy.audited is None else audit_to_dict(policy.audited),
    }
    return {name: plain(part) for name, part in parts.items()}


def _group(cohort: Cohort) -> dict[str, Any]:
    return {"words": group_words(cohort), "cohort": cohort.to_dict()}


def policy_from_dict(data: Any, model: Scorer) -> Policy:
    """Every part is checked; a model that is not the one it was learnt with is noted, not refused."""
    version = _version(data)
    identity = ModelIdentity.of_dict(data)
    identity = replace(identity, hash=None) if version == 1 else identity  # not always that of the file beside it
    schema = build(Schema, data["schema"], "schema")
    width = len(schema.features)
    geometry = values_by_name(data["geometry"], "geometry", ["schema_hash", "centre", "scale", "tried"])
    centre, scale = (numbers(geometry[name], f"The {name} of the geometry", width) for name in ("centre", "scale"))
    if not (scale > 0).all():
        raise InputError("The scale of each feature of a policy must be above 0.")
    settings = build(Settings, completed(data["settings"]), "settings")
    actions = actions_from_dict(data["actions"], schema)
    people = values_by_name(data["people"], "people", ["cells", "scores"])
    cells = cells_from_dict(people["cells"], schema, "known")
    table = Layout(Encoding.from_scales(schema, centre, scale, {}, settings.encoding)).table(cells)
    target = target_from_dict(data["target"])
    bounds, budget = build(Bounds, data["bounds"], "bounds"), budget_from_dict(data["budget"])
    rules = lines_of_text(data["rules"], "rules")
    known = Problem(table, schema, model, actions, target, bounds, table, budget, rules)
    scores = numbers(people["scores"], "The scores of the known people", len(cells))
    cut = data["cut"]
    if cut != NOBODY:
        number("cut", cut)
    notes = [OLD] if version == 1 else []
    if geometry["schema_hash"] != schema_hash(schema):
        notes.append("The policy's columns were changed by hand after it was saved.")
    notes += identity.notes(model, known.interval, scores, known.outputs)
    return Policy(
        data["kind"],
        Ground(known, settings, centre, scale, tried_from_dict(geometry["tried"], known)),
        _aim(data["aim"], known),
        math.inf if cut == NOBODY else float(cut),
        design_from_dict(data["design"], schema, version),
        programmes_from_list(data["programmes"], data["kind"], schema),
        tuple(notes),
        None if data["audit"] is None else audit_from_dict(data["audit"]),
        None if version == 1 else cohort_from_dict(data["group"], schema, known),
    )


def _version(data: Any) -> int:
    """An InputError unless this is a policy of a version that can be read, with all its parts."""
    if not isinstance(data, dict) or "version" not in data or "cut" not in data:
        raise InputError("This is not a policy: choose the policy.json that was saved with an audited answer.")
    version = data["version"]
    if type(version) is not int or not 1 <= version <= VERSION:
        raise InputError(
            f"This policy has the version {short(repr(version))}, but this program reads versions 1 to {VERSION} only."
        )
    parts = PARTS if version == 1 else [*PARTS, "group"]
    check_names(data, parts, "policy", parts)
    if data["kind"] not in KINDS:
        raise InputError(f"There is no kind of policy {short(repr(data['kind']))}: use one of {', '.join(KINDS)}.")
    return version


def _aim(data: Any, known: Problem) -> Aim:
    values_by_name(data, "aim", ["today", "wished", "tolerance", "price"])
    today = finite_values(data["today"], "The scores of the aim")
    wished = numbers(data["wished"], "The wished scores", len(today))
    if (np.diff(today) <= 0).any() or (np.diff(wished) < 0).any():
        raise InputError("The scores of a policy's aim must rise.")
    number("tolerance", data["tolerance"], low=0)
    number("price", data["price"], low=0)
    return Aim(ScoreMap(today, wished, known.target.past, known.interval), float(data["tolerance"]), float(data["price"]))


def schema_hash(schema: Schema) -> str:
    """Of the columns as they are stored."""
    return content_hash(json.dumps(plain(schema.to_dict()), sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _files(policy: Policy, stem: str) -> tuple[str, dict[str, bytes]]:
    """What is in the policy's own file, and the model's beside it, if it can be saved, by its name."""
    saved = model_file(policy.ground.known.model)
    beside = {} if saved is None else {f"{stem}-model{saved[1]}": saved[0]}
    parts = policy_to_dict(policy, beside)
    lines = (f"{json.dumps(name)}: {json.dumps(part, ensure_ascii=False, allow_nan=False)}" for name, part in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n", beside


def _model_beside(data: Any, folder: Path) -> Scorer:
    from ..models.load import load_model

    file = ModelIdentity.of_dict(data).file
    if file is None:
        raise InputError("The policy names no model file: give the model it was learnt with.")
    check_path(file)
    loaded: Scorer = load_model(file_in(folder, file), build(Schema, data.get("schema"), "schema"))
    return loaded
