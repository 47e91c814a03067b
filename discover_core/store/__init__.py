"""What lasts: runs and their steps, saved scenarios, and files by their content, in a data folder or elsewhere.

It keeps and gives back; it never solves, and does not know what an answer means.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .files import Files, FolderFiles, data_files
    from .run import Run, RunState
    from .run_progress import RunProgress
    from .saved_scenarios import SavedScenario, SavedScenarios
    from .store import Store

__all__ = ["Files", "FolderFiles", "Run", "RunProgress", "RunState", "SavedScenario", "SavedScenarios", "Store", "data_files"]

__getattr__ = lazily(
    __name__,
    {
        **dict.fromkeys(("Files", "FolderFiles", "data_files"), "files"),
        **dict.fromkeys(("Run", "RunState"), "run"),
        "RunProgress": "run_progress",
        **dict.fromkeys(("SavedScenario", "SavedScenarios"), "saved_scenarios"),
        "Store": "store",
    },
)
