"""What other views need is worked out ahead for large answers, once, and only for them."""

from types import SimpleNamespace

import numpy as np

from ui.results import ahead


class Found:
    """Counts what is asked of it."""

    iteration = 3

    def __init__(self, people: int) -> None:
        self.movers, self.asked = np.arange(people), []
        self.progress = SimpleNamespace(run=SimpleNamespace(id=f"run-{people}"), done=5)

    def __getattr__(self, name: str) -> None:
        self.asked.append(name)


def test_a_large_answer_is_worked_out_once_and_a_small_one_when_it_is_looked_at(monkeypatch):
    large, small = Found(50), Found(5)
    monkeypatch.setattr(ahead, "MANY", 10)
    for found in (large, large, small):
        ahead.work_ahead(found)
    ahead._begin("run-50-Found-3-5", large).join(300)
    assert large.asked == ["usual_movers", "distances", "after", "tradeoff", "changes"]
    assert small.asked == []
