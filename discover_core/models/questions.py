"""What a model file may ask back before it can be used. Each is an InputError that a person can answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError


class ColumnMismatch(InputError):
    """The model wants columns that the table does not have. A `mapping` from `missing` to columns completes it.

    `matched` says what was found ("column" or "column=level"), `suggested` what looks alike but needs a person's word,
    `choices` everything a mapping may name: the table's columns `has` first, then each "column=level".
    """

    def __init__(
        self,
        wants: Sequence[str],
        has: Sequence[str],
        matched: Mapping[str, str],
        suggested: Mapping[str, str],
        excluded: Sequence[str] = (),
        choices: Sequence[str] = (),
    ) -> None:
        self.wants, self.has = list(wants), list(has)
        self.matched, self.suggested = dict(matched), dict(suggested)
        self.excluded = list(excluded)
        self.choices = list(choices)
        self.missing = [name for name in self.wants if name not in self.matched]
        shown = ", ".join(f"“{name}”" for name in self.missing[:5]) + (" …" if len(self.missing) > 5 else "")
        hint = f" (“{self.excluded[0]}” is left out on the Data page)" if self.excluded else ""
        super().__init__(
            f"The model wants {counted(len(self.wants), 'column')} and {len(self.missing)} of them cannot be found in the table: "
            f"{shown}{hint}; say which of the table's columns they are."
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.wants, self.has, self.matched, self.suggested, self.excluded, self.choices)


class ChooseOutput(InputError):
    """The model gives several numbers per row; `choices` names them, and one must be passed as `output`."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = list(choices)
        shown = ", ".join(self.choices[:8]) + (", …" if len(self.choices) > 8 else "")
        super().__init__(f"The model gives {len(self.choices)} outputs per row ({shown}): choose the one that counts.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.choices,)


class UnknownTypes(InputError):
    """The file holds types that are on no list of ours; a person may approve those in `types`."""

    def __init__(self, types: Sequence[str]) -> None:
        self.types = list(types)
        shown = ", ".join(f"“{name}”" for name in self.types[:5]) + (" …" if len(self.types) > 5 else "")
        super().__init__(f"The file holds types we do not know: {shown}; approve them if you trust whoever made the file.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.types,)


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
