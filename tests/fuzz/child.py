"""The process behind `sandbox.Sandbox`: it forks workers, which open what they are sent and say what became of it."""

from __future__ import annotations

import importlib
import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from discover_core.errors import InputError, said

from .sandbox import PATIENCE, receive, send

DONE, FRESH = 3, 4  # how a worker ends by itself: nothing is left to do, or it has kept too much memory
KEPT = 500.0  # megabytes after which a worker makes way for a new one
NO_MEMORY = re.compile(r"bad_alloc|Unable to allocate|out of memory|malloc", re.IGNORECASE)
Opener = Callable[[str, dict[str, bytes]], None]


def main() -> None:
    module, name, seconds, room = sys.argv[1:]
    opener: Opener = getattr(importlib.import_module(module), name)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # whatever libraries print is not an answer
    questions = os.fdopen(os.dup(0), "rb", buffering=0)
    while True:
        worker = os.fork()
        if not worker:
            work(opener, float(seconds), float(room), questions, answers)
        status = os.waitpid(worker, 0)[1]
        if os.WIFSIGNALED(status):
            send(answers, {"said": "", "finding": "", "signal": os.WTERMSIG(status), "seconds": 0.0, "megabytes": 0.0})
        elif os.WEXITSTATUS(status) == DONE:
            return
        elif os.WEXITSTATUS(status) != FRESH:
            ended = f"the process ended itself with {os.WEXITSTATUS(status)}"
            send(answers, {"said": "", "finding": ended, "signal": 0, "seconds": 0.0, "megabytes": 0.0})


def work(opener: Opener, most: float, room: float, questions: IO[bytes], answers: IO[bytes]) -> None:
    """Open what is asked for until there is nothing left. It never returns."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    first = megabytes("VmRSS")
    while (question := receive(questions)) is not None:
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak of before
        before, used = megabytes("VmRSS"), processor_time()
        resource.setrlimit(resource.RLIMIT_DATA, (int((megabytes("VmData") + 1.5 * room) * 2**20), resource.RLIM_INFINITY))
        signal.setitimer(signal.ITIMER_PROF, most)
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        sentence, finding = ending(opener, *question)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        spent = processor_time() - used
        if not finding and spent > most:  # its children's, which no timer of ours counts
            finding = f"{spent:.1f} s of processor time, then: {sentence or 'read'}"
        grown = max(0.0, megabytes("VmHWM") - before)
        answer = {"said": sentence, "finding": finding, "signal": 0, "seconds": spent, "megabytes": grown}
        send(answers, answer)
        if megabytes("VmRSS") - first > KEPT:
            os._exit(FRESH)
    os._exit(DONE)


def ending(opener: Opener, kind: str, files: dict[str, bytes]) -> tuple[str, str]:
    """The sentence of a refusal, and what nobody wanted."""
    try:
        opener(kind, files)
    except InputError as error:
        hungry = next((one for one in chain(error) if isinstance(one, MemoryError) or NO_MEMORY.search(str(one))), None)
        return str(error), "" if hungry is None else f"as much memory as there was, then: {error}"
    except BaseException as error:
        return "", f"{type(error).__name__}: {said(error)} in {place(error)}"
    return "", ""


def chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def place(error: BaseException) -> str:
    """The innermost line of ours that it came through."""
    lines, trace = ["nowhere"], error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "discover_core" in file.parts:
            lines.append(f"{file.parent.name}/{file.name}:{trace.tb_lineno}")
        trace = trace.tb_next
    return lines[-1]


def processor_time() -> float:
    """Seconds of this process and of its children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime for used in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def megabytes(what: str) -> float:
    """A line of the process's status, which counts in kilobytes."""
    line = re.search(rf"{what}:\s+(\d+)", Path("/proc/self/status").read_text())
    return int(line.group(1)) / 1024 if line else 0.0


if __name__ == "__main__":
    main()
