"""Random tables for property tests: every kind of column a user may bring."""

import numpy as np
import pandas as pd
from hypothesis import strategies as st

text = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8)


@st.composite
def column(draw, rows: int):
    kind = draw(
        st.sampled_from(["integer", "decimal", "float", "flag", "bool", "text", "codes", "gaps", "text gaps", "constant"])
    )
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    if kind == "integer":
        return rng.integers(-(10 ** draw(st.integers(1, 9))), 10**9, rows)
    if kind == "decimal":
        places = draw(st.integers(1, 4))
        return np.round(rng.normal(draw(st.sampled_from([0, 1e3, -1e6])), 10.0 ** draw(st.integers(-1, 5)), rows), places)
    if kind == "float":
        return rng.normal(draw(st.sampled_from([0.0, 1e-3, 1e8])), 10.0 ** draw(st.integers(-9, 9)), rows)
    if kind == "flag":
        return rng.integers(0, 2, rows)
    if kind == "bool":
        return rng.integers(0, 2, rows).astype(bool)
    if kind == "codes":
        return rng.choice([1, 2, 5], rows)
    if kind == "gaps":
        return np.where(rng.random(rows) < 0.3, np.nan, rng.integers(0, 5, rows))
    if kind == "constant":
        return np.full(rows, 7)
    levels = np.array(draw(st.lists(text, min_size=1, max_size=5, unique=True)), dtype=object)
    values = rng.choice(levels, rows)
    return np.where(rng.random(rows) < 0.2, None, values) if kind == "text gaps" else values


@st.composite
def tables(draw):
    rows = draw(st.integers(3, 40))
    names = draw(st.lists(text, min_size=1, max_size=6, unique=True))
    return pd.DataFrame({name: draw(column(rows)) for name in names})
