"""One file per proposal strategy. To add one: write its file, and name it here."""

from ...problem.checks import choice
from .annealing import Annealing
from .differential_evolution import DifferentialEvolution
from .genetic import Genetic
from .monte_carlo import MonteCarlo
from .view import DRAWING, Strategy, View

STRATEGIES: dict[str, type[Strategy]] = {
    "monte_carlo": MonteCarlo,
    "genetic": Genetic,
    "annealing": Annealing,
    "differential_evolution": DifferentialEvolution,
}


def strategy_named(name: str) -> type[Strategy]:
    """The strategy of this name; an unknown one gets a sentence."""
    choice("strategy", name, list(STRATEGIES))
    return STRATEGIES[name]


__all__ = ["DRAWING", "STRATEGIES", "Strategy", "View", "strategy_named"]
