"""One file per proposal strategy. To add one: write its file, and name it here and in `problem.settings`."""

from .annealing import Annealing
from .differential_evolution import DifferentialEvolution
from .genetic import Genetic
from .monte_carlo import MonteCarlo
from .view import Strategy, View

STRATEGIES: dict[str, type[Strategy]] = {
    "monte_carlo": MonteCarlo,
    "genetic": Genetic,
    "annealing": Annealing,
    "differential_evolution": DifferentialEvolution,
}

__all__ = ["STRATEGIES", "Strategy", "View"]
