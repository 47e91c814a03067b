"""Uploads are not left behind: not by a server that ends, nor for ever by one that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from discover_core.errors import InputError
from discover_core.store import uploads

HOLD = "import sys; from discover_core.store import uploads; print(uploads.put(b'people'), flush=True); sys.stdin.readline()"


def server(home: Path) -> tuple[subprocess.Popen[str], Path]:
    """Another process with an upload of its own; it ends when a line comes."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD],
        env={**os.environ, "DISCOVER_HOME": str(home)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    return process, Path(process.stdout.readline().strip())


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    return tmp_path


def test_an_upload_lies_in_the_data_folder_for_the_owner_alone(home: Path):
    path = uploads.put(b"people")
    assert path.is_relative_to(home)
    assert path.read_bytes() == b"people"
    assert uploads.put(b"people") != path
    if os.name == "posix":
        assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_a_server_that_ends_takes_its_uploads_along_and_one_that_is_killed_leaves_them_to_the_next(home: Path):
    mine = uploads.put(b"mine")
    ends, gone = server(home)
    killed, left = server(home)
    lives, kept = server(home)
    ends.communicate("now\n", timeout=300)
    assert not gone.parent.exists()
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate(timeout=300)
    assert left.exists()
    uploads.sweep()
    assert not left.parent.exists()
    assert kept.read_bytes() == b"people"  # its server is alive
    assert mine.exists()
    lives.communicate("now\n", timeout=300)


def test_what_no_job_came_for_goes_after_a_day():
    old, new = uploads.put(b"old"), uploads.put(b"new")
    os.utime(old, (time.time() - 2 * uploads.DAY,) * 2)
    uploads.put(b"newer")
    assert not old.exists()
    assert new.exists()


def test_a_data_folder_that_cannot_be_written_to_gets_a_sentence(home: Path):
    (home / uploads.FOLDER).write_bytes(b"a file in its place")
    with pytest.raises(InputError, match="cannot be kept"):
        uploads.put(b"people")
    uploads.sweep()
