"""A target recipe, and how a run is doing, in plain words."""

from __future__ import annotations

from typing import Any

from .recipe import Beta, Decision, Quantiles, Recipe, ReferenceGroup, Shift, Threshold, Values
from .store import Run

STATES = {
    "queued": "Waiting",
    "running": "Running",
    "paused": "Paused",
    "stopping": "Stopping",
    "finished": "Finished",
    "stopped": "Stopped",
    "failed": "Failed",
}


def target_words(recipe: Recipe) -> str:
    """What is wished for, to follow "so that"."""
    if isinstance(recipe, Threshold):
        clear = f", those who move clearing it by {recipe.margin:.4g}" if recipe.margin else ""
        return f"{100 * recipe.share:.4g}% of the scores are {_side(recipe.side, 'at')} {recipe.tau:.4g}{clear}"
    if isinstance(recipe, Decision):
        return f"everybody's score is {_side(recipe.side, 'on')} {recipe.tau:.4g}"
    if isinstance(recipe, ReferenceGroup):
        return "the scores look like those of the reference group"
    if isinstance(recipe, Shift):
        moved = f"the scores move by {recipe.by:+.4g}" if recipe.by or recipe.scale == 1 else "the scores keep their mean"
        return moved if recipe.scale == 1 else f"{moved} and spread {recipe.scale:.4g} times as far"
    if isinstance(recipe, Beta):
        return f"the scores look like a Beta({recipe.a:.4g}, {recipe.b:.4g}) distribution"
    if isinstance(recipe, Quantiles):
        return "the scores follow the distribution you drew"
    if isinstance(recipe, Values):
        return f"the scores look like the {len(recipe.values):,} values you gave"
    raise TypeError(f"no words for {type(recipe).__name__}")


def _side(side: str, kind: str) -> str:
    if kind == "at":
        return "at least" if side == "above" else "at most"
    return "at or above" if side == "above" else "below"


def outcome(run: Run, people: int, band: str, answer: dict[str, Any] | None, feasible_since: int | None) -> str:
    """What happened, in a sentence or two: how the run ended and what it reached."""
    done = max(run.done, 0)
    ended = {"finished": "finished after", "stopped": "stopped at", "failed": "failed at"}[run.state]
    how = f"The run {ended} iteration {done:,}"
    if feasible_since is None:
        best = "" if answer is None else f" The answer is iteration {answer['iteration']:,}, which came closest."
        return f"Not certified. {how}, and at no iteration were both limits within their bounds.{best}"
    kept = f"both limits were within their bounds first at iteration {feasible_since:,}"
    if answer is not None:
        changed, best = answer["people_changed"], answer["iteration"]
        verb = "changes" if changed == 1 else "change"
        kept = f"{changed:,} of {people:,} people {verb} in the best iteration, {best:,}, and {kept}"
    head = "Within the bounds, by an approximation" if band == "bootstrap" else "Certified"
    return f"{head}. {how}: {kept}."
