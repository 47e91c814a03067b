"""Cases with a name: each was, or is well known to be, more than some program could bear."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import ubj
from .case import Case
from .json_changes import DEEP
from .model_changes import fitting
from .seeds import light, seeds
from .zip_changes import packed, parts

SHEET = '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
MEGABYTE = 2**20


def named() -> Iterator[Case]:
    """One after the other, for some are large."""
    for some in (tables, targets, scenarios, xgboost, lightgbm, skops, policies):
        yield from some()


def sheet(content: str, seed: bytes) -> bytes:
    """A good workbook whose first sheet holds this."""
    return packed([(name, SHEET.format(content).encode() if name.endswith("sheet1.xml") else part) for name, part in parts(seed)])


def row(number: object, *cells: str) -> str:
    return f'<row r="{number}">{"".join(cells)}</row>'


def cell(place: str, value: object = 1) -> str:
    return f'<c r="{place}"><v>{value}</v></c>'


def sheets() -> dict[str, str]:
    header = row(1, '<c r="A1" t="inlineStr"><is><t>a</t></is></c>', '<c r="B1" t="inlineStr"><is><t>b</t></is></c>')
    return {
        "a sheet that never ends": header + row(2_000_000_000, cell("A2000000000"), cell("B2000000000")),
        "rows far apart": header + "".join(row(10**6 * i, cell(f"A{10**6 * i}"), cell(f"B{10**6 * i}")) for i in range(1, 40)),
        "200,000 rows with one cell in the last column": header
        + "".join(row(number, cell(f"XFD{number}")) for number in range(2, 200_002)),
        "a row of more numbers than there are": header + row("1e308", cell("A2")),
        "a cell beyond the last column": header + row(2, cell("A2"), cell("ZZZZZ2")),
        "a row without a number, a row of 0, a row of -1": header + "<row><c><v>1</v></c></row>" + row(0, cell("A0")) + row(-1),
        "texts that are not there": header + row(2, '<c r="A2" t="s"><v>2147483648</v></c>', '<c r="B2" t="s"><v>-9</v></c>'),
        "a day that no calendar has": header
        + row(2, '<c r="A2" s="1"><v>1e308</v></c>', '<c r="B2" t="d"><v>99999-99-99</v></c>'),
        "50,000 elements inside each other": header + row(2, "<c>" * 50_000 + "</c>" * 50_000),
    }


def tables() -> list[Case]:
    good = seeds()["XLSX"][0]["people.xlsx"]
    text = seeds()["CSV"][0]["people.csv"]
    wide = ",".join(f"c{i}" for i in range(200_000))
    entities = b"".join(b'<!ENTITY e%d "%s">' % (i + 1, b"&e%d;" % i * 10) for i in range(9))
    laughs = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "ten letters">' + entities + b"]><sst><si><t>&e9;</t></si></sst>"
    books = {what: sheet(content, good) for what, content in sheets().items()}
    books["entities of entities"] = packed(
        [(name, laughs if "shared" in name or "workbook.xml" in name else part) for name, part in parts(good)]
    )
    books["a sheet that is a path"] = packed(
        [(name, part.replace(b"worksheets/sheet1.xml", b"../../../../etc/passwd")) for name, part in parts(good)]
    )
    return [
        *(Case("XLSX", what, {"people.xlsx": book}) for what, book in books.items()),
        Case("CSV", "200,000 columns", {"people.csv": f"{wide}\n{wide}\n".encode()}),
        Case("CSV", "a cell of 20 MB", {"people.csv": text + b'"' + b"x" * (20 * MEGABYTE) + b'",1,2\n'}),
        Case("CSV", "20 MB of open quotes", {"people.csv": b'a,b\n"' * (4 * MEGABYTE)}),
        Case("CSV", "a million blank lines", {"people.csv": b"a,b\n1,2\n" + b"\n" * 10**6}),
        Case("CSV.gz", "a gigabyte of nothing", {"people.csv.gz": gzip.compress(bytes(64 * MEGABYTE), mtime=0) * 16}),
        Case("CSV.gz", "packed a hundred times", {"people.csv.gz": _packed(text, 100)}),
    ]


def _packed(data: bytes, times: int) -> bytes:
    for _ in range(times):
        data = gzip.compress(data, mtime=0)
    return data


def targets() -> list[Case]:
    good = seeds()["target XLSX"][0]["target.xlsx"]
    chosen = ("a sheet that never ends", "200,000 rows with one cell in the last column")
    return [
        *(Case("target XLSX", what, {"target.xlsx": sheet(sheets()[what], good)}) for what in chosen),
        Case("target CSV", "60 MB of numbers", {"target.csv": b"0.25\n" * (12 * MEGABYTE)}),
        Case("target CSV", "60 MB of one line", {"target.csv": b"0.25 " * (12 * MEGABYTE)}),
        Case("target CSV", "60 MB of blank lines", {"target.csv": b"\n" * (60 * MEGABYTE)}),
    ]


def scenarios() -> list[Case]:
    good = json.loads(seeds()["scenario.json"][4]["scenario.json"])  # whose target is a list of values

    def case(what: str, *path: Any, value: Any, times: int = 1) -> Case:
        """With this in a place, or in a list there so many times."""
        data = json.loads(json.dumps(good))
        place = data
        for name in path[:-1]:
            place = place[name]
        place[path[-1]] = [value] if times > 1 else value
        text, one = json.dumps(data), json.dumps(value)
        if times > 1:
            text = text.replace(f"[{one}]", f"[{','.join([one] * times)}]")
        return Case("scenario.json", what, {"scenario.json": text.encode()})

    return [
        case("60 MB of values", "target", "values", value=0.25, times=12 * MEGABYTE),
        case("60 MB of rules", "rules", value="Age <= 3", times=5 * MEGABYTE),
        Case("scenario.json", "60 MB of brackets", {"scenario.json": b"[" * (60 * MEGABYTE)}),
        case("k of a million million million", "settings", "k", value=10**18),
        case("a thousand million slices", "bounds", "slices", value=10**9),
        case("a target drawn a thousand million times", "target", value={"kind": "beta", "a": 2, "b": 5, "n": 10**9}),
        case("a path out of the folder", "data", value={"file": "../../etc/passwd"}),
    ]


def xgboost() -> list[Case]:
    cases = []
    for what, change in BROKEN_TREES.items():
        plain = json.loads(seeds()["XGBoost JSON"][0]["model.json"])
        binary = ubj.read(seeds()["XGBoost UBJ"][0]["model.ubj"])
        change(plain["learner"])
        change(binary["learner"])
        cases += [
            Case("XGBoost JSON", what, {"model.json": json.dumps(plain).encode()}),
            Case("XGBoost UBJ", what, {"model.ubj": ubj.written(binary)}),
        ]
    deep = ubj.read(seeds()["XGBoost UBJ"][0]["model.ubj"])
    deep["learner"]["attributes"]["a"] = DEEP
    named_age = seeds()["XGBoost UBJ"][0]["model.ubj"]
    return [
        *cases,
        Case("XGBoost UBJ", "100,000 deep", {"model.ubj": ubj.written(deep)}),
        Case("XGBoost UBJ", "a name that is no text", {"model.ubj": named_age.replace(b"Age", b"\xffge")}),
        Case("XGBoost JSON", "100,000 deep", {"model.json": b'{"learner":' * 100_000 + b"}" * 100_000}),
    ]


def _set(learner: Any, name: str, at: int, value: int) -> None:
    learner["gradient_booster"]["model"]["trees"][0][name][at] = value


def _class(learner: Any, value: int) -> None:
    learner["gradient_booster"]["model"]["tree_info"][0] = value


BROKEN_TREES = {
    "a tree that goes in circles": lambda learner: (_set(learner, "left_children", 1, 0), _set(learner, "right_children", 1, 0)),
    "a child that is far away": lambda learner: _set(learner, "left_children", 0, 2**31 - 1),
    "a child before the first": lambda learner: _set(learner, "right_children", 0, -7),
    "a column that is far away": lambda learner: _set(learner, "split_indices", 0, 2**30),
    "a tree of a class that is not there": lambda learner: _class(learner, 10**9),
    "a tree of class -1": lambda learner: _class(learner, -1),
    "a thousand million classes": lambda learner: learner["learner_model_param"].__setitem__("num_class", "1000000000"),
    "a thousand million columns": lambda learner: learner["learner_model_param"].__setitem__("num_feature", "1000000000"),
    "trees that are not there": lambda learner: learner["gradient_booster"]["model"]["gbtree_model_param"].__setitem__(
        "num_trees", "2147483647"
    ),
}


def lightgbm() -> list[Case]:
    text = light()[0]
    changes = {
        "no gains": (r"^split_gain=.*\n", ""),
        "no leaf counts": (r"^leaf_count=.*\n", ""),
        "no inner values": (r"^internal_value=.*\n", ""),
        "a thousand million classes": (r"^num_class=.*$", "num_class=1000000000"),
        "a thousand million columns": (r"^max_feature_idx=.*$", "max_feature_idx=1000000000"),
        "a setting without its value": (r"^\[num_leaves: .*$", "[num_leaves"),
        "a thousand million leaves": (r"^num_leaves=.*$", "num_leaves=1000000000"),
        "a word as its shrinkage": (r"^shrinkage=.*$", "shrinkage=abc"),
        "half a number at a leaf": (r"^leaf_value=\S+", "leaf_value=--1"),
        "an objective without a name": (r"^objective=.*$", "objective="),
        "a tree that runs into the next": (r"\n+(?=Tree=1)", "\n"),
        "a second number of columns in its first lines": (r"^(max_feature_idx=.*)$", r"\1\n=max_feature_idx=9"),
    }
    slopes = re.sub(r"^leaf_const=\S+", "leaf_const=1e999", light()[3], flags=re.MULTILINE)
    return [
        Case("LightGBM", "a line at a leaf that begins beyond all numbers", {"model.txt": fitting(slopes.encode())}),
        *(
            Case("LightGBM", what, {"model.txt": fitting(re.sub(old, new, text, flags=re.MULTILINE).encode())})
            for what, (old, new) in changes.items()
        ),
    ]


def skops() -> list[Case]:
    """The nodes of trees, which scikit-learn's compiled code follows without looking, and boosters inside of a skops file."""
    return [
        *(
            Case("skops", f"a tree whose first {field} is {value}", {"model.skops": _with_parts(1, _node, field, value)})
            for field, value in (
                ("left_child", 10**7),
                ("left_child", 0),
                ("right_child", -5),
                ("feature", 10**9),
                ("feature", -7),
            )
        ),
        Case("skops", "an XGBoost tree that goes in circles", {"model.skops": _with_parts(5, _circle)}),
        Case("skops", "a LightGBM model without gains", {"model.skops": _with_parts(6, _gainless)}),
        Case("skops", "a number as its classes", {"model.skops": _with_parts(0, _classless)}),
        Case("skops", "a type whose name has a thousand parts", {"model.skops": _with_parts(0, _far_away)}),
        Case("skops", "an array whose header is a program", {"model.skops": _with_parts(0, _programmed)}),
        Case("skops", "a part with two names", {"model.skops": _with_parts(0, _same).replace(b"1.npy", b"1.np\x9b", 1)}),
    ]


