"""A table read from its copy is the table that was read from its file, to the last type; a copy that cannot be is not kept."""

import io
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from discover_core.errors import InputError
from discover_core.scenario.sources import SampleTable, TableFile
from discover_core.store.files import FolderFiles, data_files, sweep
from discover_core.store.table_files import copy_of, keep_copy, same
from discover_core.table import Dataset, Schema, read_table

from ..table.tables import tables

CELLS = {
    "whole": st.integers(-(2**63), 2**63 - 1),
    "code": st.integers(0, 99).map("{:03d}".format),
    "number": st.floats(),
    "text": st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=6),
    "flag": st.booleans(),
    "date": st.dates(),
    "blank": st.just(""),
}
WHOLE = st.integers(0, 10**9)
ARROW = {
    **{f"{unit} {zone}": (pa.timestamp(unit, zone), WHOLE) for unit in ("s", "ms", "us", "ns") for zone in (None, "Europe/Rome")},
    "duration": (pa.duration("ms"), WHOLE),
    "date32": (pa.date32(), st.integers(-100_000, 100_000)),
    "time": (pa.time64("us"), WHOLE),
    "uint64": (pa.uint64(), st.integers(0, 2**64 - 1)),
    "int8": (pa.int8(), st.integers(-128, 127)),
    "float32": (pa.float32(), st.floats(width=32)),
    "decimal": (pa.decimal128(20, 3), st.decimals(-(10**6), 10**6, places=3)),
    "bool": (pa.bool_(), st.booleans()),
    "text": (pa.string(), CELLS["text"]),
    "packed": (pa.dictionary(pa.int8(), pa.string()), st.sampled_from(["yes", "no", "perhaps"])),
    "null": (pa.null(), st.none()),
}


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))


@st.composite
def delimited(draw):
    rows = draw(st.integers(1, 12))
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=5))
    columns = {f"{kind} {i}": draw(st.lists(CELLS[kind], min_size=rows, max_size=rows)) for i, kind in enumerate(kinds)}
    text = pd.DataFrame({"row": range(rows), **columns}).to_csv(index=False, sep=draw(st.sampled_from(",;\t")))
    return text.encode(), "table.csv"


@st.composite
def packed(draw):
    rows = draw(st.integers(1, 12))
    columns = {}
    for name in draw(st.lists(st.sampled_from(list(ARROW)), min_size=2, max_size=6, unique=True)):
        kind, cells = ARROW[name]
        gaps = draw(st.booleans())
        columns[name] = pa.array(draw(st.lists(st.none() | cells if gaps else cells, min_size=rows, max_size=rows)), kind)
    content = io.BytesIO()
    parquet.write_table(pa.table(columns), content)
    return content.getvalue(), "table.parquet"


@st.composite
def workbooks(draw):
    content = io.BytesIO()
    table = draw(tables()).rename(columns=lambda name: f"column {ord(name[0])}")
    dates = pd.Series(pd.date_range("1999-12-31", periods=len(table)))
    table.loc[:, ~table.columns.duplicated()].assign(row=range(len(table)), day=dates).to_excel(content, index=False)
    return content.getvalue(), "table.xlsx"


@given(st.one_of(delimited(), packed(), workbooks()))
def test_a_copy_gives_back_the_table_as_it_was_read(file):
    content, name = file
    try:
        read = read_table(content, name)
    except InputError:
        return  # no table at all
    source = TableFile(data_files().put(content, name))
    copy_of(data_files().get(source.file)).unlink(missing_ok=True)
    first = source.table(data_files())
    assert same(first, read)
    assert copy_of(data_files().get(source.file)).exists(), "everything that our readers give can be kept"
    copied = source.table(data_files())
    assert same(copied, read)
    pd.testing.assert_frame_equal(copied, read, check_exact=True, check_column_type=True, check_index_type=True)
    for column in read.select_dtypes("float64"):  # a zero keeps its sign
        assert (
            np.signbit(copied[column])[read[column].notna()].tolist() == np.signbit(read[column])[read[column].notna()].tolist()
        )


@pytest.fixture
def loans() -> TableFile:
    table = pd.DataFrame({"income": np.arange(500) / 7, "town": ["Ulm", "Bonn", None, "Köln", "Rom"] * 100})
    return TableFile(data_files().put(table.to_csv(index=False).encode(), "loans.csv"))


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flip(content: bytes) -> bytes:
    middle = content.index(b"Bonn")
    return content[:middle] + b"Born" + content[middle + 4 :]


@pytest.mark.parametrize("damage", [cut, flip, lambda content: b"", lambda content: b"no Parquet at all"])
def test_a_damaged_copy_is_made_again(loans, damage):
    expected = loans.table(data_files())
    copy = copy_of(data_files().get(loans.file))
    sound = copy.read_bytes()
    copy.write_bytes(damage(sound))
    assert same(loans.table(data_files()), expected)
    assert copy.read_bytes() == sound


def test_the_copy_is_what_is_read(loans):
    loans.table(data_files())
    data_files().get(loans.file).write_bytes(b"not,even\na table")
    assert len(loans.table(data_files())) == 500
    data_files().get(loans.file).unlink()
    with pytest.raises(InputError, match="is not in the scenario's folder"):
        loans.table(data_files())


def test_what_cannot_be_kept_exactly_is_not_kept(loans):
    for table in (
        pd.DataFrame({"a": [1, 2]}, dtype=object),
        pd.DataFrame({"a": [None, np.nan]}, dtype=object),
        pd.DataFrame({"a": [1 + 2j]}),
    ):
        keep_copy(table, data_files().get(loans.file))
        assert [path.name for path in data_files().path.iterdir()] == [loans.file]


def test_only_files_named_by_their_content_get_a_copy(tmp_path):
    (tmp_path / "loans.csv").write_text("a,b\n1,2\n")
    assert len(TableFile("loans.csv").table(FolderFiles(tmp_path))) == 1
    assert len(SampleTable("compas").table(FolderFiles(tmp_path))) == 6172
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["loans.csv"]


def test_a_copy_lasts_as_long_as_its_file(loans):
    loans.table(data_files())
    copy = copy_of(data_files().get(loans.file))
    age(copy)
    assert sweep(data_files(), {loans.file}) == 0
    assert sweep(data_files(), ()) == 0  # the file has just been read
    age(copy)
    age(data_files().get(loans.file))
    assert sweep(data_files(), {loans.file}) == 0
    assert sweep(data_files(), ()) == 1  # and its copy
    assert not list(data_files().path.iterdir())


def age(path: Path) -> None:
    os.utime(path, (time.time() - 8 * 24 * 3600,) * 2)


@given(tables())
def test_a_dataset_comes_back_from_its_summary_and_its_table(table):
    whole = Dataset.of(table, Schema.infer(table), "People")
    again = whole.summary.dataset(table)
    pd.testing.assert_frame_equal(again.ready, whole.ready, check_exact=True)
    assert again.summary == whole.summary
    assert again.title == "People"
