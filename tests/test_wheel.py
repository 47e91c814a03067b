"""A built wheel in a fresh environment, used from an unrelated folder: the library, its samples, both commands, the app."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

import discover_core as dc
from discover_core.__main__ import main
from tests.browser.conftest import healthy

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120  # a machine may have much else to do
OTHER_SETTINGS = '[server]\nmaxUploadSize = 1\n[theme]\nfont = "serif"\n[theme.light]\nprimaryColor = "#ff0000"\n'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-build-isolation", "--no-deps", "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of commands of an environment with only the wheel in it, which sees this one's packages for the rest."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=os.name != "nt")
    own = {
        name: sysconfig.get_path(name, "venv", {"base": str(folder), "platbase": str(folder)}) for name in ("purelib", "scripts")
    }
    Path(own["purelib"], "dependencies.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}))
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True)
    return Path(own["scripts"])


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "STREAMLIT", "DISCOVER"))}
    return kept | {"DISCOVER_HOME": str(tmp_path / "home")}


def test_the_wheel_has_all_of_the_core_and_the_app_in_two_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        samples = {name: archive.read(name) for name in names if name.startswith("discover_core/sample_data/")}
    assert {name.partition("/")[0] for name in names} == {"discover_core", "discover_dashboard"}
    data = {f"discover_core/{name}": (ROOT / name).read_bytes() for name in files("sample_data")}
    own = {name for folder in ("discover_core", "discover_dashboard") for name in files(folder)}
    app = {"app.py", ".streamlit/config.toml", "static/README.md"} | {
        name for part in ("pages", "ui", "assets") for name in files(part)
    }
    assert samples == data
    assert names - set(samples) == own | {f"discover_dashboard/{name}" for name in app}


def files(folder: str) -> set[str]:
    """The files below a folder of the tree, but for what Python leaves there."""
    paths = (path for path in (ROOT / folder).rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {path.relative_to(ROOT).as_posix() for path in paths}


def test_the_library_and_its_samples_can_be_imported(fresh: Path, environment: dict[str, str], tmp_path: Path) -> None:
    code = """
import json
import discover_core as dc
from discover_core.table.known import FOLDER
print(json.dumps([dc.__file__, str(FOLDER), dc.samples(), len(dc.load_sample("german_credit").table)]))
"""
    done = subprocess.run(
        [fresh / "python", "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    package, folder, names, rows = json.loads(done.stdout)
    assert Path(package).is_relative_to(fresh.parent)
    assert Path(folder).is_relative_to(fresh.parent)
    assert tuple(names) == tuple(dc.samples())
    assert rows == len(dc.load_sample("german_credit").table)


def test_discover_solves_as_the_tree_does(fresh: Path, environment: dict[str, str], tmp_path: Path, german: dc.Scenario) -> None:
    german.write(tmp_path / "scenario.json")
    command = [fresh / "discover", "solve", "scenario.json", "--out", "fresh", "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    code = main(["solve", str(tmp_path / "scenario.json"), "--out", str(tmp_path / "tree"), "--quiet"])
    assert done.returncode == code, done.stderr
    for name in ("after.csv", "result.json", "settings.json"):
        assert (tmp_path / "fresh" / name).read_bytes() == (tmp_path / "tree" / name).read_bytes()


@pytest.fixture
def served(fresh: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[str]:
    """The address, without its scheme, of an app that was started in a folder with settings of its own."""
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text(OTHER_SETTINGS)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    log = tmp_path / "log.txt"
    with log.open("wb") as sink:
        command = [fresh / "discover", "serve", "--port", address.rpartition(":")[2]]
        server = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=sink, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + SECONDS
        while not healthy(f"http://{address}"):
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(SECONDS)
    assert "Traceback" not in log.read_text()


def test_discover_serves_the_app_with_its_own_settings_from_any_folder(served: str) -> None:
    with urllib.request.urlopen(f"http://{served}/", timeout=SECONDS) as answer:
        assert b'<div id="root">' in answer.read()
    messages = first_run(served)
    told = next(message.new_session for message in messages if message.HasField("new_session"))
    assert told.custom_theme.light.primary_color == "#0f6fde"
    drawn = [message.delta.new_element for message in messages if message.HasField("delta")]
    assert [element.exception.message for element in drawn if element.HasField("exception")] == []
    assert "Change the outlook of a whole group" in [element.heading.body for element in drawn if element.HasField("heading")]
    assert {element.file_uploader.max_upload_size_mb for element in drawn if element.HasField("file_uploader")} == {5, 200}
    assert any(message.HasField("logo") for message in messages)


def first_run(address: str) -> list[ForwardMsg]:
    """What the server sends to a browser until the Overview is drawn."""
    messages = []
    hello = BackMsg()
    hello.rerun_script.query_string = ""
    patient = {"open_timeout": SECONDS, "ping_timeout": None, "max_size": None}
    with connect(f"ws://{address}/_stcore/stream", subprotocols=["streamlit"], **patient) as stream:  # type: ignore[list-item]
        stream.send(hello.SerializeToString())
        while not (messages and messages[-1].HasField("script_finished")):
            messages.append(ForwardMsg.FromString(stream.recv(SECONDS)))
    return messages
