"""A CSV file in pieces has the values of the same file read at once, or is not read in pieces."""

import pandas as pd
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.table.csv_chunks import csv_chunks


@pytest.mark.parametrize("name", dc.samples())
def test_every_sample_is_the_same_in_pieces(name, tmp_path):
    sample = dc.load_sample(name)
    table = sample.table.head(700)
    table.to_csv(tmp_path / "people.csv", index=False)
    whole = dc.read_table(tmp_path / "people.csv")
    found = csv_chunks(tmp_path / "people.csv", sample.schema)
    assert found is not None
    assert found.rows == len(table)
    pieces = list(found.chunks(64))
    assert [len(piece) for piece in pieces[:-1]] == [64] * (len(pieces) - 1)
    features = sample.schema.feature_names
    ready = pd.concat([sample.schema.prepare(piece)[features] for piece in pieces])
    wanted = sample.schema.prepare(whole)[features]
    assert ready.index.tolist() == wanted.index.tolist()
    pd.testing.assert_frame_equal(ready.reset_index(drop=True), wanted, check_exact=True, check_dtype=False)


SCHEMA = dc.Schema((dc.Column("a", "numeric", low=0, high=9), dc.Column("b", "nominal", levels=("x", "y"))))
PLAIN = "a,b\n" + "1,x\n2.5,y\n" * 200
ODD = {
    "semicolons": PLAIN.replace(",", ";"),
    "a code": PLAIN + "007,x\n",
    "words late": PLAIN + "unknown,x\n",
    "another notation": PLAIN.replace("2.5", '"2,500.5"'),
    "truth values": PLAIN.replace("x", "True").replace("y", "False"),
    "an empty column": "a,b\n" + ",x\n" * 300,
    "huge numbers": PLAIN + "12345678901234567890,x\n",
    "an open quotation mark": PLAIN + '3,"x\n',
    "an uneven line": PLAIN + "1,x,3\n",
    "no name": "a,b,\n" + "1,x,3\n" * 300,
    "one name twice": "a,b,b\n" + "1,x,3\n" * 300,
    "blank first line": "\n" + PLAIN,
    "no rows": "a,b\n",
    "nothing": "",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_what_is_not_plain_is_left_to_the_whole_look(text, tmp_path):
    (tmp_path / "people.csv").write_text(text, encoding="utf-8")
    assert csv_chunks(tmp_path / "people.csv", SCHEMA) is None


@pytest.mark.parametrize("content", [PLAIN.encode("utf-16"), PLAIN.replace("x", "é").encode("cp1252"), PLAIN.encode() + b"\0"])
def test_another_encoding_is_left_to_the_whole_look(content, tmp_path):
    (tmp_path / "people.csv").write_bytes(content)
    assert csv_chunks(tmp_path / "people.csv", SCHEMA) is None


def test_gaps_quotes_and_a_mark_at_the_beginning_are_plain(tmp_path):
    text = "a,b,note\n" + '1,x,"one, two\nthree"\n,?,\n NA ,"y",-\n' * 100
    (tmp_path / "people.csv").write_bytes(text.encode("utf-8-sig"))
    found = csv_chunks(tmp_path / "people.csv", SCHEMA)
    assert found is not None
    assert found.rows == 300
    whole = dc.read_table(tmp_path / "people.csv")
    pd.testing.assert_frame_equal(pd.concat(found.chunks(7)), whole[["a", "b"]], check_index_type=False)


def test_a_missing_column_gets_its_sentence(tmp_path):
    (tmp_path / "people.csv").write_text(PLAIN.replace("a,b", "c,b"))
    with pytest.raises(InputError, match="lacks 1 of the columns that are needed: “a”"):
        csv_chunks(tmp_path / "people.csv", SCHEMA)