def _with_parts(seed: int, change: Callable[..., bytes], *given: Any) -> bytes:
    return packed([(name, change(name, part, *given)) for name, part in parts(seeds()["skops"][seed]["model.skops"])])


def _node(name: str, part: bytes, field: str, value: int) -> bytes:
    array = np.load(io.BytesIO(part)) if name.endswith(".npy") else np.zeros(1)
    if field not in (array.dtype.names or ()):
        return part
    array[field][0] = value
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def _circle(name: str, part: bytes) -> bytes:
    if not name.endswith(".bin"):
        return part
    booster = ubj.read(part)
    BROKEN_TREES["a tree that goes in circles"](booster["Model"]["learner"])
    return ubj.written(booster)


def _gainless(name: str, part: bytes) -> bytes:
    """The sizes in the header no longer fit, either."""
    return re.sub(rb"split_gain=[^\\]*\\\\n", b"", part) if name == "schema.json" else part


def _classless(name: str, part: bytes) -> bytes:
    number = b'{"__class__": "int", "__module__": "builtins", "__loader__": "JsonNode", "content": "7"}'
    return re.sub(rb'("classes_": ){[^{}]*}', rb"\1" + number, part)


def _far_away(name: str, part: bytes) -> bytes:
    return part.replace(b"sklearn.linear_model._logistic", b"sklearn" + b".a" * 1_000)


