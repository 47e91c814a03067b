"""A small table whose names and levels try everything that file formats choke on."""

import numpy as np
import pandas as pd

from discover_core.table.schema import Column, Schema

LEVELS = ("< 0 DM", "a[b]", "x,y:z", "ä ö", "50%", "a=b", '{"q"}', "(missing)")


def nasty(outcome: str = "Risk", rows: int = 240) -> tuple[pd.DataFrame, Schema]:
    """Numbers, ranks (words and numbers), nominal words, numbers with gaps, booleans; outcome Risk (bad/good) or Amount."""
    draw = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "Age in years": draw.integers(18, 80, rows),
            "Rate [%]": draw.normal(3, 1, rows),
            "Saving <level>": draw.choice(["low", "mid", "high"], rows),
            "Stars": draw.choice([1, 2, 5], rows),
            "Status": draw.choice([*LEVELS[:-1], None], rows),
            "Code": draw.choice([7.0, 3.0, np.nan], rows),
            "Own=car": draw.choice([True, False], rows),
            "id": np.arange(rows),
        }
    )
    signal = (
        table["Rate [%]"] - 3 + (table["Status"] == "a=b") + 0.3 * table["Stars"] - table["Own=car"] + draw.normal(0, 0.5, rows)
    )
    table["Risk"] = np.where(signal > 0.3, "bad", "good")
    table["Amount"] = 1000 * signal
    roles = [
        Column("Age in years", "numeric", low=18, high=80, step=1),
        Column("Rate [%]", "numeric", low=-5, high=10),
        Column("Saving <level>", "ordinal", levels=("low", "mid", "high")),
        Column("Stars", "ordinal", levels=(1, 2, 5)),
        Column("Status", "nominal", levels=LEVELS),
        Column("Code", "nominal", levels=(7.0, 3.0, "(missing)")),
        Column("Own=car", "nominal", levels=(False, True)),
        Column("id", "excluded"),
    ]
    if outcome == "Risk":
        return table, Schema((*roles, Column("Risk", "nominal", levels=("bad", "good"))), "Risk", "bad")
    return table, Schema((*roles, Column("Amount", "numeric", low=-1e6, high=1e6)), "Amount")
