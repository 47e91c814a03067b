"""The real data sets that come with the project, each ready to use."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from ..errors import InputError
from ..table.known import KnownTable, known_tables, ready_schema
from ..table.read import read_table
from ..table.schema import Schema
from .actionability import Actionability

NAMES = ("german_credit", "german_credit_10", "compas", "adult", "taiwan_default")


@dataclass(frozen=True)
class Sample:
    """A table, what its columns mean, what may change in it, and one line on why one would look at it."""

    name: str
    title: str
    story: str
    table: pd.DataFrame
    schema: Schema
    actions: Actionability
    known: KnownTable


def samples() -> tuple[str, ...]:
    """The names that `load_sample` knows."""
    return NAMES


def load_sample(name: str) -> Sample:
    """One of the shipped data sets with its schema and its default actionability."""
    known = next((k for k in known_tables() if k.name == name), None)
    if known is None or known.path is None:
        raise InputError(f"There is no sample “{name}”: use one of {', '.join(NAMES)}.")
    table = read_table(known.path)
    schema = ready_schema(table, known)
    return Sample(name, known.title, known.story, table, schema, Actionability.default(schema), known)
