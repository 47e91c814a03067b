"""The computer's clock jumps, back and ahead, while runs are at work: nobody is taken for dead, and nothing is lost."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from discover_core.store.store import Store
from discover_core.workers.runner import Runner
from tests.workers.scenarios import german

from .asked import BEGIN, ask, check_beginning, end_run
from .conftest import Serve
from .visitor import Visitor

SCENARIO = german(20_000)  # longer than anybody waits
JUMPS = (-3600.0, 86_400.0)
BEATS = 6.0  # seconds: longer than from one heartbeat to the next


@pytest.mark.slow
def test_a_clock_that_jumps_disturbs_no_run(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is at work at each jump; a second server, which has the right time, looks on."""
    clock = tmp_path / "clock"
    server = serve(("-m", "tests.faults.moved_clock", str(clock)))
    store = Store(server.store)
    monkeypatch.setenv("DISCOVER_HOME", str(server.home))
    other = Runner(store, ThreadPoolExecutor(1))
    for seconds in JUMPS:
        run_id = ask(store, SCENARIO)
        with Visitor(server.url) as visitor:
            visitor.open("solve", f"run={run_id}")
            visitor.press(BEGIN)
            visitor.until(lambda run_id=run_id: store.state(run_id).done >= 3)
            clock.write_text(str(seconds))
            end = time.monotonic() + BEATS
            visitor.until(lambda end=end: time.monotonic() > end)
            assert store.state(run_id).state == "running", store.state(run_id).sentence
            end_run(store, run_id, visitor)
            assert visitor.troubles == []
        check_beginning(store, run_id, SCENARIO)
    other.close()
    store.engine.dispose()
    print(f"\n{len(JUMPS)} jumps of the server's clock, by {', '.join(f'{s / 3600:+.0f} h' for s in JUMPS)}: no run noticed.")
