"""The advice on bounds is worked out where the pages are: what it holds is bounded, and stays as good as the whole."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from discover_core.problem.bounds import MOST_SLICES, Bounds
from discover_core.problem.target import Target
from discover_core.solver import advice
from discover_core.solver.advice import advise, chance, gather, projections, survey
from discover_core.solver.cells import Layout
from discover_core.solver.obstacles import obstacles
from discover_core.solver.search import SLICES
from discover_core.table.encoding import Encoding
from discover_core.table.schema import Column, Schema
from discover_core.transport.slices import random_slices

MEGABYTES = 300  # 2,000 people on 10,000 slices once took 1,400


def table_of(n, features=6):
    values = np.random.default_rng(0).normal(size=(n, features))
    schema = Schema(tuple(Column(f"c{i}", "numeric", low=-9, high=9) for i in range(features)))
    table = pd.DataFrame(values, columns=schema.feature_names)
    return table, Layout(Encoding.fit(table, schema))


def advised(n, slices, band="dkw"):
    table, layout = table_of(n)
    people = gather(layout, table, np.arange(n), np.arange(n), 0)
    ground = survey(layout, people, chance(layout, people, slices, 0), ["c0", "c1"], slices, 0)
    outputs = np.linspace(0.5, 0.9, n)
    target, bounds = Target.values(outputs / 2), Bounds(0.5, 0.05, slices=slices, band=band)
    found = advise(ground, outputs, target, bounds, (0.0, 1.0), 0)
    said = obstacles(ground, found, target, replace(bounds, u_x=found.floor_x / 2), (0.0, 1.0))
    return ground, found, said


@pytest.mark.parametrize(("n", "slices"), [(2_000, MOST_SLICES), (100_000, MOST_SLICES), (300_000, 20)])
def test_many_people_on_the_most_slices_take_no_memory_to_speak_of(n, slices):
    tracemalloc.start()
    ground, found, said = advised(n, slices)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    table = 6 * 8 * n / 1e6
    print(f"{n:,} people on {slices:,} slices: {peak:.0f} MB at most, {table:.0f} of them the table")
    assert peak < MEGABYTES
    assert max(ground.factual.size, ground.anything.size) <= advice.NUMBERS
    assert 0 < found.floor_x < found.suggested_x < 1.1 * found.anything_x
    assert "above your U_x" in said[0]


@pytest.mark.parametrize(("n", "slices"), [(2_000, 500), (5_000, 20)])
def test_up_to_some_thousand_people_and_500_slices_nothing_is_left_out(n, slices):
    table, layout = table_of(n)
    people = gather(layout, table, np.arange(n), np.arange(n), 3)
    directions = random_slices(layout.encoding.width, slices, np.random.default_rng([3, SLICES]))
    every = np.sort(directions @ layout.encode(layout.cells(table)).T, axis=1)
    np.testing.assert_array_equal(projections(layout, people, slices, 3), every)


@pytest.mark.parametrize(
    ("limit", "value", "slices", "band"),
    [("NUMBERS", 200_000, 400, "dkw"), ("ALONG", 130, 400, "dkw"), ("NUMBERS", 15_000, 30, "bootstrap")],
)
def test_what_is_left_out_hardly_changes_the_advice(monkeypatch, limit, value, slices, band):
    n = 2_000
    whole, full, in_full = advised(n, slices, band)
    monkeypatch.setattr(advice, limit, value)
    part, found, said = advised(n, slices, band)
    assert part.factual.size < whole.factual.size / 3
    assert found.n == n
    assert found.floor_x == pytest.approx(full.floor_x, rel=0.1)
    assert found.anything_x == pytest.approx(full.anything_x, rel=0.2)
    assert found.suggested_x == pytest.approx(full.suggested_x, rel=0.2)
    assert said[0].count(" or ") == in_full[0].count(" or ")
    assert (found.floor_y, found.today_y) == (full.floor_y, full.today_y)
