"""A model file is tried in a process of its own: whatever it does there, the caller gets an InputError."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from discover_core.errors import InputError
from discover_core.models import load, probe
from discover_core.models.load import load_model
from discover_core.models.model import Model
from discover_core.models.questions import ColumnMismatch
from discover_core.table.schema import Column, Schema

from .nasty import nasty
from .small_models import boosters, rows, schema

ROOT = Path(__file__).resolve().parents[2]
GOOD = bytes(boosters()[0].save_raw("json"))
CHILD = "child()"


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "_harmless", set())


def children(monkeypatch: pytest.MonkeyPatch, spoil: str = "") -> list[int]:
    """How the children that are started end; `spoil` is run in each before it begins."""
    codes: list[int] = []
    run = subprocess.run

    def watched(*arguments: Any, **settings: Any) -> Any:
        ended = run(*arguments, **settings)
        codes.append(ended.returncode)
        return ended

    monkeypatch.setattr(subprocess, "run", watched)
    assert probe.START.endswith(CHILD)
    monkeypatch.setattr(probe, "START", probe.START.removesuffix(CHILD) + spoil + "\n" + CHILD)
    return codes


def far_child() -> bytes:
    data = json.loads(GOOD)
    tree = data["learner"]["gradient_booster"]["model"]["trees"][0]
    tree["left_children"][0] = tree["right_children"][0] = 2**30
    return json.dumps(data).encode()


def test_a_crash_stays_in_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its checks of structure, the child believes the file."""
    codes = children(monkeypatch, "import discover_core.models.boosters as b; b.check_xgboost = lambda origin: None")
    with pytest.raises(InputError, match=r"“m\.json” ends the process that opens it \(signal \d+\).*save the model again"):
        load_model(far_child(), schema(), "m.json", probe=True)
    assert codes[0] < 0


def network(nodes: list[Any], numbers: dict[str, Any]) -> bytes:
    tensors = [numpy_helper.from_array(np.array(value), name) for name, value in numbers.items()]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [None, width]) for name, width in (("X", 4), ("Y", 1))]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], tensors)
    return bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9).SerializeToString())


def endless() -> bytes:
    """Goes round for as long as a 64 bit number can count."""
    into = [("i", TensorProto.INT64, []), ("go", TensorProto.BOOL, []), ("s", TensorProto.FLOAT, [None, 1])]
    out = [("on", TensorProto.BOOL, []), ("t", TensorProto.FLOAT, [None, 1])]
    steps = [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["s"], ["t"])]
    body = helper.make_graph(steps, "b", *([helper.make_tensor_value_info(*one) for one in side] for side in (into, out)))
    add = helper.make_node("ReduceSum", ["X", "axes"], ["S"], keepdims=1)
    loop = helper.make_node("Loop", ["times", "go0", "S"], ["Y"], body=body)
    return network([add, loop], {"axes": [1], "times": 2**62, "go0": True})


def enormous() -> bytes:
    """Asks for 8 GB in 300 bytes."""
    fill = helper.make_node("ConstantOfShape", ["shape"], ["B"])
    return network([fill, helper.make_node("MatMul", ["X", "B"], ["Y"])], {"shape": [4, 2**29]})


@pytest.mark.skipif(sys.platform == "win32", reason="no limits")
@pytest.mark.parametrize(("make", "words"), [(endless, "takes too long"), (enormous, "far more memory")])
def test_networks_that_never_end_or_fill_the_memory(
    make: Callable[[], bytes], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    children(monkeypatch, "import discover_core.models.probe as p; p.SECONDS = 0.5")
    with pytest.raises(InputError, match=words):
        load_model(make(), schema(), "m.onnx", probe=True)


def test_a_file_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = children(monkeypatch)
    first = load_model(GOOD, schema(), "m.json", probe=True)
    again = load_model(GOOD, schema(), "other.json", probe=True)
    assert codes == [0]
    assert np.array_equal(first(rows()), again(rows()))
    load_model(GOOD + b" ", schema(), "m.json", probe=False)
    assert codes == [0]


def test_questions_come_back_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = children(monkeypatch)
    other = Schema((Column("b", "numeric", low=0, high=1), Column("x", "numeric", low=0, high=1)))
    with pytest.raises(ColumnMismatch) as caught:
        load_model(GOOD, other, "m.json", probe=True)
    with pytest.raises(ColumnMismatch) as here:
        load_model(GOOD, other, "m.json", probe=False)
    assert vars(caught.value) == vars(here.value)
    assert str(caught.value) == str(here.value)
    assert codes == [0]
    assert not probe._harmless, "nobody has asked it about rows yet"


def test_whatever_a_reader_raises_becomes_a_sentence() -> None:
    assert probe._told(KeyError("x"), "m.json")[1] == [f"“m.json” cannot be read: {probe.ADVICE} (the reader said: 'x')."]
    wrapped = InputError("The model failed.")
    wrapped.__cause__ = RuntimeError("std::bad_alloc")
    assert "far more memory" in probe._told(wrapped, "m.json")[1][0]


def test_who_is_tried_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    monkeypatch.setattr(load, "try_file", lambda origin, *more: tried.append(origin.name))
    load_model(GOOD, schema(), "spared.json")
    monkeypatch.setattr(probe, "_crashes_accepted", False)
    load_model(GOOD, schema(), "tried.json")
    with pytest.raises(InputError, match="pickle"):
        load_model(GOOD, schema(), "m.pkl")
    with pytest.raises(InputError, match="no kind of model file"):
        load_model(GOOD, schema(), "m.exe")
    assert tried == ["tried.json"]


def test_where_no_python_can_be_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for executable in (str(tmp_path / "nothing"), "", "/bin/false"):
        monkeypatch.setattr(sys, "executable", executable)
        assert isinstance(load_model(GOOD, schema(), "m.json", probe=True), Model)


def test_the_rows_are_usual_extreme_and_missing() -> None:
    _, asked = nasty()
    usual, odd = probe.probe_rows(asked)
    for column in asked.features:
        if column.categorical:
            assert set(usual[column.name]) <= set(column.levels)
            assert odd[column.name].isna().any()
        else:
            assert usual[column.name].between(column.low, column.high).all()
            assert (odd[column.name] > column.high).any()
            assert (odd[column.name] < column.low).any()
            assert odd[column.name].isna().any()


SCRIPT = """
import multiprocessing
import discover_core as dc
from discover_core.table.schema import Column, Schema
columns = Schema(tuple(Column(name, "numeric", low=-5, high=5) for name in "abcd"))
def damaged():
    try:
        dc.load_model({bad!r}, columns)
    except dc.InputError as error:
        print(error, flush=True)
print(dc.load_model({good!r}, columns).family, flush=True)
child = multiprocessing.get_context("fork").Process(target=damaged, daemon=True)
child.start()
child.join()
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
def test_scripts_without_a_guard_and_daemonic_processes(tmp_path: Path) -> None:
    """Typed in, as in a notebook, where there is no file to import again."""
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_bytes(GOOD)
    bad.write_bytes(far_child())
    script = SCRIPT.format(good=str(good), bad=str(bad))
    ended = subprocess.run([sys.executable, "-"], input=script, cwd=ROOT, capture_output=True, text=True, check=True)
    family, said = ended.stdout.splitlines()
    assert family == "xgboost"
    assert "tree 0 refers to a node that does not exist" in said
