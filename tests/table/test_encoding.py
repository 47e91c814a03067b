"""decode(encode(df)) == df to the last bit, and the geometry of DESIGN.md."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.table import Column, Encoding, Schema, describe

from .tables import tables


@given(tables(), st.sampled_from(["onehot", "label"]), st.sampled_from([0.1, 1.0, 3.7]))
@settings(max_examples=100, deadline=None)
def test_decoding_undoes_encoding_exactly(table, encoding, weight):
    schema = Schema.infer(table)
    assume(schema.features)
    ready = schema.prepare(table)
    code = Encoding.fit(ready, schema, dict.fromkeys(schema.feature_names, weight), encoding)
    points = code.encode(ready)
    assert points.shape == (len(table), code.width)
    pd.testing.assert_frame_equal(code.decode(points), ready, check_exact=True)


@given(st.integers(0, 4), st.integers(-(10**8), 10**8), st.integers(1, 10**6), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_every_value_on_the_grid_comes_back_also_when_the_reference_lacks_it(places, low, width, seed):
    rng = np.random.default_rng(seed)
    column = Column("x", "numeric", low=low / 10**places, high=(low + width) / 10**places, step=1 / 10**places)
    schema = Schema((column,))
    grid = pd.DataFrame({"x": (low + rng.integers(0, width + 1, 50)) / 10**places})
    reference = pd.DataFrame({"x": (low + rng.integers(0, width + 1, 20)) / 10**places})
    ready = schema.prepare(grid)
    code = Encoding.fit(schema.prepare(reference), schema)
    pd.testing.assert_frame_equal(code.decode(code.encode(ready)), ready, check_exact=True)


def test_the_geometry():
    table = pd.DataFrame({"n": [1.0, 2.5, 4.0, 8.0], "o": ["low", "high", "medium", "low"], "c": ["a", "b", "c", "a"]})
    schema = Schema.infer(table)
    ready = schema.prepare(table)
    points = Encoding.fit(ready, schema).encode(ready)
    assert points.shape == (4, 1 + 1 + 3)
    np.testing.assert_allclose(points[:, 0], (table["n"] - table["n"].mean()) / table["n"].std(ddof=0))
    np.testing.assert_allclose(points[:, :2].mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(points[:, :2].std(axis=0), 1)
    assert np.linalg.norm(points[0, 2:] - points[1, 2:]) == pytest.approx(1)
    heavy = Encoding.fit(ready, schema, {"c": 3.0}).encode(ready)
    assert np.linalg.norm(heavy[0, 2:] - heavy[1, 2:]) == pytest.approx(3)
    assert Encoding.fit(ready, schema, encoding="label").width == 3


def test_points_between_values_go_to_the_nearest_value():
    table = pd.DataFrame({"n": [0, 10, 20], "c": ["a", "b", "a"]})
    schema = Schema.infer(table).with_column(describe(table["n"], "numeric"))
    ready = schema.prepare(table)
    code = Encoding.fit(ready, schema)
    decoded = code.decode(code.encode(ready) + 0.01)
    pd.testing.assert_frame_equal(decoded, ready)


def test_bad_weights_and_encodings_get_a_sentence():
    table = pd.DataFrame({"n": [1, 2, 3]})
    schema = Schema.infer(table)
    for make in (
        lambda: Encoding.fit(table, schema, {"n": 0.0}),
        lambda: Encoding.fit(table, schema, {"m": 1.0}),
        lambda: Encoding.fit(table, schema, encoding="hash"),
    ):
        with pytest.raises(InputError):
            make()
