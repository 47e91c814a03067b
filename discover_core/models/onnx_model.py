"""ONNX model files, run by onnxruntime from memory, so that a file can neither bring code nor read other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from ..errors import InputError
from ..table.limits import MAX_COLUMNS
from ..table.prepare import level_type
from ..table.schema import MISSING, Column, Schema
from .columns import Match, match_names, match_positions, used_columns
from .loaded import PROBABILITY, Origin, column_of, pick_class, predicted, quietly
from .matrix import Reader, reader
from .model import Model

NUMBERS = {
    "tensor(float)": np.float32,
    "tensor(double)": np.float64,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
}
NOWHERE = "/nonexistent"  # where weights outside the file would be looked for
BATCH = 16  # rows are run in multiples of so many: one alone, or the last of an odd number, would differ in its last digits


@dataclass(frozen=True)
class Feed:
    """One input of the network: its type, whether it wants (rows, 1) or (rows,), and what to read for it."""

    name: str
    kind: str
    flat: bool
    reader: Reader
    words: tuple[str, ...] | None = None  # the text of each level, if text is wanted


@dataclass
class OnnxScorer:
    """Runs the network; the session is made from the bytes when first needed and never pickled."""

    origin: Origin
    feeds: tuple[Feed, ...]
    result: str
    labels: tuple[Any, ...] | None  # the keys of a result that is one dictionary per row
    index: int | None
    width: int
    chances: bool = False
    _session: Any = field(default=None, repr=False, compare=False)

    def __call__(self, table: pd.DataFrame) -> Any:
        if self._session is None:
            self._session = open_session(self.origin)
        raw = self._session.run([self.result], {feed.name: _filled_up(_values(feed, table)) for feed in self.feeds})[0]
        raw = raw[: len(table)]
        if self.labels is not None:
            key = self.labels[self.index or 0]
            raw, index = np.array([row[key] for row in raw], dtype=np.float64), None
        else:
            index = self.index
        scores = column_of(raw, index, self.width)
        return np.clip(np.asarray(scores, dtype=np.float64), *PROBABILITY) if self.chances else scores

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_session": None}


def open_session(origin: Origin) -> Any:
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", NOWHERE)
    return quietly(
        lambda: ort.InferenceSession(origin.data, options, providers=["CPUExecutionProvider"]),
        f"“{origin.title}” is not an ONNX model that can be run: save it as one .onnx file with its weights inside",
    )


def load_onnx(origin: Origin, schema: Schema, mapping: Mapping[str, str] | None, output: int | str | None) -> Model:
    """A Model from an ONNX file with either one table-wide input or one input per column."""
    session = open_session(origin)
    feeds, matches, notes = _feeds(session.get_inputs(), schema, mapping, origin)
    result = _result(session.get_outputs(), origin)
    scorer = OnnxScorer(origin, feeds, result.name, None, None, 1, _session=session)
    sample = _sample(session, scorer, schema)
    classes, said, more = _outputs(session.get_outputs(), result, sample, schema)
    if isinstance(sample, list):
        scorer.labels = tuple(sample[0])
    scorer.width = len(classes)
    if len(classes) > 1:
        pick = pick_class(classes, schema, output)
        scorer.index, said, more = pick.index, pick.output, (*more, *pick.notes)
    scorer.chances = len(classes) > 1 and _are_chances(sample)
    if len(classes) > 1 and not scorer.chances:
        said = "model output"
    return Model(
        scorer=scorer,
        schema=schema,
        family="onnx",
        title=origin.title,
        inputs=used_columns(matches),
        output=said,
        interval=PROBABILITY if scorer.chances else None,
        notes=(*notes, *more),
    )


def _feeds(
    inputs: Sequence[Any], schema: Schema, mapping: Mapping[str, str] | None, origin: Origin
) -> tuple[tuple[Feed, ...], list[Match], tuple[str, ...]]:
    for entry in inputs:
        if entry.type not in NUMBERS and entry.type != "tensor(string)":
            raise InputError(f"“{origin.title}” wants “{entry.name}” as {entry.type}, which a table cannot give.")
    width = inputs[0].shape[1] if len(inputs) == 1 and len(inputs[0].shape) == 2 else 1
    if len(inputs) == 1 and width != 1:
        if inputs[0].type == "tensor(string)":
            raise InputError(f"“{origin.title}” wants all columns as text in one input: convert it with one input per column.")
        count = width if isinstance(width, int) else len(schema.features)
        if count > MAX_COLUMNS:
            raise InputError(f"“{origin.title}” wants {count:,} columns, more than a table can have: convert it again.")
        matches, notes = match_positions([f"f{i}" for i in range(count)], schema, mapping)
        read, guesses = reader(matches, schema)
        return (Feed(inputs[0].name, inputs[0].type, False, read),), matches, notes + guesses
    matches = match_names([entry.name for entry in inputs], schema, mapping)
    feeds, said = [], []
    for entry, match in zip(inputs, matches, strict=True):
        text = entry.type == "tensor(string)"
        column = schema[match.column]
        read, guesses = reader([match], schema)
        read = replace(read, assumed=frozenset()) if text else read
        words = tuple("" if level == MISSING else str(level) for level in column.levels) if text and column.categorical else None
        said += [] if text else list(guesses)
        feeds.append(Feed(entry.name, entry.type, len(entry.shape) < 2, read, words))
    return tuple(feeds), matches, tuple(said)


def _values(feed: Feed, table: pd.DataFrame) -> Any:
    if feed.kind != "tensor(string)":
        values: Any = feed.reader(table).astype(NUMBERS[feed.kind])
    elif feed.words is not None:
        values = np.array(feed.words, dtype=object)[table[feed.reader.columns[0]].cat.codes.to_numpy()][:, None]
    else:
        values = table[feed.reader.columns[0]].astype(str).to_numpy(dtype=object)[:, None]
    return values[:, 0] if feed.flat else values


def _filled_up(values: Any) -> Any:
    """With the last row repeated, so that a row's score is the same to the bit in whatever company."""
    return np.concatenate([values, np.repeat(values[-1:], -len(values) % BATCH, axis=0)])


