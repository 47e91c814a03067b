"""The disk of a server's data folder is full while a run is at work: nothing false is said, and with room again it goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from discover_core.store.store import Store
from tests.workers.scenarios import german

from .asked import BEGIN, ask, begun, check_beginning, end_run
from .bad_disk import fill, mounted
from .conftest import Serve
from .process_tree import alive
from .visitor import WAIT, Visitor

SCENARIO = german(20_000)  # longer than anybody waits
DISK = "size=96m"  # what a store sets aside for deleting needs 64 MB


@pytest.mark.slow
def test_a_run_on_a_full_disk_stops_and_goes_on_when_there_is_room(serve: Serve, tmp_path: Path) -> None:
    with mounted(tmp_path / "home", DISK):
        server = serve(home=tmp_path / "home")
        store = Store(server.store)
        run_id = ask(store, SCENARIO)
        with Visitor(server.url) as visitor:
            visitor.open("solve", f"run={run_id}")
            visitor.press(BEGIN)
            visitor.until(lambda: store.state(run_id).done >= 3)
            pid = store.state(run_id).pid
            filler = fill(server.home)
            visitor.until(lambda: not alive(pid))
            visitor.until(lambda: "disk of the data folder is full" in visitor.text)
            stopped = store.state(run_id).done
            assert visitor.troubles == []
        with Visitor(server.url) as visitor:
            visitor.open("solve", f"run={run_id}")
            assert visitor.troubles == []
            filler.unlink()
            end = time.monotonic() + WAIT
            while store.state(run_id).working:
                assert time.monotonic() < end, "the store never learnt that the run has stopped"
                time.sleep(0.1)
            visitor.press_until(BEGIN, lambda: begun(store, run_id))
            end_run(store, run_id, visitor)
            assert visitor.troubles == []
        check_beginning(store, run_id, SCENARIO)
        store.engine.dispose()
        server.stop()
    print(f"\nA full disk stopped a run after step {stopped}, with one sentence; with room again it went on to the same bits.")
