"""Names and values in every script, of any length and of any meaning go from a file to a plan and stay what they are."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem.targets import Threshold
from discover_core.scenario import TableFile, TrainedModel
from discover_core.table.write import as_was, to_csv, to_excel

NAMES = {
    "scripts": ["Größe", "年龄", "возраст", "ηλικία", "आयु", "나이", "อายุ", "ዕድሜ"],
    "right to left": ["العمر", "גיל", "\u202eabc", "abc\u200f", "\u2067x\u2069"],
    "emoji and combined": ["👩🏽‍🚀", "🇪🇺", "é", "e\u0301", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A", "ﷺ", "\U0001f9d1\u200d\U0001f91d\u200d\U0001f9d1"],
    "long": ["x" * 10_000, "年" * 5_000, "a " * 2_000 + "b"],
    "words of ours": ["row", "Row", "person", "Person", "index", "changes", "effort", "score", "(missing)", "fit", "people", "n"],
    "words of others": ["None1", "True", "inf1", "constructor", "__proto__", "__class__", "toString", "class", "lambda", "Ｎone"],
    "code": ["'; DROP TABLE runs; --", "SELECT", "{0}", "%s", "${x}", "{{7*7}}", "<script>alert(1)</script>", "[a](b)", "$x^2$"],
    "marks": [
        'a"b',
        "a'b",
        "a,b",
        "a;b",
        "a|b",
        "a\\b",
        "a/b",
        "../../etc",
        "a\nb",
        "a\tb",
        "a:b",
        "#1",
        "=1+1",
        " @x",
        "\u200b=2",
    ],
    "signs": ["-", "+", "*", "<=", "and", "if", "then", "a + b <= 3", ".", "…", "“quoted”", "\u00a0\u2003x", "\x7f", "\x85y"],
}


def people(names: list[str]) -> pd.DataFrame:
    """A number and a word by each name; the words are the names themselves."""
    rng = np.random.default_rng(0)
    table: dict[str, object] = {}
    for i, name in enumerate(names):
        table[name] = rng.normal(50, 10, 90).round(1) if i % 2 else rng.choice(names, 90)
    table["a number"] = rng.normal(0, 1, 90).round(3)
    late = table["a number"] + 3 * (table[names[0]] == names[0]) + rng.normal(0, 0.5, 90) > 1
    return pd.DataFrame({**table, "outcome": np.where(late, names[0], names[-1])})


def content(table: pd.DataFrame, ending: str) -> bytes:
    out = io.BytesIO()
    if ending == "parquet":
        parquet.write_table(pa.Table.from_pandas(table, preserve_index=False), out)
    else:
        table.to_csv(out, index=False)
    return out.getvalue()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("kind", NAMES)
def test_names_and_values_stay_what_they_are(kind: str, ending: str, tmp_path: Path):
    table = people(NAMES[kind])
    file = f"people.{ending}"
    (tmp_path / file).write_bytes(content(table, ending))
    raw = dc.read_table(tmp_path / file)
    wanted = [name.strip() for name in table.columns]
    assert list(raw.columns) == wanted
    for name, own in zip(wanted, table.columns, strict=True):
        assert raw[name].tolist() == table[own].tolist()

    schema = dc.Schema.infer(raw, "outcome")
    assert [column.name for column in schema] == wanted
    scenario = dc.Scenario(
        TableFile(file),
        schema,
        dc.Cohort(score_side="above", score_value=0.5),
        TrainedModel("logistic"),
        dc.Actionability.default(schema).lock("a number"),  # so that only those by these names can change
        Threshold(0.5, 1.0, "below", 0.02),
        dc.Bounds(5.0, 1.0, slices=3),
        dc.Settings(k=50, candidates=50, iterations=1),
        people=wanted[0],
        name=NAMES[kind][0],
    )
    scenario.write(tmp_path / "scenario.json")
    read = dc.Scenario.read(tmp_path / "scenario.json")
    assert read == scenario
    assert read.name == scenario.name
    problem = read.problem()
    result = dc.run(problem, read.settings)
    assert set(result.counterfactual.columns) >= {column.name for column in schema.features}
    plan = result.plan
    assert len(plan)
    lines = list(csv.reader(io.StringIO(to_csv(plan).decode("utf-8-sig"), newline="")))
    assert [as_was(line[lines[0].index("changes")]) for line in lines[1:]] == plan["changes"].tolist()
    rows = list(csv.reader(io.StringIO(to_csv(raw).decode("utf-8-sig"), newline="")))
    assert [as_was(name) for name in rows[0]] == wanted
    assert [as_was(line[0]) for line in rows[1:]] == raw[wanted[0]].tolist()
    assert to_excel({"plan": plan, "rows": raw}).startswith(b"PK")
    print(f"\n{len(wanted)} names and {raw.size:,} values ({kind}, {ending}): the same in table, scenario, plan and files.")


def test_names_that_are_no_text_are_refused_with_a_sentence(tmp_path: Path):
    half = json.dumps({"version": 1, "name": "\ud800"}).encode()
    (tmp_path / "scenario.json").write_bytes(half)
    with pytest.raises(InputError, match="half a character"):
        dc.Scenario.read(tmp_path / "scenario.json")
    bad = pa.Array.from_buffers(
        pa.string(), 2, [None, pa.array([0, 3, 6], pa.int32()).buffers()[1], pa.py_buffer(b"\xed\xa0\x80abc")]
    )
    for columns in ({"a": bad, "b": pa.array([1, 2])}, {"a": bad.dictionary_encode(), "b": pa.array([1, 2])}):
        out = io.BytesIO()
        parquet.write_table(pa.table(columns), out)
        with pytest.raises(InputError) as caught:
            dc.read_table(out.getvalue(), "half\ud800.parquet")
        assert "“a”" in str(caught.value)
        str(caught.value).encode()
    with pytest.raises(InputError) as caught:
        dc.read_table(b"", "half\udfff.csv")
    str(caught.value).encode()
