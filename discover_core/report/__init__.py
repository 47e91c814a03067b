"""An answer as documents to hand over; today the result folder of the command line.

It lays out what an outcome says and works out nothing of its own.
"""

from typing import TYPE_CHECKING, Any

from ..lazy import lazily

if TYPE_CHECKING:
    from .folder import check_folder, make_folder, write_folder

__all__ = ["check_folder", "make_folder", "write_folder"]

_MODULES = {
    **dict.fromkeys(("check_folder", "make_folder", "write_folder"), "folder"),
}


def __getattr__(name: str) -> Any:
    return lazily(__name__, _MODULES, name)
