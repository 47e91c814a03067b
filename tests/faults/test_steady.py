"""Run after run on one server: neither its memory nor what it has open grows."""

from __future__ import annotations

import pytest

from discover_core.store.store import Store
from tests.browser.conftest import Server
from tests.workers.scenarios import german

from .asked import BEGIN, ask
from .process_tree import children, fork_server, handles, megabytes
from .visitor import Visitor

WARM = 10  # runs until every cache is full: eight results are kept, for everybody
GROWTH = 40.0  # megabytes: what one result takes, and some fragments
MORE = 6  # handles


@pytest.mark.parametrize("runs", [pytest.param(10, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.soak)])
def test_runs_one_after_the_other_take_no_more_than_the_first(runs: int, server: Server, store: Store) -> None:
    measured = []
    with Visitor(server.url) as visitor:
        visitor.open("solve", f"run={ask(store, german(5))}")
        visitor.press(BEGIN)
        for _ in range(WARM + runs):
            visitor.until(lambda: visitor.has("to-results"))
            at_rest(server, visitor)
            measured.append((megabytes(server.process.pid), len(handles(server.process.pid))))
            before = visitor.run
            visitor.press("again-0")  # the same with another seed
            visitor.until(lambda known=before: visitor.run != known)
        visitor.until(lambda: visitor.has("to-results"))
        at_rest(server, visitor)
        assert visitor.troubles == []
    (first, opened), (last, still) = measured[WARM], measured[-1]
    print(
        f"\n{runs} runs after {WARM}: {first:.0f} MB became {last:.0f}, {opened} handles became {still}; the process that "
        f"workers are forked from takes {megabytes(fork_server(server.process.pid)):.0f} MB."
    )
    assert last < first + GROWTH
    assert still <= opened + MORE


def at_rest(server: Server, visitor: Visitor) -> None:
    """Until no worker is left over."""
    visitor.until(lambda: children(fork_server(server.process.pid)) == [])
