"""Mutated model files of every format, read and asked in one child process each: none ends it, and each is answered.

Here the walls inside the process are tried alone; `load_model` has a probe besides (test_probe.py).
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from .mutations import FORMATS

ROOT = Path(__file__).resolve().parents[2]
LONG = 3_600  # seconds without the end of a part: the child itself gives up a file that hangs
COMMAND = (sys.executable, "-W", "ignore", "-m", "tests.models.mutation_child")


def endings(form: str, count: int) -> Counter[str]:
    """How the files ended. A death of the child counts with its file, and the next child goes on behind it."""
    ends: Counter[str] = Counter()
    start, deaths = 0, []
    while start < count:
        child = subprocess.run([*COMMAND, form, str(start), str(count)], cwd=ROOT, capture_output=True, text=True, timeout=LONG)
        ended = re.findall(r"^end (\d+) (\w+)(.*)$", child.stdout, re.M)
        ends.update(word for _, word, _ in ended)
        deaths += [f"{form} {seed}: {word}{said}" for seed, word, said in ended if word == "traceback"]
        begun = re.findall(r"^begin (\d+)", child.stdout, re.M)
        if child.returncode == 0:
            break
        assert begun, child.stderr
        deaths.append(f"{form} {begun[-1]}: exit code {child.returncode}\n{child.stderr[-2_000:]}")
        start = int(begun[-1]) + 1
    assert not deaths, f"{len(deaths)} of {count} files:\n" + "\n".join(deaths)
    return ends


def check(form: str, count: int) -> None:
    ends = endings(form, count)
    print(f"\n{count} mutated files ({form}): " + ", ".join(f"{number} {word}" for word, number in sorted(ends.items())))
    assert ends.total() == count
    assert ends["refused"] >= count / 5, "the mutations hardly hurt"
    assert ends["scored"] >= count / 20, "the mutations leave nothing to ask"


@pytest.mark.parametrize("form", FORMATS)
def test_no_mutated_file_ends_the_process(form: str) -> None:
    check(form, 40)


@pytest.mark.soak
@pytest.mark.parametrize("form", FORMATS)
def test_no_mutated_file_of_many_ends_the_process(form: str) -> None:
    check(form, 400)
