"""What a browser says its runs are is taken only as far as it can be ids."""

import secrets

import pytest

from ui.app.browser_memory import MOST, usable


@pytest.mark.parametrize(
    "given",
    [None, 7, "abcdefghijkl", {"runs": ["abcdefghijkl"]}, [None, 7, True, ["abcdefghijkl"], {}, b"abcdefghijkl"],
     ["", "short", "x" * 33, "abcdefgh' or 1=1", "abcdefgh\n", "äbcdefghijkl", "../../../../x", "<b>abcdefgh", "%%%%%%%%%%%%"]],
)  # fmt: skip
def test_what_cannot_be_an_id_is_left_out(given):
    assert usable(given) == []


def test_ids_are_taken_once_each_and_not_too_many():
    ids = [secrets.token_urlsafe(12) for _ in range(2 * MOST)]
    assert usable([ids[0], 5, ids[1], ids[0]]) == ids[:2]
    assert usable(ids) == ids[:MOST]
    assert usable([None] * MOST + ids) == []
