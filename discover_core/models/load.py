"""Open a model file safely: find out what it is, read it, and fit it to the table."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from ..errors import InputError
from ..table.limits import MAX_BYTES, megabytes
from ..table.schema import Schema
from .boosters import load_lightgbm, load_xgboost
from .estimator import estimator_model
from .loaded import EXTENSIONS, PICKLES, Origin, quietly
from .model import Codes, Model
from .onnx_model import load_onnx
from .pickled import looks_pickled, pickle_allowed, read_pickle, refuse_pickle
from .probe import crashes_accepted, try_file
from .recode import codes_of, with_codes
from .skops_model import read_skops

CHECKED_ROWS = 50


def load_model(
    source: str | os.PathLike[str] | bytes,
    schema: Schema,
    name: str | None = None,
    *,
    mapping: Mapping[str, str] | None = None,
    output: int | str | None = None,
    codes: Codes | None = None,
    approved: Collection[str] = (),
    allow_pickle: bool | None = None,
    probe: bool | None = None,
) -> Model:
    """The model in a file (or in its bytes), reading the columns of `schema`.

    `mapping` says which table column stands for a column the model wants, `output` which of several outputs counts,
    `codes` which number stands for which level of a column where the file does not say it (see `Model.codes` for what is
    guessed otherwise), and `approved` which unknown types of a skops file a person trusts. No code from the file is run,
    except that of a pickle when `allow_pickle` (or, if None, the environment variable DISCOVER_ALLOW_PICKLE=1) says so. Every
    failure is an InputError.

    The libraries behind the formats trust a file; so its structure is checked before they see it, and then a process of its own
    reads it and scores a few rows (`probe`), which takes a second or two for each new file. None of the two is asked of a
    pickle. `probe=None` leaves the second out where the process has said that it may be lost (`probe.accept_crashes`), as those
    of the app's jobs and runs do. What is promised, and what is not, stands in docs/method.md, "Model files".
    """
    origin = _read(source, name)
    arguments: dict[str, Any] = {
        "mapping": mapping,
        "output": output,
        "codes": codes,
        "approved": tuple(approved),
        "allowed": pickle_allowed(allow_pickle),
    }
    wanted = not crashes_accepted() if probe is None else probe
    if wanted and origin.extension in EXTENSIONS and origin.extension not in PICKLES:
        try_file(origin, schema, arguments)
    return read_model(origin, schema, **arguments)


def read_model(
    origin: Origin,
    schema: Schema,
    mapping: Mapping[str, str] | None,
    output: int | str | None,
    codes: Codes | None,
    approved: Collection[str],
    allowed: bool,
) -> Model:
    """The model in a file that is in memory, in this process."""
    kind = origin.extension
    if kind not in EXTENSIONS:
        raise InputError(
            f"“{origin.title}” is no kind of model file we know: give .skops, .json or .ubj (XGBoost), .txt (LightGBM) or .onnx."
        )
    if kind not in PICKLES and looks_pickled(origin.data):
        raise refuse_pickle(origin)
    if kind in PICKLES:
        model = estimator_model(read_pickle(origin, allowed), origin, schema, mapping, output)
    elif kind == ".skops":
        estimator = read_skops(origin, approved, allowed)
        sentence = f"“{origin.title}” holds no estimator that can be asked: save the fitted estimator itself"
        model = quietly(lambda: estimator_model(estimator, origin, schema, mapping, output), sentence)
    elif kind == ".txt":
        model = load_lightgbm(origin, schema, mapping, output)
    elif kind == ".onnx":
        model = load_onnx(origin, schema, mapping, output)
    else:
        model = load_xgboost(origin, schema, mapping, output)
    return with_codes(replace(model, codes=codes_of(model)), codes or {})


def check_model(model: Model, table: pd.DataFrame) -> None:
    """Ask the model about a few rows; InputError if it raises, or gives anything but one number per row."""
    model(table.head(CHECKED_ROWS))


def _read(source: str | os.PathLike[str] | bytes, name: str | None) -> Origin:
    if isinstance(source, bytes):
        data, title = source, Path(name).name if name else ""
    else:
        path = Path(source)
        title = Path(name).name if name else path.name
        try:
            size = path.stat().st_size
            data = path.read_bytes() if size <= MAX_BYTES else b""
        except OSError as error:
            raise InputError(f"The model file “{title}” cannot be opened: {error.strerror or error}.") from error
        if size > MAX_BYTES:
            raise _too_large(title, size)
    if len(data) > MAX_BYTES:
        raise _too_large(title, len(data))
    if not data:
        raise InputError(f"The model file “{title or 'given'}” is empty.")
    return Origin(data, Path(title).suffix.lower() or _sniff(data), title)


def _too_large(title: str, size: int) -> InputError:
    return InputError(f"“{title}” has {megabytes(size)}: a model file may have at most {megabytes(MAX_BYTES)}.")


def _sniff(data: bytes) -> str:
    """The extension a file without one should have, by how it starts."""
    if looks_pickled(data):
        return ".pkl"
    starts = {b"PK": ".skops", b"tree": ".txt", b"{": ".json"}
    return next((extension for start, extension in starts.items() if data.startswith(start)), ".onnx")
