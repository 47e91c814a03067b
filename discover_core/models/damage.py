"""What is wrong with the structure of a model's file, found before a native library believes it."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InputError
from .loaded import Origin


class Damage(ValueError):
    """Half a sentence: what contradicts what in a model's file."""


def refuse_damage(check: Callable[[], None], origin: Origin, kind: str, advice: str) -> None:
    """InputError with the half sentence, or for content that is of another shape than any such file's."""
    try:
        check()
    except InputError:
        raise
    except Damage as damage:
        raise InputError(f"“{origin.title}” is a damaged {kind} model: {damage}; {advice}.") from damage
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise InputError(f"“{origin.title}” is a damaged {kind} model: it is not built like one; {advice}.") from error
