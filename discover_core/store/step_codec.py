"""A run's steps as rows of the store, and the way back: the place to go on from, the iterate at any iteration."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem
from ..problem.target import Past, Target
from ..solver.cells import Cells, Layout
from ..solver.place import Edit, Place, Round
from ..solver.plan import reference_cells
from ..solver.step import Step
from ..table.people import people_names, row_names
from .array_codec import Arrays, pack, unpack

SCALARS = ("iteration", "q", "q_x", "q_y", "q_before", "ucl_x", "ucl_y", "eta", "feasible", "model_rows", "still")
LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2)  # values of alpha at which every iterate's limits are kept
LARGEST = 2_000  # impacts of a step that are kept each, those of a larger group as a sum: what is stored does not grow with it
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Head:
    """What a run starts from: the rows' places in the table, their cells, their outputs, and the target.

    `centre` and `scale` are those of the encoding, feature by feature: with them distances need no table. `named` are the
    people's names from a column of the table; none if they go by their rows. `reference` are the people of the table with whom
    these are compared; runs of before kept none. `places` are everybody's turns if some come first.
    """

    rows: NDArray[np.int64]
    cells: Cells
    outputs: Floats
    target: Target
    centre: Floats
    scale: Floats
    interval: tuple[float, float] | None
    named: tuple[str, ...] = ()
    reference: Cells | None = None
    places: NDArray[np.int64] | None = None

    @cached_property
    def names(self) -> list[str]:
        """What everybody is called."""
        return list(self.named) or row_names(self.rows)


def pack_head(problem: Problem, layout: Layout, people: str | None = None) -> bytes:
    """`people` is the column whose values are their names."""
    target = problem.target
    named = "" if people is None else "\n".join(people_names(problem.rows, people))
    return pack(
        rows=np.asarray(problem.rows.index, dtype=np.int64),
        cells=layout.cells(problem.factual),
        outputs=problem.outputs,
        centre=np.array([block.centre for block in layout.encoding.blocks]),
        scale=np.array([block.scale for block in layout.encoding.blocks]),
        knots=target.knots,
        left=target.left,
        right=target.right,
        interval=np.array([] if problem.interval is None else problem.interval, dtype=np.float64),
        kind=np.array(target.kind),
        size=np.array(-1 if target.size is None else target.size),
        sampled=np.array(target.sampled),
        **({} if target.past is None else {"past": np.array(json.dumps(asdict(target.past)))}),
        **({} if problem.budget.first is None else {"places": problem.places}),
        named=np.frombuffer(named.encode(), dtype=np.uint8),
        reference=reference_cells(problem, layout).T,  # a feature's values side by side compress best
    )


def unpack_head(data: bytes) -> Head:
    parts = unpack(data)
    size = int(parts["size"])
    past = Past(**json.loads(str(parts["past"]))) if "past" in parts else None
    sampled = bool(parts["sampled"]) if "sampled" in parts else size >= 0  # before, every list of values counted as a sample
    pieces = (parts["knots"], parts["left"], parts["right"], None if size < 0 else size)
    target = Target(str(parts["kind"]), *pieces, past, sampled)
    interval = (float(parts["interval"][0]), float(parts["interval"][1])) if len(parts["interval"]) else None
    named = parts["named"].tobytes().decode() if "named" in parts else ""  # runs of before have none
    start = (parts["rows"], parts["cells"], parts["outputs"], target, parts["centre"], parts["scale"])
    reference = parts["reference"].T if "reference" in parts else None
    return Head(*start, interval, tuple(named.split("\n")) if named else (), reference, parts.get("places"))


def step_row(step: Step) -> dict[str, Any]:
    """A step as the store keeps it: of the iterate only what has changed, of the impacts seven digits."""
    arrays: Arrays = {**_impact(step.impact), "selected": step.selected, "levels": step.levels}
    if len(step.unhelped):
        arrays["unhelped"] = step.unhelped
    if step.edit is not None:
        edit = step.edit
        arrays |= {"rows": edit.rows, "cells": edit.cells, "projections": edit.projections, "scores": edit.scores}
    row = {name: _plain(getattr(step, name)) for name in SCALARS}
    row |= {"low": step.interval[0], "high": step.interval[1]}
    return {**row, "random": json.dumps(step.random), "arrays": pack(**arrays)}


def _impact(impact: Floats) -> Arrays:
    """Everybody's impact in a small group; in a large one the largest, whose they are, and the sum of the others."""
    if len(impact) <= LARGEST:
        return {"impact": impact.astype(np.float32)}
    largest = np.sort(np.argpartition(-impact, LARGEST)[:LARGEST])
    others = np.array(impact.sum() - impact[largest].sum())
    return {"impact": impact[largest].astype(np.float32), "largest": largest.astype(np.int32), "others": others}


def impact_of(arrays: Arrays, people: int) -> NDArray[np.float32]:
    """The impact of each of so many people; those that were kept as a sum have the same share of it."""
    if "largest" not in arrays:
        return np.asarray(arrays["impact"])
    rest = max(0.0, float(arrays["others"])) / max(1, people - len(arrays["largest"]))
    impact = np.full(people, rest, dtype=np.float32)
    impact[arrays["largest"]] = arrays["impact"]
    return impact


def edit_of(arrays: Arrays) -> Edit | None:
    if "rows" not in arrays:
        return None
    return Edit(arrays["rows"], arrays["cells"], arrays["projections"], arrays["scores"])


def place_of(rows: Sequence[Any]) -> Place | None:
    """Where a run stands whose steps are these; None before the first."""
    if not rows:
        return None
    last = rows[-1]
    return Place(
        last.iteration,
        (last.low, last.high),
        (last.ucl_x, last.ucl_y),
        last.model_rows,
        last.still,
        json.loads(last.random),
        tuple(_round(unpack(row.arrays)) for row in rows),
    )


def _round(arrays: Arrays) -> Round:
    return Round(arrays["selected"], arrays.get("unhelped", np.empty(0, dtype=np.int64)), edit_of(arrays))


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
