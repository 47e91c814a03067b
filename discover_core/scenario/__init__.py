"""The question as a person keeps it: where table and model come from, whom it is about, what is wished for, and how to search.

It knows files and JSON, but no database, no worker and no answer.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import lazily

if TYPE_CHECKING:
    from ..problem.targets import (
        Beta,
        Decision,
        Quantiles,
        ReferenceGroup,
        Shift,
        TargetContext,
        TargetSpecification,
        Threshold,
        Values,
    )
    from .question import Question
    from .scenario import Scenario
    from .sources import FileSource, Folder, ModelCopy, ModelFile, SampleTable, TableFile, TrainedModel
    from .study import Study
    from .target_file import target_values

__all__ = [
    "Beta",
    "Decision",
    "FileSource",
    "Folder",
    "ModelCopy",
    "ModelFile",
    "Quantiles",
    "Question",
    "ReferenceGroup",
    "SampleTable",
    "Scenario",
    "Shift",
    "Study",
    "TableFile",
    "TargetContext",
    "TargetSpecification",
    "Threshold",
    "TrainedModel",
    "Values",
    "target_values",
]

_MODULES = {
    "Question": "question",
    "Scenario": "scenario",
    **dict.fromkeys(("FileSource", "Folder", "ModelCopy", "ModelFile", "SampleTable", "TableFile", "TrainedModel"), "sources"),
    "Study": "study",
    "target_values": "target_file",
    **dict.fromkeys(
        (
            "Beta",
            "Decision",
            "Quantiles",
            "ReferenceGroup",
            "Shift",
            "TargetContext",
            "TargetSpecification",
            "Threshold",
            "Values",
        ),
        ".problem.targets",
    ),
}


def __getattr__(name: str) -> Any:
    return lazily(__name__, _MODULES, name)
