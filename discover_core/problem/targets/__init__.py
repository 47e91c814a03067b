"""The kinds of target, one file each: its fields, its distribution, its words, its threshold, what counts as success.

They know scores and groups, but neither files nor pages.
"""

from .beta import Beta
from .decision import Decision
from .quantiles import Quantiles
from .reference_group import ReferenceGroup
from .shift import Shift
from .specification import TargetContext, TargetSpecification
from .threshold import Threshold
from .values import Values

__all__ = [
    "KINDS",
    "Beta",
    "Decision",
    "Quantiles",
    "ReferenceGroup",
    "Shift",
    "TargetContext",
    "TargetSpecification",
    "Threshold",
    "Values",
]

KINDS: dict[str, type[TargetSpecification]] = {
    kind.kind: kind for kind in (Beta, Quantiles, Values, ReferenceGroup, Shift, Threshold, Decision)
}
