"""The tables of all tabs together stay within what the operator allows, whoever opens them."""

import gc
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.table import Dataset, Schema
from discover_core.workers.limits import GB
from discover_core.workers.page_jobs import open_sample
from discover_core.workers.page_results import OpenTable
from ui.app import open_tables


@pytest.fixture
def opened(tmp_path, monkeypatch) -> OpenTable:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    found = open_sample("german_credit_10", lambda share, doing: None)
    gc.collect()
    return found


def room_for(monkeypatch, opened, tables):
    """So many more of them than are open."""
    room = open_tables.taken() + (tables + 0.5) * opened.summary.size
    monkeypatch.setenv("DISCOVER_TABLES", repr(room / GB))


def test_a_summary_says_what_its_dataset_takes():
    raw = pd.DataFrame({"a": np.arange(1000.0), "b": np.arange(1000.0)})
    assert Dataset.of(raw, Schema.infer(raw)).summary.size >= 2 * 2 * 8 * 1000


def test_there_is_room_for_so_many_and_again_when_one_is_closed(opened, monkeypatch):
    room_for(monkeypatch, opened, 2)
    before = open_tables.taken()
    first, second = open_tables.dataset(opened), open_tables.dataset(opened)
    assert open_tables.taken() == before + 2 * opened.summary.size
    for _ in range(2):
        with pytest.raises(InputError, match=r"and the tables that are open on this server leave .* GB: close one of yours"):
            open_tables.dataset(opened)
    assert open_tables.taken() == before + 2 * opened.summary.size
    changed = first.with_schema(first.schema)  # as when a column is edited: the same table
    del first
    with pytest.raises(InputError):
        open_tables.dataset(opened)
    del changed
    third = open_tables.dataset(opened)
    assert third.raw.equals(second.raw)


def test_a_table_beyond_all_room_says_so(opened, monkeypatch):
    monkeypatch.setenv("DISCOVER_TABLES", "1e-9")
    with pytest.raises(InputError, match="more than the 1e-09 GB that this server has for tables: sample its rows"):
        open_tables.dataset(opened)


def test_what_is_being_read_counts_and_what_cannot_be_read_leaves_nothing(opened, monkeypatch):
    room_for(monkeypatch, opened, 1)
    before, begun, go_on, held = open_tables.taken(), threading.Event(), threading.Event(), []

    class Slow:
        summary = opened.summary

        def dataset(self):
            begun.set()
            assert go_on.wait(60)
            return opened.dataset()

    reader = threading.Thread(target=lambda: held.append(open_tables.dataset(Slow())))
    reader.start()
    assert begun.wait(60)
    with pytest.raises(InputError, match="leave"):
        open_tables.dataset(opened)
    go_on.set()
    reader.join(60)
    assert open_tables.taken() == before + opened.summary.size
    held.clear()

    class Gone(Slow):
        def dataset(self):
            raise InputError("Its file is gone.")

    with pytest.raises(InputError, match="gone"):
        open_tables.dataset(Gone())
    assert open_tables.taken() == before


def test_no_page_opens_a_table_past_the_count():
    root = Path(__file__).parents[2]
    files = [path for folder in ("ui", "pages") for path in (root / folder).rglob("*.py") if path.name != "open_tables.py"]
    assert [path.name for path in files if "opened.dataset()" in path.read_text(encoding="utf-8")] == []
