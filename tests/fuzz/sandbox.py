"""Hostile files are opened in a process of their own, which may crash, hang and grow without harm to whoever asks.

The process imports the library once. It forks a worker, which opens file after file; when one of them ends the worker, the
next is opened in a new fork. A worker has so much processor time and memory for each file, both kept by the operating system.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from .case import Case, Verdict, wrong_with

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 10.0  # of processor time for a file
PATIENCE = 300.0  # seconds that a file may take on the clock, on a machine that has much else to do
MEGABYTES = 2_000  # that a file may take beyond what there was before; the operating system gives no more than half as much again


class Sandbox:
    """Opens cases one after the other; none may take more seconds of processor time and more megabytes than these."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, megabytes: float) -> None:
        self._process, self._megabytes = process, megabytes
        self._ends = {
            signal.SIGPROF: f"more than {seconds:g} s of processor time",
            signal.SIGALRM: f"no answer after {PATIENCE:g} s",
        }

    def judge(self, case: Case) -> Verdict:
        send(self._process.stdin, (case.kind, dict(case.files)))
        answer = receive(self._process.stdout)
        assert answer is not None, "the sandbox has ended"
        said, finding = answer["said"], answer["finding"]
        if answer["signal"]:
            number = signal.Signals(answer["signal"])
            finding = self._ends.get(number, f"the process was ended by {number.name}")
        elif not finding and answer["megabytes"] > self._megabytes:
            finding = f"{answer['megabytes']:,.0f} MB of memory, then: {said or 'read'}"
        elif not finding and said:
            finding = wrong_with(said)
        return Verdict(case.kind, case.label, said, finding, answer["seconds"], answer["megabytes"])


@contextmanager
def sandbox(
    module: str = "tests.fuzz.opening", opener: str = "opened", seconds: float = SECONDS, megabytes: float = MEGABYTES
) -> Iterator[Sandbox]:
    """A sandbox, ended with all its forks when it is not needed any more. The module's function `opener` is called with the
    kind and the files of each case."""
    settings = {"OMP_NUM_THREADS": "1", "PYTHONFAULTHANDLER": "", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.fuzz.child", module, opener, str(seconds), str(megabytes)],
        cwd=ROOT,
        env=os.environ | settings,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Sandbox(process, seconds, megabytes)
    finally:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        process.stdout.close()
        process.wait(timeout=PATIENCE)


def judged(cases: Iterable[Case]) -> list[Verdict]:
    with sandbox() as box:
        return [box.judge(case) for case in cases]


def send(stream: IO[bytes] | None, message: Any) -> None:
    assert stream is not None
    content = pickle.dumps(message)
    stream.write(len(content).to_bytes(8, "big") + content)
    stream.flush()


def receive(stream: IO[bytes] | None) -> Any:
    """The next message; None when there is no more. Nothing beyond it is read."""
    assert stream is not None
    size = _exactly(stream, 8)
    return None if size is None else pickle.loads(_exactly(stream, int.from_bytes(size, "big")) or b"")


def _exactly(stream: IO[bytes], size: int) -> bytes | None:
    content = bytearray()
    while len(content) < size:
        more = stream.read(size - len(content))
        if not more:
            return None
        content += more
    return bytes(content)