def _programmed(name: str, part: bytes) -> bytes:
    return part.replace(b"'fortran_order': False", b"'fortran_order': Falsy") if name.endswith(".npy") else part


def _same(name: str, part: bytes) -> bytes:
    return part


def policies() -> list[Case]:
    archive = parts(seeds()["policy ZIP"][0]["policy.zip"])
    data = json.loads(dict(archive)["policy.json"])
    ways = {
        "names that are paths": [(f"../../../{name}", part) for name, part in archive],
        "60 MB of JSON": [("policy.json", json.dumps({**data, "kind": "x" * (60 * MEGABYTE)}).encode()), *archive[1:]],
        "a bomb": [*archive, ("model.bin", bytes(390 * MEGABYTE))],
        "a ZIP in a ZIP in a ZIP": [("policy.zip", packed([("policy.zip", packed(archive))]))],
        "no model": archive[:1],
        "twenty policies": archive[:1] * 20,
    }
    return [
        *(Case("policy ZIP", what, {"policy.zip": packed(content)}) for what, content in ways.items()),
        Case("policy ZIP", "a size that is not so", {"policy.zip": _lying(packed(archive))}),
    ]


def _lying(archive: bytes) -> bytes:
    """The directory at the end says that the first part is 3 GB."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        at = opened.start_dir
    return archive[: at + 24] + (3 * 10**9).to_bytes(4, "little") + archive[at + 28 :]