def _result(outputs: Sequence[Any], origin: Origin) -> Any:
    """The output with the scores: a dictionary per row, or the widest tensor of decimal numbers."""
    maps = [o for o in outputs if o.type.startswith("seq(map(")]
    scores = [o for o in outputs if o.type in ("tensor(float)", "tensor(double)")]
    if not maps and not scores:
        raise InputError(f"“{origin.title}” gives only labels, not scores: convert it again with its probabilities as an output.")
    if maps:
        return maps[0]
    return max(scores, key=lambda o: o.shape[1] if len(o.shape) > 1 and isinstance(o.shape[1], int) else 0)


def _outputs(outputs: Sequence[Any], result: Any, sample: Any, schema: Schema) -> tuple[list[Any], str, tuple[str, ...]]:
    """The classes behind the scores (one: a plain number), what the score is called, and what was assumed."""
    if isinstance(sample, list):
        return list(sample[0]), "", ()
    width = sample.shape[1] if sample.ndim == 2 else 1
    levels = list(schema[schema.outcome].levels) if schema.outcome is not None else []
    if width == 1:
        return [None], predicted(schema.outcome if schema.task == "regression" else None), ()
    named = any(o.type in ("tensor(string)", "tensor(int64)") for o in outputs if o is not result)
    if named and len(levels) == width and _same_kind(outputs, levels):
        note = "The file does not name its classes; they are taken to be in alphabetical order."
        return sorted(levels, key=lambda v: (isinstance(v, str), v)), "", (note,)
    return list(range(width)), "", ()


def _same_kind(outputs: Sequence[Any], levels: Sequence[Any]) -> bool:
    """Does the file's label output hold the same kind of values as the outcome: words, or numbers?"""
    words = any(o.type == "tensor(string)" for o in outputs)
    return all(isinstance(level, str) == words for level in levels)


def _sample(session: Any, scorer: OnnxScorer, schema: Schema) -> Any:
    """What the network gives for a few made-up rows: a list of dictionaries, or an array."""
    rows = pd.DataFrame({c.name: _made_up(c) for c in schema.features})
    raw = quietly(
        lambda: session.run([scorer.result], {feed.name: _values(feed, rows) for feed in scorer.feeds})[0],
        f"“{scorer.origin.title}” failed on rows made of this table's lowest and highest values",
    )
    if not isinstance(raw, (list, np.ndarray)) or len(raw) == 0:
        raise InputError(f"“{scorer.origin.title}” does not give one score per row.")
    return raw


def _made_up(column: Column) -> Any:
    if column.categorical:
        return pd.Categorical.from_codes([0, len(column.levels) // 2, len(column.levels) - 1], dtype=level_type(column))
    return np.array([column.low, column.low, column.high], dtype=np.float64)


def _are_chances(sample: Any) -> bool:
    """Every row between 0 and 1 and summing to 1."""
    table = np.array([list(row.values()) for row in sample] if isinstance(sample, list) else sample, dtype=np.float64)
    return bool(np.all(table > -1e-3) and np.all(np.abs(table.sum(axis=1) - 1) < 1e-2))
