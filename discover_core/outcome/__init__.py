"""One finished answer, from wherever it came: the group before and after, what it amounts to, and the words for it.

It reads what a run or another method left behind; it starts nothing and writes nothing.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import lazily

if TYPE_CHECKING:
    from .list_of_changes import changes_table, plan_table
    from .other_method import OtherMethod
    from .outcome import Outcome
    from .typical_moves import in_words, typical_moves

__all__ = ["OtherMethod", "Outcome", "changes_table", "in_words", "plan_table", "typical_moves"]

_HOMES = {
    **dict.fromkeys(("changes_table", "plan_table"), "list_of_changes"),
    "OtherMethod": "other_method",
    "Outcome": "outcome",
    **dict.fromkeys(("in_words", "typical_moves"), "typical_moves"),
}


def __getattr__(name: str) -> Any:
    return lazily(__name__, _HOMES, name)
