"""How a run is doing, and how it ended, in plain words."""

from __future__ import annotations

from ..problem.settings import Settings
from ..store.run import RunState
from .summary import Summary

STATES = {
    "queued": "Waiting",
    "running": "Running",
    "paused": "Paused",
    "stopping": "Stopping",
    "finished": "Finished",
    "stopped": "Stopped",
    "failed": "Failed",
    "refused": "Cannot be solved",
    "damaged": "Damaged",
}


def run_end_words(run: RunState, settings: Settings, summary: Summary | None, people: int, feasible_since: int | None) -> str:
    """How a run ended and where its answer comes from, for those who want to know."""
    done = max(run.done, 0)
    how = {"finished": "finished after", "stopped": "stopped at", "failed": "failed at"}.get(run.state, "stands at")
    why = ", as soon as both bounds held" if settings.stop_when_certified else ", when nothing moved any more"
    said = f"The run {how} iteration {done:,}{why if run.state == 'finished' and done < run.iterations else ''}."
    if summary is not None:
        changed = summary.people_changed
        verb = "changes" if changed == 1 else "change"
        said += f" Its answer is iteration {summary.iteration:,}, in which {changed:,} of {people:,} people {verb}."
    if feasible_since is None:
        return f"{said} At no iteration were both limits within their bounds."
    return f"{said} Both limits were within their bounds first at iteration {feasible_since:,}."
