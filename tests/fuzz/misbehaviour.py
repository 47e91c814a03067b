"""Everything that no file may make the library do, for the tests of the sandbox."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable

from discover_core.errors import InputError


def misbehave(kind: str, files: dict[str, bytes]) -> None:
    WAYS[kind]()


def read() -> None:
    pass


def refuse() -> None:
    raise InputError("The file is empty: choose another.")


def mumble() -> None:
    raise InputError("The file is empty")


def raise_something() -> None:
    raise KeyError("a")


def crash() -> None:
    ctypes.string_at(0)


def leave() -> None:
    os._exit(1)


def work_on() -> None:
    while True:
        pass


def let_a_child_work() -> None:
    child = os.fork()
    if not child:
        while time.process_time() < 2:
            pass
        os._exit(0)
    os.waitpid(child, 0)


def take_memory() -> None:
    bytearray(120 * 2**20)


def take_all_memory() -> None:
    try:
        bytearray(10 * 2**40)
    except MemoryError as error:
        raise InputError("The file is damaged: save it again.") from error


WAYS: dict[str, Callable[[], None]] = {
    function.__name__: function
    for function in (
        read,
        refuse,
        mumble,
        raise_something,
        crash,
        leave,
        work_on,
        let_a_child_work,
        take_memory,
        take_all_memory,
    )
}
