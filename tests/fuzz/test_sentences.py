"""Whatever users call their files and columns, a refusal stays one line that can be read and shown."""

from __future__ import annotations

import pytest

from discover_core.errors import InputError, said

from .case import wrong_with
from .values import TEXTS


@pytest.mark.parametrize("name", TEXTS)
def test_any_name_in_a_refusal(name: str) -> None:
    sentence = str(InputError(f"The table lacks “{name}” and “{name}b”: choose another."))
    assert wrong_with(sentence) == ""
    assert sentence.startswith("The table lacks “")
    assert sentence.endswith("b”: choose another.")


def test_what_a_library_says_ends_without_a_stop_of_its_own() -> None:
    assert said(ValueError("It is NaN.")) == "It is NaN"
