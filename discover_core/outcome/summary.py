"""What the best iterate of a run amounts to: its certificate and its measures, computed from what is stored."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..problem.problem import whole_ranges
from ..solver.result import certificate_of
from ..solver.verdict import Course, judge
from ..table.encoding import Encoding
from ..transport.metrics import Start, metrics_of
from .outcome import Outcome


def answer_of(found: Outcome) -> dict[str, Any]:
    """A worker keeps this with its run when it ends. Of a run that was cut off it is worked out by whoever opens it."""
    head, scenario = found.head, found.scenario
    asked = (head.target, scenario.bounds, head.interval, scenario.settings.seed)
    certificate = certificate_of(found.layout, head.cells, *asked, found.cells, found.outputs)
    weights = {rule.name: rule.weight for rule in scenario.actions}
    encoding = Encoding.stored(found.schema, head.centre, head.scale, weights, "onehot")  # reports never use another
    start = Start(found.before, head.outputs, head.target, encoding, whole_ranges(found.schema, scenario.actions))
    progress = found.progress
    last = (progress.done, int(progress.numbers("still")[-1]), int(progress.numbers("model_rows")[-1]))
    course = Course.of(progress.wish, head.outputs, scenario.actions, scenario.settings, last)
    verdict = judge(progress.wish, found.outputs, len(found.movers), certificate, course)
    measured = metrics_of(start, found.after, found.outputs, getattr(scenario.target, "tau", 0.5))
    return {
        "iteration": found.best,
        "verdict": asdict(verdict),
        "certified": certificate.certified,
        "sentence": certificate.sentence,
        "achieved": certificate.achieved,
        "ucl_x": certificate.ucl_x,
        "ucl_y": certificate.ucl_y,
        "people_changed": len(found.movers),
        "cells_changed": int(found.changed.sum()),
        "metrics": asdict(measured),
    }
