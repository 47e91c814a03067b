"""Write a model in the safe format of its family; `load_model` reads it back with identical scores."""

from __future__ import annotations

import copy
import json
import zipfile
from typing import Any
from urllib.parse import quote

from sklearn.pipeline import Pipeline

from ..errors import InputError
from ..table.schema import Schema
from .boosters import SIGNATURE as BOOSTER_SIGNATURE
from .boosters import BoosterScorer
from .columns import saved_name
from .estimator import SIGNATURE as PIPELINE_SIGNATURE
from .estimator import EstimatorScorer, OwnScorer
from .families import encoded_features
from .loaded import Signature
from .model import Model
from .onnx_model import OnnxScorer
from .train import PipelineScorer


def save_model(model: Model) -> tuple[bytes, str]:
    """The model as bytes, and the extension their file should have."""
    scorer = model.scorer
    if isinstance(scorer, (BoosterScorer, OnnxScorer, EstimatorScorer, OwnScorer)):
        return scorer.origin.data, scorer.origin.extension
    if not isinstance(scorer, PipelineScorer):
        raise InputError(f"{model.title} is a function of yours, not a trained model: it cannot be saved as a file.")
    schema = model.schema
    signature = Signature(model.family, schema.outcome or "the outcome", scorer.positive)
    if model.family == "xgboost":
        return _xgboost(scorer.pipeline, schema, signature), ".json"
    if model.family == "lightgbm":
        return _lightgbm(scorer.pipeline, schema, signature), ".txt"
    return _skops(scorer.pipeline, signature), ".skops"


def _names(schema: Schema) -> list[str]:
    return [saved_name(column, level) for column, level in encoded_features(schema)]


def _xgboost(pipeline: Pipeline, schema: Schema, signature: Signature) -> bytes:
    booster = pipeline[-1].get_booster().copy()
    booster.feature_names = _names(schema)
    booster.set_attr(**{BOOSTER_SIGNATURE: json.dumps(signature.to_dict())})
    return bytes(booster.save_raw("json"))


def _lightgbm(pipeline: Pipeline, schema: Schema, signature: Signature) -> bytes:
    lines = pipeline[-1].booster_.model_to_string().split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith("feature_names="))
    lines[place] = "feature_names=" + " ".join(_names(schema))
    lines.insert(place, f"{BOOSTER_SIGNATURE}={quote(json.dumps(signature.to_dict()), safe='')}")
    return "\n".join(lines).encode("utf-8")


def _skops(pipeline: Pipeline, signature: Signature) -> bytes:
    signed: Any = copy.copy(pipeline)
    setattr(signed, PIPELINE_SIGNATURE, signature.to_dict())
    import skops.io  # takes a second: only who needs it waits

    data: bytes = skops.io.dumps(signed, compression=zipfile.ZIP_DEFLATED)
    return data
