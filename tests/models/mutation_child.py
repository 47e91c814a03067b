"""A process that reads one mutated model after the other and says how each ended; it may die of one.

`python -m tests.models.mutation_child FORMAT FIRST LAST` writes a line before and after each.
"""

from __future__ import annotations

import faulthandler
import sys

import pandas as pd

from discover_core.errors import InputError
from discover_core.models.load import load_model
from discover_core.models.questions import ChooseOutput, UnknownTypes
from discover_core.table.schema import Schema

from .mutations import mutated
from .small_models import rows, schema

HANGS = 60.0  # seconds for one small file
MEMORY = 3 * 2**30


def main(form: str, first: int, last: int) -> None:
    try:
        import resource
    except ImportError:
        pass
    else:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable()
    asked, table = schema(), rows()
    for seed in range(first, last):
        print("begin", seed, flush=True)
        faulthandler.dump_traceback_later(HANGS, exit=True)
        print("end", seed, ending(mutated(form, seed), form, asked, table), flush=True)
        faulthandler.cancel_dump_traceback_later()


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
