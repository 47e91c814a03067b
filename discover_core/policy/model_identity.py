"""Which model a policy was learnt with: what its file says of it, and whether another one is the same."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..models.model import Model, Scorer
from ..problem.checks import finite_values
from .design import CLOSE
from .policy_parts import text_or_none, values_by_name

Floats = NDArray[np.float64]
OTHERWISE = "it scores the same people otherwise, so the guarantee does not speak of what it says"


@dataclass(frozen=True)
class ModelIdentity:
    """Its title, the name of its file beside the policy's, the hash of that file, and between which numbers its scores lie."""

    title: str
    file: str | None
    hash: str | None
    interval: tuple[float, float] | None

    @classmethod
    def of_dict(cls, data: Any) -> ModelIdentity:
        """Every part is checked."""
        part = values_by_name(
            data.get("model") if isinstance(data, dict) else None, "model", ["title", "file", "hash", "interval"]
        )
        title, file, digest = (text_or_none(part[name], f"{name} of the model") for name in ("title", "file", "hash"))
        if title is None:
            raise InputError("The title of the model of a policy must be text.")
        if digest is not None and not re.fullmatch("[0-9a-f]{64}", digest):
            raise InputError("The hash of the model of a policy must be 64 digits from 0 to f.")
        if (file is None) != (digest is None):
            raise InputError("The model of a policy needs both a file and its hash, or neither.")
        ends = None if part["interval"] is None else finite_values(part["interval"], "The interval of the model")
        if ends is not None and (len(ends) != 2 or ends[0] >= ends[1]):
            raise InputError("The interval of the model of a policy must be two numbers, the lower one first.")
        return cls(title, file, digest, None if ends is None else (float(ends[0]), float(ends[1])))

    def notes(self, model: Scorer, interval: tuple[float, float] | None, then: Floats, now: Floats) -> list[str]:
        """Why the guarantee may not speak of what this model says, which scores the known people like that `now`.

        A model's file tells it apart. A function has none, nor have some models that were not read from one: of these only the
        scores can tell.
        """
        digest = None if self.hash is None else model_hash(model)
        other = digest is not None and digest != self.hash
        off = bool(np.abs(then - now).max() > CLOSE * (1 + np.abs(then).max()))
        if off and digest is not None and not other:
            return [
                f"The model's file is “{self.title}”, which the policy was learnt with, but read in another way: {OTHERWISE}."
            ]
        if off:
            return [f"This is not the model that the policy was learnt with, “{self.title}”: {OTHERWISE}."]
        if other:
            return [
                f"This is not the model that the policy was learnt with, “{self.title}”: its file is another, though it scores "
                "the known people alike; the guarantee does not speak of it."
            ]
        if interval != self.interval:
            return [
                f"The model does not say the same as “{self.title}”, which the policy was learnt with, about where its scores "
                "lie: what people are told, and the guarantee, may be other than they were."
            ]
        return []


def model_file(model: Scorer) -> tuple[bytes, str] | None:
    """Its content and ending; None for a function, which has none."""
    from ..models.save import save_model  # brings scikit-learn, which takes seconds

    if not isinstance(model, Model):
        return None
    try:
        return save_model(model)
    except InputError:
        return None


def content_hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def model_hash(model: Scorer) -> str | None:
    """Of the file it was read from, or would be written to; None where no two such files are alike."""
    origin = getattr(model.scorer, "origin", None) if isinstance(model, Model) else None
    if origin is not None:
        return content_hash(origin.data)
    file = model_file(model)
    return None if file is None or file[1] == ".skops" else content_hash(file[0])
