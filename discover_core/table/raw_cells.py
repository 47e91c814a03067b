"""New values as cells of the user's own column: dates and durations in its type and its way of writing."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas.api import types

from .dates import DAY_MONTH, YEAR_FIRST
from .schema import Column
from .values import is_text, plain_values

DAY = 86_400_000_000  # microseconds
CLOCK = re.compile(r"([T ])\d{2}:\d{2}(:\d{2})?(?:[.]\d+)?(Z|[+-]\d{2}:?\d{2})?$")


def with_values(series: pd.Series[Any], column: Column, changed: NDArray[np.bool_], values: NDArray[Any]) -> pd.Series[Any]:
    """The raw column with these values where they changed: numbers (dates as days since 1970-01-01) or levels, one per row.

    All other cells stay what they were, and the column's schema reads the new ones as these values.
    """
    plain = plain_values(series)
    if types.is_datetime64_any_dtype(plain.dtype) or types.is_timedelta64_dtype(plain.dtype):
        return _with_times(plain, changed, _microseconds(values[changed]))
    cells = series.astype(object).to_numpy(copy=True)
    written = values[changed]
    if column.date and is_text(plain):
        written = _date_cells(_microseconds(written), plain.dropna(), column.dayfirst)
    cells[changed] = written
    return pd.Series(cells, index=series.index).infer_objects()


def _microseconds(days: NDArray[Any]) -> NDArray[np.int64]:
    return np.rint(days.astype(np.float64) * DAY).astype(np.int64)


def _with_times(series: pd.Series[Any], changed: NDArray[np.bool_], microseconds: NDArray[np.int64]) -> pd.Series[Any]:
    """The column in its own unit, or in microseconds if that is too coarse for what is new."""
    kind = "datetime64[us]" if types.is_datetime64_any_dtype(series.dtype) else "timedelta64[us]"
    new = pd.Series(microseconds.astype(kind))
    if isinstance(series.dtype, pd.DatetimeTZDtype):
        new = new.dt.tz_localize(series.dt.tz, ambiguous=np.ones(len(new), dtype=bool), nonexistent="shift_forward")
    own = new.dt.as_unit(series.dt.unit)
    out = series.copy() if bool((own == new).all()) else series.dt.as_unit("us")
    out.iloc[np.flatnonzero(changed)] = new.dt.as_unit(out.dt.unit).array
    return out


def _date_cells(microseconds: NDArray[np.int64], known: pd.Series[Any], dayfirst: bool) -> NDArray[Any]:
    """As text in the notation of the known cells, or as Python's own dates where these are such."""
    moments = [datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=int(number)) for number in microseconds]
    first, cells = known.iloc[0] if len(known) else "", np.empty(len(moments), dtype=object)
    if isinstance(first, datetime.datetime):
        cells[:] = [type(first).fromisoformat(moment.replace(tzinfo=first.tzinfo).isoformat()) for moment in moments]
    elif isinstance(first, datetime.date):
        cells[:] = [moment.date() if moment.time() == datetime.time() else moment for moment in moments]
    else:
        notation = DateNotation.of(known, dayfirst)
        cells[:] = [notation.text(moment) for moment in moments]
    return cells


@dataclass(frozen=True)
class DateNotation:
    """How a column writes its dates: the order of year (y), month (m) and day (d), the mark between them, and whether there are
    leading zeros and years of two digits. `clock` says whether all have a time of day, which stands behind a `gap`, with or
    without seconds, and before a time `zone`."""

    order: str = "ymd"
    mark: str = "-"
    zeros: bool = True
    short: bool = False
    clock: bool = False
    gap: str = " "
    seconds: bool = True
    zone: str = ""

    @classmethod
    def of(cls, texts: pd.Series[Any], dayfirst: bool) -> DateNotation:
        """That of the first text; of no date whose shape we know, ISO's. Whether there are leading zeros all of them tell."""
        text = str(texts.iloc[0]).strip() if len(texts) else ""
        year_first, day_month = YEAR_FIRST.match(text), DAY_MONTH.match(text)
        match = year_first or day_month
        if match is None:
            return cls()
        order = "ymd" if year_first else "dmy" if dayfirst else "mdy"
        shapes = (YEAR_FIRST.match(other) or DAY_MONTH.match(other) for other in map(str, texts.unique()))
        zeros = all(len(part) > 1 for shape in shapes if shape is not None for part in shape.groups())
        date = (order, text[match.end(1)], zeros, not year_first and len(match[3]) == 2)
        clock = CLOCK.match(text[match.end() :])
        return cls(*date) if clock is None else cls(*date, True, clock[1], clock[2] is not None, clock[3] or "")

    def text(self, moment: datetime.datetime) -> str:
        """Exact to the microsecond: what the notation leaves out is written where it is not 0."""
        width = 2 if self.zeros else 1
        short = self.short and 2000 <= moment.year < 2100  # two digits are read as a year of this century
        year = f"{moment.year % 100:02}" if short else f"{moment.year:04}"
        parts = {"y": year, "m": f"{moment.month:0{width}}", "d": f"{moment.day:0{width}}"}
        date = self.mark.join(parts[part] for part in self.order)
        if not self.clock and moment.time() == datetime.time():
            return date
        exact = bool(moment.second or moment.microsecond)
        time = moment.strftime("%H:%M:%S" if self.seconds or exact else "%H:%M")
        fraction = f".{moment.microsecond:06}" if moment.microsecond else ""
        return f"{date}{self.gap}{time}{fraction}{self.zone}"
