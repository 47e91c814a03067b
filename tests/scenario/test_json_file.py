"""JSON from outside: read within limits, or refused with a sentence."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.policy.policy_upload import PolicyHead
from discover_core.scenario import Scenario
from discover_core.scenario.json_file import DEPTH, MOST, parse_json, read_json, write_json

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(), inside, max_size=4),
    max_leaves=12,
)


@given(values)
def test_what_json_can_say_is_read(value: object):
    assert parse_json(json.dumps(value).encode(), "a.json") == value


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b" " * MOST + b"1", "more than the 5 MB"),
        (b"[" * 60 + b"]" * 60, f"more than {DEPTH} deep"),
        (b"[" * 100_000 + b"]" * 100_000, f"more than {DEPTH} deep"),
        (b'{"a":' * 100_000, f"more than {DEPTH} deep"),
        (b'{"a": 1e400}', "1e400"),
        (b'{"a": -1e999999}', "-1e999999"),
        (b'{"a": ' + b"1" * 5_000 + b"}", "5,000 digits"),
        (b'{"a": NaN}', "NaN"),
        (b'{"a": -Infinity}', "-Infinity"),
        (b'{"a": 1, "b": 2, "a": 3}', "“a” is said more than once"),
        (b'{"a": {"\\ud800": 1, "\\ud800": 2}}', "more than once"),
        (b'{"a": ["\\ud800"]}', "half a character"),
        (b'{"\\udfff": 1}', "half a character"),
        (b'{"a": "\xed\xa0\x80"}', "not a JSON file"),
        (b"{", "not a JSON file"),
        (b"\xff", "not a JSON file"),
        (b"", "not a JSON file"),
    ],
)
def test_what_is_refused(content: bytes, says: str):
    with pytest.raises(InputError) as caught:
        parse_json(content, "my\ud800.json")
    assert says in str(caught.value)
    assert str(caught.value).startswith("“my\N{REPLACEMENT CHARACTER}.json” ")
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 300
    str(caught.value).encode()


@given(st.binary(max_size=60) | st.text('[]{}",:0123456789eE-\\ud8a', max_size=60).map(str.encode))
def test_any_bytes_are_a_value_or_a_sentence(content: bytes):
    with contextlib.suppress(InputError):
        json.dumps(parse_json(content, "a.json"), ensure_ascii=False, allow_nan=False).encode()


def test_a_large_scenario_is_refused_before_it_is_read(tmp_path: Path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**40)  # sparse: takes no room, and reading it would never end
    with pytest.raises(InputError, match="5 MB"):
        Scenario.read(path)
    with pytest.raises(InputError, match="20 MB"):
        PolicyHead.of({"policy.json": b" " * (20 * 2**20 + 1)})


def test_half_a_character_is_not_written(tmp_path: Path, german: Scenario):
    with pytest.raises(InputError, match="half a character"):
        write_json(tmp_path / "a.json", {"a": "b\ud800c"})
    assert not (tmp_path / "a.json").exists()
    write_json(tmp_path / "a.json", german.to_dict())
    assert Scenario.from_dict(read_json(tmp_path / "a.json")) == german
