"""An answer as documents to hand over; today the result folder of the command line.

It lays out what an outcome says and works out nothing of its own.
"""

from typing import TYPE_CHECKING

from ..lazy import lazily

if TYPE_CHECKING:
    from .folder import check_folder, make_folder, write_folder

__all__ = ["check_folder", "make_folder", "write_folder"]

__getattr__ = lazily(
    __name__,
    {
        **dict.fromkeys(("check_folder", "make_folder", "write_folder"), "folder"),
    },
)
