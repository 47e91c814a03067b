"""The question being written: what the Scenario page edits and the Solve page asks."""

from __future__ import annotations

from dataclasses import dataclass, field

from discover_core.problem.bounds import Bounds
from discover_core.problem.presets import FITTED
from discover_core.problem.settings import Settings
from discover_core.problem.targets import TargetSpecification, Threshold

FIRST_TARGET = Threshold(0.5, 0.5, "below", 0.02)


@dataclass(frozen=True)
class Draft:
    """Immutable: every edit makes a new one, and widgets are only views of it. Who may change what is kept beside it.

    While `suggested`, the two bounds follow what is advised for the group and the target; while `fitted` names a preset, the
    settings follow the group and the wish, but for their seed and encoding. `saved` is the id under which
    the scenario was last saved or opened, and `seen` when what was seen there had been saved.
    """

    name: str = ""
    target: TargetSpecification = FIRST_TARGET
    bounds: Bounds = field(default_factory=lambda: Bounds(u_x=0.5, u_y=0.05))
    settings: Settings = field(default_factory=Settings)
    suggested: bool = True
    fitted: str | None = FITTED
    saved: str | None = None
    seen: float = 0.0
