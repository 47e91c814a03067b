"""The question as a person keeps it: where table and model come from, whom it is about, what is wished for, and how to search.

It knows files and JSON, but no database, no worker and no answer.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import lazily

if TYPE_CHECKING:
    from .scenario import Scenario
    from .sources import ModelCopy, ModelFile, SampleTable, TableFile, TrainedModel
    from .target_file import target_values
    from .target_specification import TargetContext, TargetSpecification

__all__ = [
    "ModelCopy",
    "ModelFile",
    "SampleTable",
    "Scenario",
    "TableFile",
    "TargetContext",
    "TargetSpecification",
    "TrainedModel",
    "target_values",
]

_HOMES = {
    "Scenario": "scenario",
    **dict.fromkeys(("ModelCopy", "ModelFile", "SampleTable", "TableFile", "TrainedModel"), "sources"),
    "target_values": "target_file",
    **dict.fromkeys(("TargetContext", "TargetSpecification"), "target_specification"),
}


def __getattr__(name: str) -> Any:
    return lazily(__name__, _HOMES, name)
