"""Deleting for good: rows, the steps behind them, the files that nobody else needs, and what a database keeps of all these."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import Any

from sqlalchemy import Table, delete, func, select, update

from ..errors import InputError
from .engine import NoRoom, erase_log, translated
from .files import CONTENT_NAME, Files
from .run import DELETED
from .store import THERE, Store
from .tables import RUNS, SCENARIOS, STEPS

BATCH = 2**20  # bytes of steps that go at once: what is deleted is overwritten, which takes as much room for a moment


def needed_files(store: Store) -> set[str]:
    """The files that some run or scenario names, also those of a question that cannot be read any more."""
    return _named(store, RUNS, THERE) | _named(store, SCENARIOS)


def erase(
    store: Store,
    files: Files,
    runs: Collection[str] = (),
    scenarios: Collection[str] = (),
    names: Iterable[str] = (),
    kept: Collection[str] = (),
) -> None:
    """Delete runs, saved scenarios and, beside their files, those of these names. A file stays that something else needs, or
    that is among the `kept`. It also works on a full disk."""
    which = ((RUNS, RUNS.c.id.in_(list(runs))), (SCENARIOS, SCENARIOS.c.id.in_(list(scenarios))))
    found = set(names).union(*(_named(store, *each) for each in which))
    hide(store, runs, scenarios)
    for name in found - needed_files(store) - set(kept):
        files.delete(name)
    finish(store)


def hide(store: Store, runs: Collection[str], scenarios: Collection[str] = ()) -> None:
    """From now on nobody finds them; a worker that is on such a run finds that it has lost it."""

    def act() -> None:
        with store.writing() as connection:
            gone = {"state": DELETED} | dict.fromkeys(("worker_token", "pid", "request"))
            connection.execute(update(RUNS).where(RUNS.c.id.in_(list(runs))).values(**gone))
            connection.execute(delete(SCENARIOS).where(SCENARIOS.c.id.in_(list(scenarios))))

    if runs or scenarios:
        _with_room(store, act)


def finish(store: Store) -> None:
    """Erase what was deleted and is still there: just now, or by a server that was cut off."""
    with store.reading() as connection:
        gone = connection.execute(select(RUNS.c.id).where(RUNS.c.state == DELETED)).scalars().all()
    for run_id in gone:
        while _with_room(store, partial(_erase_steps, store, run_id)):
            pass
        _with_room(store, partial(_erase_run, store, run_id))
    clear_log(store)


def clear_log(store: Store) -> bool:
    """False while others read it: then the server tries again (`workers.housekeeping`)."""
    with translated():
        store.log_is_clear = erase_log(store.engine)
    return store.log_is_clear


def _erase_run(store: Store, run_id: str) -> None:
    with store.writing() as connection:
        connection.execute(delete(RUNS).where(RUNS.c.id == run_id))


def _erase_steps(store: Store, run_id: str) -> bool:
    """Some of the steps of a run; whether there were any."""
    sizes = select(STEPS.c.iteration, func.length(STEPS.c.arrays)).where(STEPS.c.run == run_id).order_by(STEPS.c.iteration)
    with store.writing() as connection:
        last, size = None, 0
        for iteration, length in connection.execute(sizes):
            if last is not None and size + (length or 0) > BATCH:
                break
            last, size = iteration, size + (length or 0)
        if last is None:
            return False
        connection.execute(delete(STEPS).where(STEPS.c.run == run_id, STEPS.c.iteration <= last))
    return True


def _with_room(store: Store, act: Callable[[], Any]) -> Any:
    """Do it; on a full disk once more with what the log took, and once more with the room that was set aside for this."""
    try:
        return act()
    except NoRoom:
        try:
            clear_log(store)
            return act()
        except InputError:
            if store.reserve is None or not store.reserve.give_back():
                raise
    return act()


def _named(store: Store, table: Table, *which: Any) -> set[str]:
    """The files named by these rows, whatever state they are in."""
    with store.reading() as connection:
        rows = connection.execute(select(table.c.scenario, table.c.model_copy).where(*which)).all()
    texts = (text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text) for row in rows for text in row)
    return {found.group() for text in texts for found in CONTENT_NAME.finditer(text)}
