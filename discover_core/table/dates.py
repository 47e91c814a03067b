"""Dates in text: one reading for a whole column."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd

DAY_MONTH = re.compile(r"^\s*(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)")
YEAR_FIRST = re.compile(r"^\s*(\d{4})[./-](\d{1,2})[./-](\d{1,2})(?!\d)")


def looks_like_dates(texts: pd.Series[Any]) -> bool:
    """Nearly all of them have the shape of a date, and can be read as one."""
    shaped = sum(bool(DAY_MONTH.match(text) or YEAR_FIRST.match(text)) for text in texts)
    return shaped > 0.95 * len(texts) and bool(read_dates(texts, is_dayfirst(texts)).notna().mean() > 0.95)


def is_dayfirst(texts: pd.Series[Any]) -> bool:
    """Whether 05.03.2021 is in March: a first number above 12 proves it, a second one disproves it, else the point decides."""
    parts = [match for match in map(DAY_MONTH.match, map(str, texts.unique())) if match]
    first, second = (any(int(match[i]) > 12 for match in parts) for i in (1, 2))
    return first if first != second else any("." in match[0] for match in parts)


def read_dates(texts: pd.Series[Any], dayfirst: bool) -> pd.Series[Any]:
    """Timestamps; NaT where there is no date."""

    def iso(match: re.Match[str]) -> str:
        day, month = (match[1], match[2]) if dayfirst else (match[2], match[1])
        return f"{match[3] if len(match[3]) == 4 else '20' + match[3]}-{month:0>2}-{day:0>2}"

    plain = texts.map(lambda text: YEAR_FIRST.sub(r"\1-\2-\3", DAY_MONTH.sub(iso, str(text))), na_action="ignore")
    return pd.to_datetime(plain, errors="coerce", format="mixed")
