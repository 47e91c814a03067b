"""Words and numbers as people read them, safe to put into a figure."""

from __future__ import annotations

import html
import math

from ..problem.amounts import amount as amount
from ..problem.amounts import decimals as decimals
from ..problem.amounts import fixed as fixed
from ..problem.amounts import people as people
from ..problem.amounts import percent as percent


def plain(text: object) -> str:
    """A column's or level's name for Plotly, which would otherwise read `<b>` as markup."""
    return html.escape(str(text), quote=False)


def typical(squared: float) -> str:
    """A squared distance between scores as people read it: the typical gap, in the scores' own unit."""
    return amount(math.sqrt(squared))
