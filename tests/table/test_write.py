"""What leaves for a spreadsheet."""

import io

import pandas as pd

from discover_core.table.write import to_csv


def test_no_cell_and_no_heading_is_a_formula():
    table = pd.DataFrame({"=cmd": ["=1+1", "@x", "fine"], "n": [-1.5, 2, 3], "c": pd.Categorical(["+a", "b", "b"])})
    back = pd.read_csv(io.BytesIO(to_csv(table)), encoding="utf-8-sig")
    assert list(back.columns) == ["'=cmd", "n", "c"]
    assert list(back["'=cmd"]) == ["'=1+1", "'@x", "fine"]
    assert list(back["n"]) == [-1.5, 2, 3]
    assert list(back["c"]) == ["'+a", "b", "b"]
