"""How far from before, person by person: the run, and beside it other runs and the rows of other methods."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from discover_core.errors import InputError
from discover_core.figures import bars
from discover_core.figures.text import amount, percent
from discover_core.outcome.other_method import OtherMethod, group_rows, row_column
from discover_core.outcome.outcome import Outcome
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.table.write import to_csv

from ..app import page_jobs, session, tab_runs
from ..app.choice import choose_one
from ..app.text import count, plain
from .marked_people import chart, marked

MEGABYTES = 100
AT_HAND = 8  # tables that stay at hand beside one run
NAMED = 4  # columns that a caption names
KINDS: dict[bars.Kind, str] = {"part": "Part of the group's distance", "own": "Own change"}


@dataclass
class OtherMethods:
    """The tables added to one run in this tab, the newest last; `problem` is why the last file could not be.

    `turn` counts the files, so that the uploader is empty for the next one.
    """

    tables: dict[str, OtherMethod] = field(default_factory=dict)
    problem: str | None = None
    turn: int = 0


def distances(found: RunOutcome) -> None:
    st.subheader("How far from before", help="A bar for everybody, the largest first. A click or a box marks people.")
    run, tables = found.progress.run, _other_methods(found.progress.run.id).tables
    runs = {f"{other.name} ({other.id[:4]})": other for other in tab_runs.mine() if other.id != run.id and other.done >= 0}
    left, right = st.columns([2, 3], vertical_alignment="bottom")
    with left:
        kind = _kind(run.id)
    chosen = right.multiselect(
        "Beside it",
        [*runs, *tables],
        key=_choice(run.id),
        help="Other runs of this tab, and tables you added. Each is sorted on its own.",
        placeholder="Another run, or a table of another method",
        persist_state="session",
    )
    _another_method(found)
    others = {name: tables[name].outcome if name in tables else tab_runs.outcome(runs[name]) for name in chosen}
    values, drawn = _bars(found, kind), {name: _bars(other, kind) for name, other in others.items()}
    figure = bars.bars_figure(values, drawn, kind=kind, labels=found.names, marked=marked())
    called = {name: other.names for name, other in others.items()}
    data = partial(bars.table, values, drawn, kind=kind, labels=found.names, others_labels=called)
    words = bars.caption(values, drawn, kind=kind, changed=found.changed.any(axis=1))
    name = "distances" if kind == "part" else "own-changes"  # a selection belongs to one of the two
    chart(figure, name, words, data, partial(bars.people_in, values=values))
    if others:
        _numbers({"This run": found, **others}, kind)


def _kind(run_id: str) -> bars.Kind:
    return choose_one(
        "Bars show",
        KINDS,
        "part",
        f"bars-kind-{run_id}",
        "Part of the group's distance: what each person adds to OT(x), which compares the group with itself before, on the "
        "run's slices. Own change: how much the person's own values change, the effort of the plan.",
        persist_state="session",
    )


def _bars(found: Outcome, kind: bars.Kind) -> NDArray[np.float64]:
    return found.distances if kind == "part" else found.effort


def _numbers(lines: dict[str, Outcome], kind: bars.Kind) -> None:
    heading = {"part": "Group's distance, OT(x), on the run's slices", "own": "Own change (effort), mean"}[kind]
    headings = ["", heading, "Scores' distance from the target, OT(y)", "People changed", "Values per person changed"]
    headings += ["Effort in all", "Unusual after, median", "Not allowed"]
    rows = []
    for name, line in lines.items():
        measured = _bars(line, kind)
        number = measured.sum() if kind == "part" else measured.mean()
        distances = (amount(float(number)), amount(line.output_distance))
        movers = line.movers
        counts = (f"{len(movers):,} of {len(measured):,}", amount(int(line.changed.sum()) / max(len(movers), 1)))
        usual = float(np.median(line.usual_movers.after[movers])) if len(movers) else np.nan
        people = (amount(float(line.effort.sum())), "unknown" if np.isnan(usual) else percent(usual))
        rows.append((plain(name), *distances, *counts, *people, f"{len(line.violations):,}"))
    st.table(
        pd.DataFrame(rows, columns=headings),
        border="horizontal",
        hide_index=True,
        alt=f"{', '.join(headings[1:])}: of this run and of everything it is compared with.",
    )
    st.caption(
        "“Unusual after” is the share of all people of the table who are less unusual than the middle one of those who change. "
        "“Not allowed” counts the changed values that the rules of this question forbid."
    )


def _another_method(found: RunOutcome) -> None:
    """The group's rows to take away, and the way back for what another method made of them."""
    run_id, other_methods = found.progress.run.id, _other_methods(found.progress.run.id)
    with st.expander("Compare with another method", icon=":material/compare_arrows:", key=f"another-{run_id}"):
        who = plain(row_column(found.schema))
        st.markdown("Let another method change the same people. Bring its rows back, and they are drawn beside this run.")
        left, right = st.columns([1, 3], vertical_alignment="center")
        left.download_button(
            f"The group's {count(len(found.outputs), 'row')}",
            lambda: to_csv(group_rows(found.group)),
            "discover-group.csv",
            "text/csv",
            key=f"group-{run_id}",
            on_click="ignore",
            icon=":material/download:",
            help=f"CSV: the features before the run, gaps filled, and “{who}”, the row of your table counted from 1.",
        )
        key = f"method-{run_id}-{other_methods.turn}"
        right.file_uploader(
            "The rows after the other method",
            type=["csv", "tsv", "txt", "gz", "xlsx", "parquet"],
            key=key,
            on_change=_uploaded,
            args=(key, run_id),
            max_upload_size=MEGABYTES,
            help="A row per person, the features as columns; what has no column stays as before. With the column "
            f"“{who}” rows may come in any order, and whoever is left out stays as before. The CSV of a plan will do, too.",
        )
        if other_methods.problem is not None:
            st.error(plain(other_methods.problem))
        for table in other_methods.tables.values():
            if table.absent:
                named = ", ".join(table.absent[:NAMED]) + (
                    f" and {len(table.absent) - NAMED:,} more" if len(table.absent) > NAMED else ""
                )
                st.caption(plain(f"“{table.name}” has no column for {named}: left as before."))


def _uploaded(key: str, run_id: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    session.take(file, lambda path, name: _measure(path, name, run_id))


def _measure(path: str, name: str, run_id: str) -> None:
    other_methods = _other_methods(run_id)

    def done(table: OtherMethod) -> None:
        kept = {name: other for name, other in other_methods.tables.items() if name != table.name}
        other_methods.tables = dict([*kept.items(), (table.name, table)][-AT_HAND:])
        other_methods.problem, other_methods.turn = None, other_methods.turn + 1
        st.session_state[_choice(run_id)] = list(dict.fromkeys([*st.session_state.get(_choice(run_id), []), table.name]))

    def failed(error: InputError) -> None:
        other_methods.problem, other_methods.turn = str(error), other_methods.turn + 1

    arguments = (path, name, tab_runs.store().url, run_id)
    page_jobs.start(f"Reading {plain(name)}", "measure_file", *arguments, done=done, failed=failed, path=path)


def _other_methods(run_id: str) -> OtherMethods:
    """It is no widget's, so it outlives the page."""
    kept: OtherMethods = st.session_state.setdefault(f"beside-tables-{run_id}", OtherMethods())
    return kept


def _choice(run_id: str) -> str:
    return f"beside-{run_id}"
