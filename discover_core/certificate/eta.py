"""The weight eta between the two sides, and its narrowing interval."""

from __future__ import annotations


def balance(gap_x: float, gap_y: float) -> float:
    """The share of attention for the output side, from a = U_x - UCL_x and b = U_y - UCL_y (the paper's rule).

    Both violated: b/(a+b), the worse side gets more. Both kept: a/(a+b), the tighter side gets more. The paper omits
    that only one side is violated: then that side gets everything.
    """
    violated_x, violated_y = gap_x < 0, gap_y < 0
    if violated_x != violated_y:
        return 0.0 if violated_x else 1.0
    if violated_x:
        return gap_y / (gap_x + gap_y)
    return 0.5 if gap_x == gap_y == 0 else gap_x / (gap_x + gap_y)


def narrow(eta: float, interval: tuple[float, float], kappa: float) -> tuple[float, float]:
    """Interval Narrowing: move the far end of [l, r] by kappa of its length towards the half that eta lies in."""
    low, high = interval
    if eta > (low + high) / 2:
        return low + kappa * (high - low), high
    return low, high - kappa * (high - low)
