"""XGBoost and LightGBM model files: data only, no code in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote

import lightgbm as lgb
import numpy as np
import pandas as pd
import xgboost as xgb

from ..errors import InputError
from ..table.schema import Schema
from .category_words import category_words
from .columns import Match, match_names, match_positions, match_saved, numbered, used_columns
from .lightgbm_text import check_lightgbm, header
from .loaded import PROBABILITY, Origin, Signature, choose, column_of, predicted, probability, quietly
from .matrix import Reader, reader
from .model import Model
from .questions import ChooseOutput
from .xgboost_structure import check_xgboost

SIGNATURE = "discover"  # the attribute (XGBoost) or header line (LightGBM) by which we know our own files
CHANCES = ("binary:logistic", "reg:logistic", "multi:softprob", "binary", "cross_entropy", "multiclass", "multiclassova")


@dataclass(frozen=True)
class Content:
    """What a booster's file says: its features, what its outputs mean, and whether we wrote it."""

    kind: Literal["xgboost", "lightgbm"]
    names: Sequence[str]
    categories: Mapping[int, Sequence[Any] | None]  # by feature; None: codes without their categories
    objective: str
    outputs: int
    signature: Signature | None
    linear: bool = False


@dataclass
class BoosterScorer:
    """Asks a booster, which is read from its bytes when first needed and never pickled."""

    origin: Origin
    reader: Reader
    kind: str  # xgboost or lightgbm
    outputs: int
    index: int | None
    own: bool = False
    linear: bool = False  # XGBoost without trees
    _booster: Any = field(default=None, repr=False, compare=False)

    def __call__(self, table: pd.DataFrame) -> Any:
        if self._booster is None:
            self._booster = open_xgboost(self.origin) if self.kind == "xgboost" else open_lightgbm(self.origin)
        matrix: Any = self.reader(table)
        if self.kind == "lightgbm":
            single = self.own and self.reader.whole_numbers(table)  # so did it see them in training
            raw = self._booster.predict(matrix.astype(np.float32) if single else matrix)
        elif self.linear:
            raw = self._booster.predict(xgb.DMatrix(matrix), validate_features=False)
        else:
            best = self._booster.attr("best_iteration")
            trees = (0, 0) if best is None else (0, int(best) + 1)
            raw = self._booster.inplace_predict(matrix, iteration_range=trees, validate_features=False)
        return column_of(raw, self.index, self.outputs)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_booster": None}


def open_xgboost(origin: Origin) -> Any:
    booster = xgb.Booster()
    quietly(
        lambda: booster.load_model(bytearray(origin.data)),
        f"“{origin.title}” is not a model that XGBoost can read: save it with booster.save_model(…)",
    )
    return booster


def open_lightgbm(origin: Origin) -> Any:
    sentence = f"“{origin.title}” is not a model that LightGBM can read: save it with booster.save_model(…)"
    return quietly(lambda: lgb.Booster(model_str=origin.data.decode("utf-8")), sentence)


def load_xgboost(origin: Origin, schema: Schema, mapping: Mapping[str, str] | None, output: int | str | None) -> Model:
    """A Model from XGBoost's .json or .ubj."""
    check_xgboost(origin)
    sentence = f"“{origin.title}” is not a model that XGBoost can read: save it with booster.save_model(…)"
    return _booster_model(origin, quietly(lambda: _xgboost_content(origin, schema), sentence), schema, mapping, output)


def _xgboost_content(origin: Origin, schema: Schema) -> Content:
    booster = open_xgboost(origin)
    learner = json.loads(booster.save_config())["learner"]
    objective, sizes = learner["objective"]["name"], learner["learner_model_param"]
    if objective in ("multi:softmax", "binary:hinge"):
        raise InputError(
            f"“{origin.title}” gives a label per row ({objective}), not a score: train it with multi:softprob or binary:logistic."
        )
    return Content(
        kind="xgboost",
        names=booster.feature_names or [f"f{i}" for i in range(booster.num_features())],
        categories=_xgboost_categories(booster, schema),
        objective=objective,
        outputs=max(int(sizes.get("num_class", 0)), int(sizes.get("num_target", 1)), 1),
        signature=_signature(booster.attr(SIGNATURE)),
        linear=learner["gradient_booster"]["name"] == "gblinear",
    )


