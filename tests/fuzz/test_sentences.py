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


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("malformed node or string on line 1: <ast.Name object at 0x7f1234567890>", "malformed node or string on line 1: …"),
        ("File name in directory '1.npy' and header b'1.npy\\x9b' differ.", "File name in directory '1.npy' and header … differ"),
        ("cannot read b'it\\'s cut of", "cannot read …"),
        ("expected <class 'float'>, got 3", "expected …, got 3"),
        ("[Errno 2] No such file", "No such file"),
        ("an odd sign: \x1b[31m", "an odd sign: [31m"),
        ("sub'words' and 0x10 stay", "sub'words' and 0x10 stay"),
    ],
)
def test_what_only_programmers_could_read_is_left_out(words: str, left: str) -> None:
    assert said(ValueError(words)) == left
    assert wrong_with(f"“a.skops” is damaged (the reader said: {said(ValueError(words))}).") == ""


def test_what_a_library_says_ends_without_a_stop_of_its_own() -> None:
    assert said(ValueError("It is NaN.")) == "It is NaN"


def test_names_that_nobody_quotes_make_no_sentence_endless() -> None:
    sentence = str(InputError(f"There is no “job” in the actions: use some of age, {'housing' * 3_000}, sex."))
    assert wrong_with(sentence) == ""
    assert sentence.startswith("There is no “job” in the actions")
    assert sentence.endswith("housing, sex.")
