"""A process that reads one mutated model after the other and says how each ended; it may die of one.

`python -m tests.models.mutation_child FORMAT FIRST LAST` writes a line before and after each.
"""

from __future__ import annotations

import faulthandler
import signal
import sys
from typing import Any

import pandas as pd

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.questions import ChooseOutput, UnknownTypes
from discover_core.table.schema import Schema

from .mutations import mutated
from .small_models import rows, schema

resource: Any
try:
    import resource
except ImportError:
    resource = None

SECONDS = 30  # of the processor, for one small file
MEMORY = 3 * 2**30


def main(form: str, first: int, last: int) -> None:
    faulthandler.enable()
    if resource:
        _limit(resource.RLIMIT_AS, MEMORY)
    for seed in range(first, last):
        data = mutated(form, seed)
        print("begin", seed, flush=True)
        _allow_time()
        print("end", seed, ending(data, form, schema(), rows()), flush=True)


def _limit(what: int, most: int) -> None:
    resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def _allow_time() -> None:
    """A file that hangs ends this process by the processor's time, however busy the machine is, and says where it was."""
    if resource:
        faulthandler.register(signal.SIGXCPU, chain=True)
        _limit(resource.RLIMIT_CPU, int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2])) + SECONDS)


def ending(data: bytes, form: str, asked: Schema, table: pd.DataFrame) -> str:
    output, approved = None, []
    try:
        for _ in range(3):
            try:
                model = load_model(data, asked, f"m.{form}", output=output, approved=approved, probe=False)
                break
            except ChooseOutput:
                output = 1
            except UnknownTypes as question:
                approved = question.types
        else:
            return "refused: it asks again and again"
    except InputError as error:
        return f"refused {error}"
    except Exception as error:
        return f"traceback {type(error).__name__}: {error}"
    try:
        model(table)
    except InputError as error:
        return f"unusable {error}"
    except Exception as error:
        return f"traceback {type(error).__name__}: {error}"
    return "scored"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
