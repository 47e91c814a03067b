"""A disk that is full: runs whose workers died say so, and something can be deleted to make room. With files that may not grow,
and on a small disk of its own where the system lets a test have one."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SIZE = "80m"  # what is set aside for deleting needs eight times as much
SMALL_DISK = f'mount -t tmpfs -o size={SIZE} tmpfs "$0" && exec "$@"'
ROOT = Path(__file__).resolve().parents[2]


def small_disks() -> bool:
    """Whether a process may have a disk of its own, which nobody else sees and which goes with it."""
    tried = ["unshare", "-rm", "sh", "-c", SMALL_DISK, "/mnt", "true"]
    return shutil.which("unshare") is not None and subprocess.run(tried, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("mounted", [False, True])
def test_a_full_disk_is_told_and_can_be_helped(tmp_path, mounted):
    if mounted and not small_disks():
        pytest.skip("the system lets nobody have a small disk")
    script = [sys.executable, "-m", "tests.store.on_full_disk", "mounted" if mounted else "limited"]
    if mounted:
        script = ["unshare", "-rm", "sh", "-c", SMALL_DISK, str(tmp_path), *script]
    home = os.environ | {"DISCOVER_HOME": str(tmp_path)}
    done = subprocess.run(script, cwd=ROOT, env=home, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    sentence = found.pop("write")
    assert "folder is full" in sentence if mounted else "disk I/O error" in sentence
    assert found.pop("fail") == sentence
    assert found.pop("shown") == ["failed", "Its worker died.", "failed", "failed", 0]
    assert (found.pop("row"), found.pop("row afterwards")) == ("running", ["failed", "failed"])
    assert found.pop("at work") == ["failed", "running", True]
    assert found.pop("caught up") == "done"
    assert found.pop("check") == "ok"
    assert set(found.values()) == {True}, found
