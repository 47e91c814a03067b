"""The film of a run: few frames, each the curve of the scores at its iteration."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from discover_core.figures import replay
from discover_core.solver.place import Edit


def edits_of(changed: list[bool], n: int, seed: int) -> list[Edit | None]:
    """Iterations that change some scores, and others that change nothing."""
    rng = np.random.default_rng(seed)
    made: list[Edit | None] = []
    for change in changed:
        rows = rng.permutation(n)[: rng.integers(1, n + 1)]
        made.append(Edit(rows, np.empty(0), np.empty((0, 0)), rng.normal(0, 1000, len(rows)).round(1)) if change else None)
    return made


@settings(max_examples=60, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=130), st.integers(1, 300), st.integers(0, 9), st.integers(3, 45))
def test_each_frame_is_the_curve_at_its_iteration(changed: list[bool], n: int, seed: int, most: int) -> None:
    changed[0] = False  # the first is the group as it is
    before, edits = np.random.default_rng(seed).random(n), edits_of(changed, n, seed)
    film = replay.frames(before, edits, most)
    if not any(changed):
        assert film == []
        return
    shown = [int(frame["label"].removeprefix("iteration ")) for frame in film]
    assert shown == sorted(set(shown))
    assert (shown[0], shown[-1]) == (0, len(changed) - 1)
    telling = [t for t in range(1, len(changed) - 1) if changed[t]]
    assert set(shown[1:-1]) <= set(telling)
    assert len(shown) == min(most, len(telling) + 2)
    scores = before.copy()
    for t, edit in enumerate(edits):
        if edit is not None:
            scores[edit.rows] = edit.scores
        if t in shown:
            frame = film[shown.index(t)]
            x, y = np.array(frame["x"]), np.array(frame["y"])
            assert len(x) == len(y) <= 120
            share = np.mean(scores[:, None] <= x + 1e-5 * np.abs(x), axis=0)
            assert (y <= share + 1e-5).all()
            assert y[-1] == 1
            assert x[-1] == pytest.approx(scores.max(), rel=1e-5)
            levels = np.linspace(0.01, 0.99, 50)  # no curve is off by more than what one of its points stands for
            drawn = x[np.searchsorted(y, levels)]
            at_most = np.mean(scores[:, None] <= drawn + 1e-5 * np.abs(drawn), axis=0)
            below = np.mean(scores[:, None] < drawn - 1e-5 * np.abs(drawn), axis=0)
            assert (at_most >= levels - 1e-5).all()
            assert (below <= levels + 1 / (replay.POINTS - 1) + 1e-5).all()


def test_the_film_of_a_large_run_is_small() -> None:
    n = 5_000
    film = replay.frames(np.random.default_rng(0).random(n), edits_of([False] + [True] * 400, n, 1))
    assert len(film) == replay.FRAMES
    assert len(json.dumps(film)) < 100_000