def load_lightgbm(origin: Origin, schema: Schema, mapping: Mapping[str, str] | None, output: int | str | None) -> Model:
    """A Model from LightGBM's text file."""
    check_lightgbm(origin)
    head = header(origin.data)
    content = Content(
        kind="lightgbm",
        names=head["feature_names"].split(" "),
        categories=_lightgbm_categories(head, open_lightgbm(origin).pandas_categorical),
        objective=head.get("objective", "").split(" ")[0],
        outputs=int(head["num_tree_per_iteration"]),
        signature=_signature(unquote(head.get(SIGNATURE, ""))),
    )
    return _booster_model(origin, content, schema, mapping, output)


def _signature(text: str | None) -> Signature | None:
    try:
        return Signature.read(json.loads(text or "null"))
    except ValueError:
        return None


def _booster_model(
    origin: Origin, content: Content, schema: Schema, mapping: Mapping[str, str] | None, output: int | str | None
) -> Model:
    own = content.signature is not None
    matches, notes = _match(content.names, schema, mapping, own)
    read, guesses = reader(matches, schema, content.categories, ranks=own)
    index = None
    if content.outputs > 1:
        classes = [str(i) for i in range(content.outputs)]
        if output is None and content.outputs > 2:
            raise ChooseOutput(classes)
        index = choose(classes, output) if output is not None else 1
    if content.signature is not None:
        said, more = content.signature.output(), content.signature.notes(schema)
    else:
        said, more = _describe(content.objective, index, schema)
    return Model(
        scorer=BoosterScorer(origin, read, content.kind, content.outputs, index, own, content.linear),
        schema=schema,
        family=content.kind,
        title=origin.title,
        inputs=used_columns(matches),
        output=said,
        interval=PROBABILITY if content.objective in CHANCES else None,
        notes=notes + guesses + more,
    )


def _match(
    names: Sequence[str], schema: Schema, mapping: Mapping[str, str] | None, own: bool
) -> tuple[list[Match], tuple[str, ...]]:
    if own and not mapping:
        return match_saved(names, schema), ()
    if numbered(names) and not any(name in schema for name in names):
        return match_positions(names, schema, mapping)
    return match_names(names, schema, mapping), ()


def _describe(objective: str, index: int | None, schema: Schema) -> tuple[str, tuple[str, ...]]:
    if objective not in CHANCES:
        odd = objective in ("binary:logitraw", "")
        return predicted(schema.outcome if schema.task == "regression" else None), (
            ("The file's scores are raw sums over its trees, not probabilities.",) if odd else ()
        )
    number = 1 if index is None else index
    if schema.outcome is None or schema.task == "regression":
        return f"probability of class {number}", ()
    if index is not None or schema.positive is None:
        return f"probability of class {number}", (f"The file does not say which “{schema.outcome}” its class {number} is.",)
    note = f"The file gives the probability of its class 1 and does not name it; it is taken as “{schema.positive}”."
    return probability(schema.outcome, schema.positive), (note,)


def _xgboost_categories(booster: Any, schema: Schema) -> dict[int, Sequence[Any] | None]:
    """The categories of every categorical feature, in the order of their codes; None where an old file has none."""
    coded = [i for i, kind in enumerate(booster.feature_types or []) if kind == "c"]
    if not coded:
        return {}
    try:
        stored = booster.get_categories(export_to_arrow=True).to_arrow()
    except Exception:  # files of older versions keep codes only
        return dict.fromkeys(coded)
    levels = {str(level) for column in schema.features for level in column.levels}
    return {i: None if stored[i][1] is None else category_words(stored[i][1], levels) for i in coded}


def _lightgbm_categories(head: Mapping[str, str], stored: Sequence[Sequence[Any]] | None) -> dict[int, Sequence[Any] | None]:
    """LightGBM keeps pandas' categories in the order of the categorical features, which its value ranges give away."""
    coded = [i for i, values in enumerate(head["feature_infos"].split(" ")) if values != "none" and not values.startswith("[")]
    if stored and len(stored) == len(coded):
        return dict(zip(coded, stored, strict=True))
    return dict.fromkeys(coded)
