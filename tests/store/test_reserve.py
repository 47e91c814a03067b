"""The room that is set aside beside the database: really taken, given back once, and never from somebody who has none."""

import os
from types import SimpleNamespace

import pytest

from discover_core.store import reserve
from discover_core.store.engine import reserve_of
from discover_core.store.reserve import PLENTY, SIZE, Reserve


@pytest.mark.parametrize("how", ["at once", "byte by byte"])
def test_room_is_taken_and_given_back(tmp_path, monkeypatch, how):
    if how == "byte by byte":
        monkeypatch.delattr(os, "posix_fallocate", raising=False)
    kept = Reserve(tmp_path / "runs.sqlite3-reserve")
    assert not kept.needed
    for _ in range(2):
        kept.keep()
    assert [path.name for path in tmp_path.iterdir()] == [kept.path.name]
    assert kept.path.stat().st_size == SIZE
    assert (kept.give_back(), kept.give_back()) == (True, False)


def test_a_disk_that_is_nearly_full_is_left_alone(tmp_path, monkeypatch):
    free = PLENTY * SIZE - 1
    monkeypatch.setattr(reserve.shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    kept = Reserve(tmp_path / "runs.sqlite3-reserve")
    kept.keep()
    assert list(tmp_path.iterdir()) == []
    assert not kept.needed
    free = SIZE - 1
    assert kept.needed


def test_a_disk_that_fills_up_meanwhile_keeps_nothing_half_made(tmp_path, monkeypatch):
    def full(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reserve, "_fill", full)
    Reserve(tmp_path / "runs.sqlite3-reserve").keep()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "sqlite:///file:x?mode=ro&uri=true", "postgresql://here/there"]
)
def test_there_is_none_beside_what_is_no_file(url):
    assert reserve_of(url) is None
