"""What a server meets on a full disk, as a program of its own: the data folder is on a small disk (`mounted`), or its files may
not grow any more. It prints what it finds, for `test_full_disk`."""

import json
import os
import resource
import sqlite3
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np

from discover_core.scenario.question import Question
from discover_core.store.array_codec import pack
from discover_core.store.engine import NoRoom
from discover_core.store.erase import erase
from discover_core.store.files import data_files
from discover_core.store.store import Store
from discover_core.workers.other_servers import HERE
from discover_core.workers.runner import Runner

from ..workers.scenarios import german, until

NUMBERS = dict.fromkeys(("q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "low", "high"), 0.5)
STEP_BYTES = 20_000
LARGEST = 3_000_000  # the log reaches it before SQLite would empty it, and all that is in it fits into the database


def put_steps(store: Store, run_id: str, token: str, first: int, count: int) -> None:
    for iteration in range(first, first + count):
        arrays = pack(impact=np.random.default_rng(iteration).random(STEP_BYTES // 8))
        more = {"feasible": False, "model_rows": 1, "still": 0, "random": "{}", "arrays": arrays}
        store.write(run_id, token, {"iteration": iteration, **NUMBERS, **more}, 0.1)


def fill(home: Path, mounted: bool) -> None:
    if not mounted:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST, resource.RLIM_INFINITY))
        return
    with (home / "fill").open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 9):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def row_says(home: Path, run_id: str) -> str:
    with closing(sqlite3.connect(home / "runs.sqlite3")) as connection:
        return connection.execute("SELECT state FROM runs WHERE id = ?", [run_id]).fetchone()[0]


def said(act) -> str:
    try:
        act()
    except NoRoom as error:
        return str(error)
    return "done"


def main(home: Path, mounted: bool) -> None:
    store, found = Store(), {}
    store.reserve.keep()
    store.heartbeat("server", "elsewhere", 1)
    HERE.add("server")  # nobody takes it for gone, however long this takes
    found["reserve"] = store.reserve.path.exists()
    runner = Runner(store, ThreadPoolExecutor(1))
    other, run_id = (store.add(Question(name, german(500)), "server") for name in ("other", "a run"))
    tokens = {each: store.claim(each, 1) for each in (other, run_id)}
    put_steps(store, other, tokens[other], 0, 60)
    store.end(other, tokens[other], "finished")
    put_steps(store, run_id, tokens[run_id], 0, 5)
    at_work = runner.start(Question("at work", german(100_000, family="logistic")))
    until(store, at_work, lambda run: run.done >= 3)
    fill(home, mounted)
    found["write"] = said(lambda: put_steps(store, run_id, tokens[run_id], 5, 400))
    died = until(store, at_work, lambda run: run.over)
    found["at work"] = [died.state, row_says(home, at_work), "Everything up to iteration" in died.sentence]
    done = store.state(run_id).done
    found["fail"] = said(lambda: store.fail(run_id, "failed", "Its worker died."))
    found["row"], run = row_says(home, run_id), store.run(run_id)
    found["shown"] = [run.state, run.sentence, store.runs([run_id])[0].state, store.state(run_id).state, len(store.unfinished())]
    if mounted:
        store.engine.dispose()
        another = Runner(Store(), ThreadPoolExecutor(1))
        found["opened"] = len(another.store.steps(run_id)) == done + 1
        another.close()
    erase(store, data_files(), [other])
    found["deleted"] = store.run(other) is None and not store.steps(other)
    found["caught up"] = said(store.catch_up)
    found["row afterwards"] = [row_says(home, each) for each in (run_id, at_work)]
    found["whole"] = len(store.steps(run_id)) == done + 1
    with store.engine.connect() as connection:
        found["check"] = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
    runner.close()
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(os.environ["DISCOVER_HOME"]), sys.argv[1] == "mounted")
