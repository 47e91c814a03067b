"""How good the personal search is: against every pair of values on a grid, and against the other selections at equal model rows.

Ratios, each against another search of the same question. With the word `quick` behind it, fewer people.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

import numpy as np

import discover_core as dc
from discover_core.problem.actionability import Actionability
from discover_core.problem.presets import FITTED, PRESETS, QUICK
from discover_core.problem.targets import Beta, Shift, TargetSpecification, Threshold
from discover_core.scenario.study import Study
from discover_core.solver.advice import advise, chance, gather, survey
from discover_core.solver.efforts import Efforts
from discover_core.solver.fence import Fence
from discover_core.solver.personal.options import Options
from discover_core.solver.search import layout_of
from discover_core.table.cohort import Cohort
from discover_core.table.dataset import Dataset

FAMILIES = ("xgboost", "lightgbm", "random_forest", "mlp", "logistic")
WISH = Threshold(0.5, 0.5, "below")
PROTECTED = {"age", "sex", "race", "personal status", "foreign worker", "native-country", "marriage"}
ETA = 0.95  # of Q where two searches are compared by it: their own etas differ


@dataclass(frozen=True)
class Found:
    """What a search did for the people it was asked to help."""

    reached: int
    effort: float
    cells: float
    rows: int


def asked(name: str, family: str, people: int, seed: int = 0, wish: TargetSpecification = WISH) -> tuple[dc.Problem, Study]:
    """Threshold .5 for half of a group that is above it, or another wish, with the bounds that the page suggests."""
    sample = dc.load_sample(name)
    model = dc.train_model(family, sample.table, sample.schema, seed=0)
    cohort = Cohort(score_side="above", score_value=0.5, sample=people, seed=seed)
    study = Study.of(Dataset.bare(sample.table, sample.schema), model, cohort)
    problem = study.problem(sample.actions, wish, dc.Bounds(0.5, 0.05))
    layout = layout_of(problem, dc.Settings())
    group = gather(layout, study.dataset.ready, study.group, study.population, 0)
    ground = survey(layout, group, chance(layout, group, 20, 0), sample.actions.editable, 20, 0)
    advice = advise(ground, study.group_scores, problem.target, problem.bounds, study.interval, 0)
    return replace(problem, bounds=replace(problem.bounds, u_x=advice.suggested_x, u_y=advice.suggested_y)), study


def nearest(problem: dc.Problem) -> np.ndarray:
    """The people whom the target means: those nearest to the threshold."""
    past = problem.target.past
    assert past is not None
    wrong = np.flatnonzero(~past.right(problem.outputs))
    lack = int(np.ceil(past.share * len(problem.outputs))) - (len(problem.outputs) - len(wrong))
    return wrong[np.argsort(np.abs(problem.outputs[wrong] - past.tau), kind="stable")[:lack]]


def exhaustive(problem: dc.Problem, people: np.ndarray) -> Found:
    """Every admissible value of one feature and of every pair of features, numbers on a grid."""
    past = problem.target.past
    assert past is not None
    layout, fence = layout_of(problem, dc.Settings()), Fence.of(problem)
    factual, efforts = layout.cells(problem.factual), Efforts.of(layout)
    value, feature, fine = Options.of(fence, problem.reference, problem.ranges()).of_people(people)
    lengths, cells, rows = [], [], 0
    for i, person in enumerate(people):
        own = np.flatnonzero(fine[i])
        first, second = np.array([(a, b) for a, b in combinations_with_replacement(own.tolist(), 2)], dtype=int).reshape(-1, 2).T
        some = (first == second) | (feature[first] != feature[second])
        first, second = first[some], second[some]
        tried = np.repeat(factual[person][None], len(first), axis=0)
        line = np.arange(len(first))
        tried[line, feature[first]], tried[line, feature[second]] = value[i, first], value[i, second]
        scores = problem.score(layout.table(tried)) if len(tried) else np.empty(0)
        rows += len(tried)
        there = np.flatnonzero(past.right(scores))
        if len(there):
            squared = efforts.squared(factual[person], tried[there])
            lengths.append(float(np.sqrt(squared.min())))
            cells.append(int((tried[there[squared.argmin()]] != factual[person]).sum()))
    return Found(len(lengths), float(np.mean(lengths or [np.nan])), float(np.mean(cells or [np.nan])), rows)


def personal(problem: dc.Problem, people: np.ndarray) -> Found:
    """The same people, all in one round."""
    settings = dc.Settings(k=len(people), h=3, iterations=1)
    layout = layout_of(problem, settings)
    *_, step = dc.solve(problem, settings)
    factual = layout.cells(problem.factual)
    changed = (step.cells != factual)[people]
    movers = changed.any(axis=1)
    effort = np.sqrt(Efforts.of(layout).squared(factual, step.cells))[people][movers]
    rows = step.model_rows - len(factual)
    return Found(int(movers.sum()), float(effort.mean()), float(changed[movers].sum(axis=1).mean()), rows)


def against_all_pairs(people: int) -> None:
    print(f"Against every pair of values on a grid, the {people} people nearest to it (aims: effort 1, cells 1.1, rows .1)")
    for levers in ("as the sample says", "all but age, sex, race"):
        print(f"  What may change: {levers}")
        ratios = []
        for name in dc.samples():
            for family in FAMILIES:
                problem, _ = asked(name, family, 2 * people)
                if levers != "as the sample says":
                    fixed = [column for column in problem.schema.feature_names if column.lower() in PROTECTED]
                    problem = replace(problem, actions=Actionability.free(problem.schema).lock(*fixed))
                who = nearest(problem)
                theirs, ours = exhaustive(problem, who), personal(problem, who)
                ratios.append((ours.effort / theirs.effort, ours.cells / theirs.cells, ours.rows / theirs.rows))
                told = "  ".join(
                    f"{word} {value:5.2f}" for word, value in zip(("effort", "cells", "rows"), ratios[-1], strict=True)
                )
                each = f"{ours.rows / len(who):,.0f} rows a person"
                print(f"    {name:<17}{family:<14} reached {ours.reached:>3} / {theirs.reached:<3} {told}  {each}")
        median, most = np.nanmedian(ratios, axis=0), np.nanmax(ratios, axis=0)
        print(
            f"    median: effort {median[0]:.2f}, cells {median[1]:.2f}, rows {median[2]:.2f}; "
            f"most: {most[0]:.2f}, {most[1]:.2f}, {most[2]:.2f}"
        )


def classic(needed: int, rows: int, n: int) -> dc.Settings:
    """The default of before: everybody who has to change in every iteration, for as many iterations as the model rows allow."""
    k, candidates = max(1, min(n, max(6, needed))), 40
    iterations = max(1, round(rows / (k * candidates)))
    drawn = {"origin": "factual", "guidance": "both", "r": 1.0, "variant": "paper"}
    return dc.Settings(selection="rowwise", k=k, candidates=candidates, iterations=iterations, **drawn)


def distance(problem: dc.Problem, outputs: np.ndarray) -> float:
    """W^2 to the target; for a threshold only what the scores fall short of it, as the goals have it."""
    mean, spread = problem.target.rank_moments(len(outputs))
    gap = np.sort(outputs) - mean
    side = problem.target.wanted(True)
    gap = gap if side is None else np.maximum(0.0, gap if side == "below" else -gap)
    return float(np.mean(gap**2 + spread))


def against_others(people: int, seeds: int) -> None:
    print(f"Against the default of before and the paper's selection, both at our model rows ({people} people, {seeds} seeds)")
    print("  effort: total, and per person who gets what was asked; OT(y): for a threshold what the scores fall short of it")
    for spec in (WISH, Shift(-0.1, clip=(0.0, 1.0)), Beta(2.0, 5.0)):
        ratios = []
        for name in dc.samples():
            for seed in range(seeds):
                problem, _ = asked(name, dc.load_sample(name).known.model, people, seed, spec)
                n, needed = len(problem.outputs), problem.wish.needed(problem.outputs)
                settings = PRESETS[FITTED].settings(n, len(problem.actions.editable), needed)
                mine = dc.run(problem, replace(settings, seed=seed))
                rows = int(mine.history["model_rows"].iloc[-1])
                before = dc.run(problem, replace(classic(needed, rows, n), seed=seed))
                papers = replace(PRESETS["Paper"].settings(n, 1), candidates=20, iterations=max(1, rows // 60), seed=seed)
                joint = dc.run(problem, papers)
                runs = [
                    (dc.metrics(problem, run.counterfactual), distance(problem, run.best_step.outputs), run)
                    for run in (mine, before, joint)
                ]
                ratios.append(_ratios(problem, runs))
        _tell(spec.kind, ratios)
        _tell("  if met", [line for line in ratios if line[-1]])


def _tell(what: str, ratios: list[tuple[float, float, bool, bool, float, bool]]) -> None:
    """Medians and shares over all cases, or over those in which ours reached what was asked."""
    if not ratios:
        return
    effort, each, x, y, q, _ = (np.array(part, dtype=float) for part in zip(*ratios, strict=True))
    print(
        f"  {what:<10} {len(ratios):>3} cases: effort {np.median(effort):5.2f} (aim .33), per person {np.median(each):5.2f}; "
        f"OT(x) no worse in {x.mean():4.0%}, "
        f"OT(y) in {y.mean():4.0%} (aim 95%); Q to the paper's {np.median(q):5.2f} (aim .5)"
    )


def _ratios(problem: dc.Problem, runs: list) -> tuple[float, float, bool, bool, float, bool]:
    (ours, our_y, mine), (theirs, their_y, before), (papers, papers_y, _) = runs
    better = [np.maximum(1, problem.target.success(problem.outputs, run.best_step.outputs).sum()) for run in (mine, before)]
    effort = ours.effort / max(theirs.effort, 1e-12)
    q = (1 - ETA) * ours.ot_x + ETA * our_y, (1 - ETA) * papers.ot_x + ETA * papers_y
    no_worse = ours.ot_x <= theirs.ot_x, our_y <= their_y
    return effort, effort * better[1] / better[0], *no_worse, q[0] / max(q[1], 1e-15), mine.verdict.met


def quick_look() -> None:
    problem, _ = asked("german_credit", "xgboost", 200)
    needed = problem.wish.needed(problem.outputs)
    settings = PRESETS[QUICK].settings(200, len(problem.actions.editable), needed)
    start = time.process_time()
    result = dc.run(problem, settings)
    print(f"Quick look at the German demo: {time.process_time() - start:.2f} s of work (aim 2), {result.verdict.sentence}")


if __name__ == "__main__":
    quick = "quick" in sys.argv[1:]
    quick_look()
    against_all_pairs(10 if quick else 40)
    against_others(60 if quick else 100, 2 if quick else 5)
