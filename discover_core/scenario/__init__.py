"""The question as a person keeps it: where table and model come from, whom it is about, what is wished for, and how to search.

It knows files and JSON, but no database, no worker and no answer.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .question import Question
    from .scenario import Scenario
    from .sources import FileSource, Folder, ModelCopy, ModelFile, SampleTable, TableFile, TrainedModel
    from .study import Study
    from .target_file import target_values

__all__ = [
    "FileSource",
    "Folder",
    "ModelCopy",
    "ModelFile",
    "Question",
    "SampleTable",
    "Scenario",
    "Study",
    "TableFile",
    "TrainedModel",
    "target_values",
]

__getattr__ = lazily(
    __name__,
    {
        "Question": "question",
        "Scenario": "scenario",
        **dict.fromkeys(
            ("FileSource", "Folder", "ModelCopy", "ModelFile", "SampleTable", "TableFile", "TrainedModel"), "sources"
        ),
        "Study": "study",
        "target_values": "target_file",
    },
)
