"""A figure's table holds every number the figure draws, and nothing it does not."""

import base64
import io
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import discover_core as dc
from discover_core.figures.bars import bars_figure
from discover_core.figures.data import figure_data
from discover_core.figures.features import feature_figure
from discover_core.figures.impact import impact_figure
from discover_core.figures.limits import limits_figure
from discover_core.figures.outputs import outputs_figure
from discover_core.table.schema import Column
from discover_core.table.write import to_csv

RNG = np.random.default_rng(7)
SCORES = RNG.random(120)
LIMITS = np.array([np.inf, 0.9, 0.5, 0.3, 0.2])
IMPACT = RNG.random((9, 40))
KEPT = ("type", "name", "x", "y", "z")
DAYS = Column("Since", "numeric", low=0, high=20_000, date=True)

FIGURES = {
    "outputs": outputs_figure(SCORES, dc.Target.beta(0.5, 2, n=120, seed=0), SCORES**2, band=0.1, marked=[3, 5]),
    "outputs of nobody marked": outputs_figure(SCORES, dc.Target.values(SCORES)),
    "limits": limits_figure(np.arange(5), LIMITS, LIMITS / 3, 0.4, 0.2),
    "impact": impact_figure(np.arange(9), IMPACT, [np.array([1, 2])] * 9, rows=12, marked=[1]),
    "impact without names": impact_figure(np.arange(9), RNG.random((9, 300)), [np.array([1])] * 9, rows=300),
    "bars": bars_figure(SCORES / 120, {"other": SCORES[:50] / 50}, limit=60),
    "dates": feature_figure(pd.Series([1.0, 2.5, 300.0]), pd.Series([1.0, 7.0, 300.0]), DAYS, marked=[1]),
}


def marks(trace):
    """What a trace draws, one by one: its name, x, y, and z in a heatmap."""
    name = trace.name or trace.type
    if trace.type == "heatmap":
        return [(name, x, y, z) for y, line in zip(trace.y, trace.z, strict=True) for x, z in zip(trace.x, line, strict=True)]
    places = zip(trace.x, trace.y, strict=True)
    return [(name, x, y, None) for x, y in places if not pd.isna(x) and not pd.isna(y)]


@pytest.mark.parametrize("name", FIGURES)
def test_every_mark_is_a_line_in_the_order_drawn(name):
    table = figure_data(FIGURES[name])
    wanted = [mark for trace in FIGURES[name].data for mark in marks(trace)]
    assert len(wanted) > 5
    assert list(zip(table["trace"], table["x"], table["y"], strict=True)) == [mark[:3] for mark in wanted]
    values = table["z"] if "z" in table else pd.Series(np.nan, index=table.index)
    np.testing.assert_array_equal(values.to_numpy(float), np.array([mark[3] for mark in wanted], dtype=float))


@pytest.mark.parametrize("name", [name for name in FIGURES if name != "dates"])
def test_the_file_has_the_numbers_to_the_last_bit(name):
    table = figure_data(FIGURES[name])
    read = pd.read_csv(io.BytesIO(to_csv(table)))
    assert list(read["trace"]) == list(table["trace"])
    for axis in table.columns[1:]:
        kind = np.float32 if axis == "z" and name == "impact" else np.float64
        np.testing.assert_array_equal(read[axis].to_numpy(kind), table[axis].to_numpy(kind))


@pytest.mark.parametrize("name", ["outputs", "limits", "impact", "bars"])
def test_the_table_is_what_the_browser_gets(name):
    """Plotly sends arrays as base64 of their bytes: unpacked, they are the table."""
    sent = json.loads(FIGURES[name].to_json())["data"]
    assert any(isinstance(trace["y"], dict) and "bdata" in trace["y"] for trace in sent)
    wanted = [mark for trace in sent for mark in marks(SimpleNamespace(**{axis: unpacked(trace.get(axis)) for axis in KEPT}))]
    table = figure_data(FIGURES[name])
    np.testing.assert_array_equal(table[["x", "y"]].to_numpy(float), np.array([mark[1:3] for mark in wanted], dtype=float))
    if "z" in table:
        np.testing.assert_array_equal(table["z"].to_numpy(float), np.array([mark[3] for mark in wanted], dtype=float))


def unpacked(part):
    if not isinstance(part, dict):
        return part
    values = np.frombuffer(base64.b64decode(part["bdata"]), dtype=part["dtype"])
    return values.reshape([int(size) for size in part["shape"].split(",")]) if "shape" in part else values


def test_gaps_and_traces_that_draw_nothing_are_not_there():
    table = figure_data(FIGURES["limits"])
    assert table[["x", "y"]].notna().all(axis=None)
    assert "Selected" not in set(figure_data(FIGURES["outputs of nobody marked"])["trace"])
    assert "scatter" not in set(figure_data(FIGURES["outputs of nobody marked"])["trace"])


def test_names_are_the_users_own():
    figure = bars_figure(SCORES, {"<b>R&D": SCORES}, limit=60)
    assert "<b>R&D" in set(figure_data(figure)["trace"])


def test_nothing_drawn_is_an_empty_table():
    assert list(figure_data(go.Figure()).columns) == ["trace", "x", "y"]
    assert not len(figure_data(go.Figure(go.Scatter(x=[None], y=[None]))))
