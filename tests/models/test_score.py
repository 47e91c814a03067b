"""What any callable's answer must be, and what is said of one that fails."""

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError, said
from discover_core.models.loaded import quietly
from discover_core.models.model import score

TRACE = (
    "[12:00:00] /workspace/src/learner.cc:12: Check failed: a == b (1 vs. 2)\n"
    "Stack trace:\n  [bt] (0) /work/main/.venv/lib/libxgboost.so(+0x1)"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TRACE, "[12:00:00] …:12: Check failed: a == b (1 vs. 2)"),
        ("No such file: '/home/me/my data/x.csv'", "No such file: '…'"),
        ("open(/tmp/x) failed, see https://xgboost.org/a/b and/or 1/2", "open(…) failed, see https://xgboost.org/a/b and/or 1/2"),
        ("file:///etc/passwd is odd", "… is odd"),
        (r"C:\Users\me\x.csv is odd", "… is odd"),
        ("  two\n lines ", "two lines"),
        ("", "RuntimeError"),
        ("Stack trace: [bt]", "RuntimeError"),
        ("a" * 500, "a" * 199 + "…"),
    ],
)
def test_what_an_error_said(text: str, expected: str) -> None:
    assert said(RuntimeError(text)) == expected


def test_no_traces_and_paths_in_our_sentences() -> None:
    def fails(*_: object) -> None:
        raise RuntimeError(TRACE)

    with pytest.raises(InputError) as scoring:
        score(fails, pd.DataFrame({"a": [1]}))
    with pytest.raises(InputError) as reading:
        quietly(fails, "It cannot be read")
    for caught in (scoring, reading):
        assert "Check failed" in str(caught.value)
        assert "/work" not in str(caught.value)
        assert "Stack" not in str(caught.value)


def test_no_rows_are_scored_without_the_model() -> None:
    def fails(_: object) -> None:
        raise RuntimeError("I need rows")

    scores = score(fails, pd.DataFrame({"a": []}))
    assert (scores.shape, scores.dtype) == ((0,), np.float64)
