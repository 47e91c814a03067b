"""One finished answer, from wherever it came: the group before and after, what it amounts to, and the words for it.

It reads what a run or another method left behind; it starts nothing and writes nothing.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .group import Group
    from .list_of_changes import changes_table, plan_table
    from .other_method import OtherMethod
    from .outcome import Outcome
    from .run_outcome import RunOutcome
    from .summary import Summary, summary_of
    from .typical_moves import in_words

__all__ = ["Group", "OtherMethod", "Outcome", "RunOutcome", "Summary", "changes_table", "in_words", "plan_table", "summary_of"]

__getattr__ = lazily(
    __name__,
    {
        "Group": "group",
        **dict.fromkeys(("changes_table", "plan_table"), "list_of_changes"),
        "OtherMethod": "other_method",
        "Outcome": "outcome",
        "RunOutcome": "run_outcome",
        **dict.fromkeys(("Summary", "summary_of"), "summary"),
        "in_words": "typical_moves",
    },
)
