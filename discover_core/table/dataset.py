"""A table as it was read, together with what its columns mean and everything derived from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from .prepare import prepare, prepare_column
from .profile import Profile, profile_column, sample_to_draw
from .schema import Schema
from .usual import extremes


@dataclass(frozen=True)
class DatasetSummary:
    """What is small of a dataset and slow to work out: it goes from process to process, and each reads the table itself.

    `size` is how many bytes of memory the dataset takes.
    """

    title: str
    schema: Schema
    notes: Mapping[str, tuple[str, ...]]
    profiles: Mapping[str, Profile]
    extremes: Mapping[str, str]
    size: int = 0

    def dataset(self, raw: pd.DataFrame) -> Dataset:
        """The dataset that this is the summary of, with its table."""
        ready = prepare(raw, self.schema).table
        return Dataset(self.title, raw, self.schema, ready, self.notes, self.profiles, self.extremes)


@dataclass(frozen=True)
class Dataset:
    """`raw` as read, `ready` as its schema says; per column what was filled in (`notes`), what is in it (`profiles`) and
    which of its numbers look impossible (`extremes`, a sentence where there are some).

    `with_schema` works again only on the columns that changed, so that an edit is quick on a million rows.
    """

    title: str
    raw: pd.DataFrame
    schema: Schema
    ready: pd.DataFrame
    notes: Mapping[str, tuple[str, ...]]
    profiles: Mapping[str, Profile]
    extremes: Mapping[str, str]

    @classmethod
    def of(cls, raw: pd.DataFrame, schema: Schema, title: str = "Table") -> Self:
        return cls(title, raw, Schema(()), raw[[]], {}, {}, {}).with_schema(schema)

    @classmethod
    def bare(cls, raw: pd.DataFrame, schema: Schema) -> Self:
        """Only what solving needs; notes, profiles and extremes, which take most of the time, are for pages."""
        return cls("", raw, schema, schema.prepare(raw), {}, {}, {})

    def with_schema(self, schema: Schema) -> Self:
        old = self.schema
        drawn: pd.DataFrame | None = None
        ready: dict[str, Any] = {}
        notes = dict(self.notes)
        profiles, odd = dict(self.profiles), dict(self.extremes)
        for column in schema:
            name, outcome = column.name, column.name == schema.outcome
            same = name in old and old[name] == column and outcome == (name == old.outcome)
            if not same:
                odd.pop(name, None)
                drawn = sample_to_draw(self.raw) if drawn is None else drawn
                profiles[name] = profile_column(drawn[name], column, int(self.raw[name].isna().sum()))
            if column.role == "excluded":
                notes.pop(name, None)
            elif same:
                ready[name] = self.ready[name]
            else:
                ready[name], gaps = prepare_column(self.raw[name], column, keep_gaps=outcome)
                notes[name] = () if gaps is None else gaps.notes
                sentence = extremes(ready[name].astype(np.float64), column) if column.role == "numeric" else ""
                odd |= {name: sentence} if sentence else {}
        return type(self)(self.title, self.raw, schema, pd.DataFrame(ready, index=self.raw.index), notes, profiles, odd)

    @property
    def summary(self) -> DatasetSummary:
        size = sum(int(table.memory_usage(deep=True).sum()) for table in (self.raw, self.ready))
        return DatasetSummary(self.title, self.schema, self.notes, self.profiles, self.extremes, size)

    @property
    def all_notes(self) -> list[str]:
        return [note for name in self.notes for note in self.notes[name]]
