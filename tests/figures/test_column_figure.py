"""The picture of one column, read back and compared with the table."""

import numpy as np
import pandas as pd
import pytest

from discover_core.figures.column import caption, column_figure
from discover_core.table import Dataset, Schema

TABLE = pd.DataFrame(
    {"age": np.arange(100) % 40 + 20, "<job>": ["a", "b", "b", "c"] * 25, "size": ["small", "large", "medium", "small"] * 25}
)
DATA = Dataset.of(TABLE, Schema.infer(TABLE).replace("age", unit="years"))
GROUP = np.arange(0, 100, 4)


def test_numbers_are_shares_of_bins_that_everybody_and_the_group_have_in_common():
    figure = column_figure(DATA, DATA.schema["age"], GROUP)
    everybody, group = figure.data
    assert sum(everybody.y) == pytest.approx(100)
    assert sum(group.y) == pytest.approx(100)
    counts, edges = np.histogram(TABLE["age"], bins=40)
    np.testing.assert_allclose(everybody.y, counts)
    np.testing.assert_allclose(group.y, 100 * np.histogram(TABLE["age"].iloc[GROUP], bins=edges)[0] / len(GROUP))
    assert figure.layout.xaxis.title.text == "age (years)"
    assert caption(DATA, DATA.schema["age"]) == "Half of the rows lie at or below 36 years; nine in ten from 21 to 57."


def test_categories_are_shares_and_ordered_ones_keep_their_order():
    figure = column_figure(DATA, DATA.schema["<job>"])
    assert len(figure.data) == 1
    assert list(figure.data[0].y) == ["b", "a", "c"]
    assert list(figure.data[0].x) == [50, 25, 25]
    assert list(column_figure(DATA, DATA.schema["size"]).data[0].y) == ["small", "medium", "large"]
    assert caption(DATA, DATA.schema["<job>"]) == "The most common value is “b”, in 50% of 100 rows."


def test_a_hostile_level_is_text():
    table = pd.DataFrame({"c": ["<b>x</b>", "y"] * 5})
    data = Dataset.of(table, Schema.infer(table))
    assert "&lt;b&gt;x&lt;/b&gt;" in column_figure(data, data.schema["c"]).data[0].y
