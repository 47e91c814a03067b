"""The file behind each figure of a run: everybody and every iteration, drawn or not, in words and units people know."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest

from discover_core.figures import bars, dynamics, group_differences, impact, outputs, transition
from discover_core.figures.dynamics import RunCurves
from discover_core.problem.target import Target
from discover_core.table.write import to_csv

from ..work import lines_run

RNG = np.random.default_rng(11)
N = 700
ROWS = [f"Row {row}" for row in RNG.permutation(9_000)[:N] + 1]
BEFORE, AFTER = RNG.random(N), RNG.random(N).round(2)


def read(table: pd.DataFrame) -> pd.DataFrame:
    """As it comes back from a file."""
    return pd.read_csv(io.BytesIO(to_csv(table)))


# outputs


@pytest.mark.parametrize("labels", [ROWS, None])
def test_everybodys_score_stands_on_both_lines_with_the_band(labels: list[str] | None) -> None:
    target = Target.values(RNG.random(930))
    table = read(outputs.table(BEFORE, target, AFTER, band=0.1, threshold=0.5, labels=labels))
    assert list(table.columns) == ["Line", "Person", "Score", "Share of the group", "Band from", "Band to"]
    assert table["Line"].value_counts(sort=False).to_dict() == {"Before": N, "After": N, "Target": 930, "Threshold": 1}
    names = labels or [f"Person {i + 1}" for i in range(N)]
    for line, scores in (("Before", BEFORE), ("After", AFTER)):
        part = table[table["Line"] == line]
        assert dict(zip(part["Person"], part["Score"], strict=True)) == dict(zip(names, scores, strict=True))
        assert part["Score"].is_monotonic_increasing
        shares = np.mean(scores[:, None] <= part["Score"].to_numpy(), axis=0)
        np.testing.assert_allclose(part["Share of the group"], shares)
        if line == "After":
            np.testing.assert_allclose(part["Band from"], np.maximum(shares - 0.1, 0))
            np.testing.assert_allclose(part["Band to"], np.minimum(shares + 0.1, 1))
    wished = table[table["Line"] == "Target"]
    np.testing.assert_array_equal(wished["Score"], target.left)
    np.testing.assert_allclose(wished["Share of the group"], np.arange(1, 931) / 930)
    assert wished[["Person", "Band from", "Band to"]].isna().all(axis=None)
    assert table["Score"].iloc[-1] == 0.5


def test_an_exact_target_is_given_by_its_corners() -> None:
    table = outputs.table([0.2], Target.quantiles([0, 0.5, 0.5, 1], [0.1, 0.3, 0.6, 0.7]), [0.3])
    corners = table[table["Line"] == "Target"][["Score", "Share of the group"]].to_numpy()
    np.testing.assert_allclose(corners, [[0.1, 0], [0.3, 0.5], [0.6, 0.5], [0.7, 1]])
    assert list(table.columns) == ["Line", "Person", "Score", "Share of the group"]


# bars


def test_all_bars_of_all_runs() -> None:
    mine, other, third = RNG.random(N) / N, RNG.random(40), np.zeros(3)
    beside = {"<b>B</b>": other, "C": third}
    table = read(bars.table(mine, beside, labels=ROWS, others_labels={"<b>B</b>": ROWS[:40]}))
    assert list(table.columns) == ["Run", "Rank", "Person", "Squared distance", "Share of all"]
    for run, parts, names in (
        ("This run", mine, ROWS),
        ("<b>B</b>", other, ROWS),
        ("C", third, ["Person 1", "Person 2", "Person 3"]),
    ):
        part = table[table["Run"] == run]
        assert list(part["Rank"]) == list(range(1, len(parts) + 1))
        assert part["Squared distance"].is_monotonic_decreasing
        found = dict(zip(part["Person"], part["Squared distance"], strict=True))
        assert found == pytest.approx(dict(zip(names, parts * len(parts), strict=False)))
        assert part["Squared distance"].mean() == pytest.approx(parts.sum())  # OT(x)
        assert part["Share of all"].sum() == pytest.approx(1 if parts.any() else 0)
    drawn = bars.bars_figure(mine, beside).data[0]
    np.testing.assert_array_equal(drawn.y, table["Squared distance"][: len(drawn.y)])


# impact


def test_impact_has_a_line_per_person_and_a_column_per_iteration() -> None:
    q = RNG.random((25, N)).astype(np.float32)
    picked = [np.empty(0, dtype=np.int64), *(RNG.choice(N, 5, replace=False) for _ in range(24))]
    table = read(impact.table(np.arange(25.0) + 3, q, picked, labels=ROWS))
    assert list(table.columns[:4]) == ["Person", "Times picked for change", "Picked at iterations", "Impact at iteration 3"]
    assert list(table["Person"]) == ROWS
    np.testing.assert_array_equal(table.iloc[:, 3:].to_numpy(np.float32), q.T)
    times = table["Picked at iterations"].fillna("").astype(str).str.split()
    for person in range(N):
        assert [int(t) - 3 for t in times[person]] == [t for t in range(25) if person in picked[t]]
    assert list(table["Times picked for change"]) == [len(t) for t in times]
    nothing = impact.table([], np.empty((0, 0)), [])
    assert list(nothing.columns) == ["Person", "Times picked for change", "Picked at iterations"]


def test_the_impact_of_thousands_is_taken_away_without_a_loop_over_its_numbers() -> None:
    people, iterations = 1_000, 300
    q = RNG.random((iterations, people), dtype=np.float32)
    table = impact.table(np.arange(iterations), q, [RNG.choice(people, 50, replace=False) for _ in range(iterations)])
    assert table.shape == (people, iterations + 3)
    assert lines_run(lambda: to_csv(table)) < 10 * (people + iterations)


# transition and dynamics


def test_transition_has_every_iteration() -> None:
    at, (q, q_x, q_y), fine = np.arange(900.0), RNG.random((3, 900)), RNG.random(900) < 0.5
    table = read(transition.table(at, q, q_x, q_y, fine))
    assert len(transition.transition_figure(at, q, q_x, q_y, fine).data[0].x) < 900
    assert list(table.columns) == ["Iteration", "Q", "OT(x)", "OT(y)", "Within both bounds"]
    np.testing.assert_array_equal(table.iloc[:, :4], np.column_stack([at, q, q_x, q_y]))
    assert list(table["Within both bounds"] == "yes") == list(fine)


def a_course(length: int, seed: int, name: str = "") -> RunCurves:
    return RunCurves(np.arange(length), *np.random.default_rng(seed).random((4, length)), name=name)


@pytest.mark.parametrize(
    ("lengths", "edges"), [([600, 550], ("Lowest", "Highest")), ([9] * 6, ("10th percentile", "90th percentile"))]
)
def test_dynamics_has_every_run_the_mean_and_the_band(lengths: list[int], edges: tuple[str, str]) -> None:
    runs = [a_course(length, seed, f"seed {seed}") for seed, length in enumerate(lengths)]
    table = read(dynamics.table(runs))
    assert list(table.columns) == ["Run", "Runs", "Iteration", "OT(x)", "OT(y)", "Q", "eta"]
    for seed, run in enumerate(runs):
        part = table[table["Run"] == f"seed {seed}"]
        wanted = np.column_stack([run.iterations, run.q_x, run.q_y, run.q, run.eta])
        np.testing.assert_array_equal(part.iloc[:, 2:], wanted)
        assert set(part["Runs"]) == {1}
    low, high = (0, 1) if edges[0] == "Lowest" else (0.1, 0.9)
    lines = [table[table["Run"] == f"{what} of the runs"] for what in ("Mean", *edges)]
    assert sum(map(len, lines)) + sum(lengths) == len(table)
    for t in range(max(lengths)):
        there = [float(run.q_y[t]) for run in runs if len(run.q_y) > t]
        found = [line["OT(y)"].iloc[t] for line in lines]
        assert found == pytest.approx([np.mean(there), *np.quantile(there, [low, high])])
        assert lines[0]["Runs"].iloc[t] == len(there)


def test_one_run_needs_no_mean_and_no_run_gives_headings() -> None:
    assert set(dynamics.table([a_course(7, 0), a_course(0, 1)])["Run"]) == {"Run 1"}
    assert list(dynamics.table([]).columns) == list(dynamics.table([a_course(7, 0)]).columns)


# who bears it


def test_all_measures_of_every_group_and_of_everybody() -> None:
    measures = tuple(group_differences.TITLES)
    numbers = {f"{measure}{end}": RNG.random(3) for measure in measures for end in ("", "_low", "_high")}
    groups = pd.DataFrame(
        {"people": [10, 20, 30], "movers": [5, 0, 10], **numbers}, index=pd.Index(["=a", "b", "c"], name="<i>age")
    )
    groups.loc["b", "movers_effort"] = np.nan  # nobody there to measure
    table = group_differences.table(groups)
    assert list(table["Group"]) == ["=a", "b", "c", "Everybody"]
    assert set(table["Groups by"]) == {"<i>age"}
    assert list(table["People"]) == [10, 20, 30, 60]
    assert list(table["People who change"]) == [5, 0, 10, 15]
    for measure, title in group_differences.TITLES.items():
        np.testing.assert_array_equal(table[title][:3], groups[measure])
        for end, word in (("low", "from"), ("high", "to")):
            np.testing.assert_array_equal(table[f"{title}: 95% interval {word}"][:3], groups[f"{measure}_{end}"])
        assert table[title].iloc[3] == group_differences.differences_figure(groups, measure).data[1].x[0]
    assert len(table.columns) == 4 + 3 * len(measures)
