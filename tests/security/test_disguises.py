"""Pickles under other names are not opened, and names that are paths lead nowhere: not out of a folder, and not onto the disk."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.linear_model import LogisticRegression

import discover_core as dc
from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.policy.policy_file import policy_archive, read_policy
from discover_core.policy.policy_upload import uploaded_policy
from discover_core.scenario.target_file import target_values
from discover_core.store.files import FolderFiles

from ..fuzz.seeds import policy, scenarios
from ..fuzz.zip_changes import packed, parts
from ..models.nasty import nasty

MARK = "a pickle was opened"
TABLE, SCHEMA = nasty()
NUMBERS = TABLE[["Age in years", "Rate [%]", "Stars"]]
Opened = Callable[[str, bytes], object]


class Bomb:
    """Whoever unpickles it makes a folder."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (MARK,)


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where everything happens, with a secret beside it."""
    monkeypatch.delenv("DISCOVER_ALLOW_PICKLE", raising=False)
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (tmp_path / "inside").mkdir()
    monkeypatch.chdir(tmp_path / "inside")
    return tmp_path / "inside"


def model(name: str, content: bytes) -> object:
    return load_model(content, SCHEMA, name, probe=False)


def scenario(name: str, content: bytes) -> object:
    Path(name).write_bytes(content)
    return dc.Scenario.read(name)


def skops_array(name: str, content: bytes) -> object:
    """A skops file in whose arrays the pickle lies, as NumPy would keep it."""
    good = skops.io.dumps(LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"]))
    array = io.BytesIO()
    np.lib.format.write_array_header_1_0(array, {"descr": "|O", "fortran_order": False, "shape": (1,)})
    evil = array.getvalue() + content
    return model(name, packed([(part, evil if part.endswith(".npy") else data) for part, data in parts(good)]))


def policys_model(name: str, content: bytes) -> object:
    files = [(part, data if part == "policy.json" else content) for part, data in parts(policy_archive(policy()))]
    return uploaded_policy({name: packed(files)})


UPLOADS: list[tuple[str, Opened]] = [
    ("people.csv", lambda name, content: dc.read_table(content, name)),
    ("people.csv.gz", lambda name, content: dc.read_table(gzip.compress(content), name)),
    ("people.xlsx", lambda name, content: dc.read_table(content, name)),
    ("people.parquet", lambda name, content: dc.read_table(content, name)),
    ("target.csv", lambda name, content: target_values(content, name, (0.0, 1.0))),
    ("scenario.json", scenario),
    ("policy.zip", policys_model),
    *((f"model.{ending}", model) for ending in ("json", "ubj", "txt", "onnx", "skops")),
    ("arrays.skops", skops_array),
]
PICKLES = {
    "text": pickle.dumps(Bomb(), protocol=0),
    "bytes": pickle.dumps(Bomb(), protocol=5),
    "packed": gzip.compress(pickle.dumps(Bomb())),
}


@pytest.mark.parametrize("form", PICKLES)
@pytest.mark.parametrize(("name", "opened"), UPLOADS, ids=[name for name, _ in UPLOADS])
def test_a_pickle_by_another_name_is_refused(name: str, opened: Opened, form: str, inside: Path) -> None:
    with pytest.raises(InputError):
        opened(name, PICKLES[form])
    assert not (inside / MARK).exists()


def test_the_pickles_would_do_it(inside: Path) -> None:
    pickle.loads(PICKLES["bytes"])
    assert (inside / MARK).exists()


PATHS = [
    "../secret.csv",
    "../../etc/passwd",
    "a/../../secret.csv",
    "./../secret.csv",
    "/etc/passwd",
    "//host/share/secret.csv",
    "..\\secret.csv",
    "\\\\host\\share\\secret.csv",
    "C:\\secret.csv",
    "C:secret.csv",
    "file:///etc/passwd",
    "~/secret.csv",
    "..",
]


def on_disk(folder: Path) -> set[Path]:
    return set(folder.parent.rglob("*"))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("part", ["data", "model"])
def test_a_scenario_names_no_file_outside_its_folder(part: str, path: str) -> None:
    good = scenarios()[1].to_dict()
    Path("scenario.json").write_text(json.dumps({**good, part: {"file": path}}))
    with pytest.raises(InputError, match=r"is not accepted|is not in the scenario's folder"):
        dc.Scenario.read("scenario.json").problem()


@pytest.mark.parametrize("path", PATHS)
def test_a_policy_names_no_file_outside_its_folder(path: str) -> None:
    files = dict(parts(policy_archive(policy())))
    data = json.loads(files["policy.json"])
    data["model"]["file"] = path
    files["policy.json"] = json.dumps(data).encode()
    for name, content in files.items():
        Path(name).write_bytes(content)
    with pytest.raises(InputError, match=r"is not accepted|is not in the scenario's folder"):
        read_policy("policy.json")
    with pytest.raises(InputError, match="is missing"):
        uploaded_policy(files)


@pytest.mark.parametrize("path", PATHS)
def test_names_in_archives_and_of_uploads_write_nowhere(path: str, inside: Path) -> None:
    files = parts(policy_archive(policy()))
    before = on_disk(inside)
    led = [(f"{path}/{name}", content) for name, content in files]
    assert uploaded_policy({"policy.zip": packed(led)}).kind == policy().kind
    assert uploaded_policy(dict(led)).kind == policy().kind
    assert dc.read_table(b"a,b\n1,2\n3,4\n", f"{path}/people.csv").shape == (2, 2)
    assert on_disk(inside) == before


@pytest.mark.parametrize("path", PATHS)
def test_a_skops_file_reads_nothing_but_its_own_parts(path: str, inside: Path) -> None:
    content = dict(parts(skops.io.dumps(LogisticRegression(max_iter=500).fit(NUMBERS, TABLE["Risk"]))))
    array = next(name for name in content if name.endswith(".npy"))
    (inside.parent / "secret.csv").write_bytes(content[array])  # a good one: it would be taken
    named = json.dumps(array).encode()
    assert named in content["schema.json"]
    content["schema.json"] = content["schema.json"].replace(named, json.dumps(path).encode())
    before = on_disk(inside)
    with pytest.raises(InputError):
        model("model.skops", packed(list(content.items())))
    assert on_disk(inside) == before


@pytest.mark.parametrize("path", PATHS)
def test_a_file_is_kept_in_the_data_folder_whatever_it_is_called(path: str, inside: Path) -> None:
    files = FolderFiles(inside)
    before = on_disk(inside)
    kept = files.put(b"a,b\n1,2\n", path)
    assert on_disk(inside) - before == {inside / kept}
    with pytest.raises(InputError):
        files.get(path)
