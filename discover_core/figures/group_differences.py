"""Who bears it: one measure by group, a dot and its interval each."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..outcome.group_differences import SHARES, Difference, Measure
from .palette import ACCENT, FACTUAL, base_layout, target
from .selection import Indices, Selection
from .text import amount, decimals, fixed, people, percent, plain

LABEL = 32  # characters of a group's name
MORE = 3  # decimals at most that a sentence gets beyond the usual
TITLES: dict[Measure, str] = {
    "changed": "Share who change",
    "effort": "Mean effort of everybody",
    "movers_effort": "Mean effort of those who change",
    "success": "Share with success",
}
VERBS: dict[Measure, str] = {
    "changed": "change more often than",
    "effort": "have more effort on average than",
    "movers_effort": "have more effort, if they change, than",
    "success": "succeed more often than",
}
EFFORT = " An effort of 1 is one standard deviation of a number, or one category switched."
NO_CAUSE = "This compares groups; it does not say why they differ."


def differences_figure(
    table: pd.DataFrame,
    measure: Measure,
    *,
    groups: pd.Series[Any] | None = None,
    marked: Collection[int] = (),
    dark: bool = False,
    height: int | None = None,
) -> go.Figure:
    """A row of `outcome.group_differences` per line: the measure as a dot, its 95% interval as a bar; dotted is the whole group.

    Groups (everybody's, as `outcome.grouped` makes them) with `marked` people have a ring and their number.
    """
    share = measure in SHARES
    values, low, high = (table[name].to_numpy(dtype=np.float64) for name in (measure, f"{measure}_low", f"{measure}_high"))
    sizes = _sizes(table, measure)
    lines = np.arange(len(table))
    inside = _marked(table, groups, marked)
    told = [_told(*row, share) for row in zip(table.index, values, low, high, sizes, strict=True)]
    more = [f"<br>{count:,} of them marked" if count else "" for count in inside]
    dots = {
        "type": "scatter",
        "x": values,
        "y": lines,
        "mode": "markers",
        "name": "Group, with 95% interval",
        "marker": {"color": ACCENT, "size": 10},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": np.nan_to_num(high - values),
            "arrayminus": np.nan_to_num(values - low),
            "color": ACCENT,
            "thickness": 2,
            "width": 5,
        },
        "text": [told + more for told, more in zip(told, more, strict=True)],
        "hovertemplate": "%{text}<extra></extra>",
    }
    whole = _whole(table, measure)
    everybody = {
        "type": "scatter",
        "x": [whole, whole],
        "y": [-0.5, len(table) - 0.5],
        "mode": "lines",
        "name": f"Everybody, {_number(whole, share)}" if np.isfinite(whole) else "Everybody",
        "line": {"color": FACTUAL, "width": 1.5, "dash": "dot"},
        "hoverinfo": "skip",
    }
    rings = {
        "type": "scatter",
        "x": np.where(inside > 0, values, np.nan),
        "y": lines,
        "mode": "markers",
        "name": "Marked",
        "showlegend": bool(inside.any()),
        "marker": {"color": target(dark), "size": 16, "symbol": "circle-open", "line": {"width": 2}},
        "hoverinfo": "skip",
    }
    tall = 110 + 34 * max(len(table), 2) if height is None else height
    layout = base_layout(tall, TITLES[measure], "", f"differences-{measure}")
    layout["meta"] = {"title": "Who bears it"}
    layout["xaxis"] |= {"showgrid": True, "rangemode": "tozero"}
    if share:
        layout["xaxis"] |= {"range": [-0.02, 1.02], "tickformat": ".0%"}
    layout["yaxis"] |= {
        "range": [len(table) - 0.5, -0.5],
        "tickvals": lines,
        "ticktext": [_label(*row) for row in zip(table.index, sizes, inside, strict=True)],
        "showgrid": False,
    }
    whole_lines = {"hovermode": "y", "selectdirection": "v"}  # a click or a box anywhere on a line takes hold of its group
    return go.Figure(data=[dots, everybody, rings], layout=layout | whole_lines)


def people_in(selection: Selection, table: pd.DataFrame, groups: pd.Series[Any]) -> Indices:
    """Whom a selection picks: all people of its groups."""
    lines = [round(point["y"]) for point in selection["points"]]
    return np.flatnonzero(np.isin(_line_of(table, groups), lines))


def table(groups: pd.DataFrame) -> pd.DataFrame:
    """All measures of `outcome.group_differences` in plain words, not only the one drawn; last everybody, without intervals."""
    data: dict[str, Any] = {
        "Groups by": str(groups.index.name),
        "Group": [*map(str, groups.index), "Everybody"],
        "People": [*groups["people"], groups["people"].sum()],
        "People who change": [*groups["movers"], groups["movers"].sum()],
    }
    for measure, title in TITLES.items():
        data[title] = [*groups[measure], _whole(groups, measure)]
        for end, word in (("low", "from"), ("high", "to")):
            data[f"{title}: 95% interval {word}"] = [*groups[f"{measure}_{end}"], np.nan]
    return pd.DataFrame(data)


def caption(table: pd.DataFrame, measure: Measure, difference: Difference | None) -> str:
    """The largest difference, claiming no more than its interval allows, and what the picture cannot say."""
    bare = table[measure].notna() & table[f"{measure}_low"].isna()
    note = " A dot without a bar has too few or too equal values for an interval." if bare.any() else ""
    said = difference_words(difference) if difference is not None else "There are no two groups large enough to compare."
    cause = f" {NO_CAUSE}" if difference is not None else ""
    return f"{said}{'' if measure in SHARES else EFFORT}{note}{cause}"


def difference_words(difference: Difference) -> str:
    """One group against another, in one sentence."""
    share = difference.measure in SHARES
    digits, scale = _digits(difference, share), 100 if share else 1
    first, second = (f"{fixed(scale * value, digits)}{'%' if share else ''}" for value in difference.values)
    pair = f"“{difference.more}” {VERBS[difference.measure]} those with “{difference.less}”"
    who = f"People with {difference.column} {pair}: {first} against {second}"
    if not np.isfinite(difference.low):
        return f"{who}; an interval for the difference cannot be computed, so it may be chance."
    more, less = (round(scale * value, digits) for value in difference.values)  # as they are read
    size, low, high = (fixed(value, digits) for value in (more - less, scale * difference.low, scale * difference.high))
    unit = f" {'point' if size == '1' else 'points'}" if share else ""
    allowed = f", allowing for {difference.pairs} comparisons" if difference.pairs > 1 else ""
    interval = f"(95% interval {low} to {high}{allowed})"
    if difference.size == 0:
        return f"No two groups by {difference.column} differ here: {first} in each {interval}."
    if difference.clear:
        return f"{who}, a difference of {size}{unit} {interval}."
    return f"{who}, but the difference of {size}{unit} may be chance {interval}."


def _digits(difference: Difference, share: bool) -> int:
    """The decimals of all numbers in the sentence: so many that none reads 0 (or 100%) that is not.

    Percent are whole if they add up. Two rounded numbers need not: 44% and 39% may be 6 points apart.
    """
    scale = 100 if share else 1
    more, less, size, low, high = (
        scale * value for value in (*difference.values, difference.size, difference.low, difference.high)
    )
    least = 0 if share else decimals(more)
    for digits in range(least, least + MORE):
        apart = round(more, digits) - round(less, digits)
        zero = any(value and not round(value, digits) for value in (more, less, low, high)) or (size and not apart)
        full = share and more < 100 <= round(more, digits)
        if not zero and not full and (digits or not share or apart == round(size)):
            return digits
    return least + MORE


def _sizes(table: pd.DataFrame, measure: Measure) -> Any:
    """How many people each dot stands for."""
    return table["movers" if measure == "movers_effort" else "people"].to_numpy()


def _whole(table: pd.DataFrame, measure: Measure) -> float:
    """The measure over all groups together."""
    known = table[measure].notna().to_numpy()
    sizes = _sizes(table, measure)[known]
    return float(np.average(table[measure].to_numpy()[known], weights=sizes)) if sizes.sum() else np.nan


def _line_of(table: pd.DataFrame, groups: pd.Series[Any]) -> Indices:
    """Each person's line in the figure."""
    return np.asarray(table.index.get_indexer(pd.Index(groups.astype(object))))


def _marked(table: pd.DataFrame, groups: pd.Series[Any] | None, marked: Collection[int]) -> Indices:
    """How many people of each line are marked."""
    lines = np.empty(0, dtype=np.int64) if groups is None else _line_of(table, groups)[list(marked)]
    return np.bincount(lines, minlength=len(table))


def _label(name: object, n: int, inside: int) -> str:
    return f"{_short(name)} ({n:,})" + (f", {inside:,} marked" if inside else "")


def _told(name: object, value: float, low: float, high: float, n: int, share: bool) -> str:
    if np.isnan(value):
        return f"{_short(name)}: nobody to measure"
    ends = [_number(end, share) if share else fixed(end, decimals(value)) for end in (low, high)]
    interval = f", 95% interval {ends[0]} to {ends[1]}" if np.isfinite(low) else ", no interval"
    return f"{_short(name)}, {people(n)}: {_number(value, share)}{interval}"


def _number(value: float, share: bool) -> str:
    return percent(value) if share else amount(value)


def _short(name: object) -> str:
    text = str(name)
    return plain(text if len(text) <= LABEL else text[: LABEL - 1] + "…")
