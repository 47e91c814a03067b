"""Work outside the page: the runner, its processes, the loop that solves a run, and the jobs of the pages.

Only this room starts processes, and only it may end them. It draws nothing and knows no page.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .job import Job
    from .page_results import OpenTable, ScoredModel
    from .processes import Processes
    from .runner import Runner

__all__ = ["Job", "OpenTable", "Processes", "Runner", "ScoredModel"]

__getattr__ = lazily(
    __name__,
    {
        "Job": "job",
        **dict.fromkeys(("OpenTable", "ScoredModel"), "page_results"),
        "Processes": "processes",
        "Runner": "runner",
    },
)
