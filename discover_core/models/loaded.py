"""What all models that come from a file share: the choice among several outputs, and how the score is called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError, said, short
from ..table.schema import Schema
from .questions import ChooseOutput

PROBABILITY = (0.0, 1.0)

PICKLES = (".joblib", ".pkl", ".pickle")
EXTENSIONS = (".skops", ".json", ".ubj", ".txt", ".onnx", *PICKLES)


@dataclass(frozen=True)
class Origin:
    """The file a model came from, so that it can be handed back unchanged."""

    data: bytes = field(repr=False)
    extension: str
    name: str

    @property
    def title(self) -> str:
        return short(self.name) or "The uploaded model"


@dataclass(frozen=True)
class Signature:
    """What a file of ours says about its model."""

    family: str
    outcome: str
    positive: str | None  # None: a number is predicted

    def to_dict(self) -> dict[str, str | None]:
        return {"family": self.family, "outcome": self.outcome, "positive": self.positive}

    @classmethod
    def read(cls, data: object) -> Signature | None:
        if not isinstance(data, dict) or not isinstance(data.get("family"), str) or not isinstance(data.get("outcome"), str):
            return None
        positive = data.get("positive")
        return cls(data["family"], data["outcome"], positive if isinstance(positive, str) else None)

    def output(self) -> str:
        return predicted(self.outcome) if self.positive is None else probability(self.outcome, self.positive)

    def notes(self, schema: Schema) -> tuple[str, ...]:
        """Says so when the file answers another question than the one asked now."""
        asked = None if schema.positive is None else str(schema.positive)
        if schema.outcome is None or (schema.outcome, asked) == (self.outcome, self.positive):
            return ()
        return (f"The file's model gives the {self.output()}.",)


@dataclass(frozen=True)
class Pick:
    """Which of a classifier's outputs counts, how the score is called, and what should be said about it."""

    index: int
    output: str
    notes: tuple[str, ...] = ()


def probability(outcome: str, level: object) -> str:
    return f"probability that {outcome} is {level}"


def predicted(outcome: str | None) -> str:
    return f"predicted {outcome}" if outcome is not None else "model output"


def pick_class(classes: Sequence[Any], schema: Schema, output: int | str | None) -> Pick:
    """The class whose probability is the score: the user's choice, else the schema's positive level, else the last of two."""
    names = [str(c) for c in classes]
    positive = None if schema.positive is None else str(schema.positive)
    index = None if output is None else choose(names, output)
    if index is None and len(names) > 2:
        raise ChooseOutput(names)
    notes: tuple[str, ...] = ()
    if index is None:
        index = names.index(positive) if positive in names else len(names) - 1
        if positive is not None and positive not in names:
            notes = (
                f"The model does not know “{positive}”; its score is taken as the probability of its class “{names[index]}”.",
            )
    known = schema.outcome is not None and schema.outcome in schema
    levels = [str(v) for v in schema[schema.outcome].levels] if known and schema.outcome is not None else []
    if schema.outcome is not None and names[index] in levels:
        return Pick(index, probability(schema.outcome, names[index]), notes)
    return Pick(index, f"probability of class {names[index]}", notes)


def choose(names: Sequence[str], output: int | str) -> int:
    """The position of an output given by name, or by position."""
    if str(output) in names:
        return list(names).index(str(output))
    if isinstance(output, int) and 0 <= output < len(names):
        return output
    raise InputError(f"The model has no output “{output}”: choose one of {', '.join(names)}.")


def column_of(raw: Any, index: int | None, width: int) -> Any:
    """One column of a model's outputs, or all of it if there is only one."""
    values = np.asarray(raw)
    if index is None:
        return values
    if values.ndim != 2 or values.shape[1] != width:
        raise InputError(f"The model gave outputs of shape {values.shape}, where {width} per row were announced.")
    return values[:, index]


def quietly(action: Callable[[], Any], sentence: str) -> Any:
    """Run a library's reader; whatever it complains about becomes our one sentence."""
    try:
        return action()
    except InputError:
        raise
    except Exception as error:
        raise InputError(f"{sentence} (the reader said: {said(error)}).") from error
