"""joblib and pickle files: opening one runs code from it, so only the operator can allow it."""

from __future__ import annotations

import io
import os
from typing import Any

import joblib

from ..errors import InputError
from .loaded import Origin, quietly

ALLOW = "DISCOVER_ALLOW_PICKLE"


def pickle_allowed(asked: bool | None = None) -> bool:
    """The caller's word, else the operator's: the environment variable set to 1."""
    return os.environ.get(ALLOW, "") == "1" if asked is None else asked


def looks_pickled(data: bytes) -> bool:
    """Starts like a pickle, or like a compressed one."""
    pickled = data[:1] == b"\x80" and len(data) > 1 and 2 <= data[1] <= 5
    return (
        pickled
        or data[:2] in (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda", b"\x1f\x8b", b"BZ")
        or data[:6] == b"\xfd7zXZ\x00"
    )


def refuse_pickle(origin: Origin) -> InputError:
    return InputError(
        f"“{origin.title}” is a pickle, and opening a pickle runs code from the file, so it is not opened here: convert the "
        'model with skops.io.dump(model, "model.skops") (or, for XGBoost, model.save_model("model.json")) and upload that file.'
    )


def read_pickle(origin: Origin, allowed: bool) -> Any:
    """The object in the file; runs whatever the file says."""
    if not allowed:
        raise refuse_pickle(origin)
    return quietly(lambda: joblib.load(io.BytesIO(origin.data)), f"“{origin.title}” cannot be opened as a joblib or pickle file")
