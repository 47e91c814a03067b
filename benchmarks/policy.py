"""What a policy promises and what becomes of it: how tight its audit is, what a few shared programmes reach, and how much the
in-sample certificate of the paper flatters.

Every comparison is made on the same people. With the word `quick` behind it, fewer cases and people.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from scale import people as made_up

import discover_core as dc
from discover_core.certificate.limits import Limiter
from discover_core.certificate.means import METHODS, mean_limit
from discover_core.policy.audit import audit_told, input_top
from discover_core.policy.policy import Told
from discover_core.transport.slices import random_slices

LEVEL = 0.025  # each statement of an audit with alpha .05 may be wrong so often
AUDITED = (("german_credit", "xgboost", 137), ("taiwan_default", "xgboost", 311), ("adult", "lightgbm", 500))
AUDITED = (*AUDITED, ("compas", "random_forest", 300))
SHARED = (("german_credit", "xgboost"), ("adult", "lightgbm"), ("taiwan_default", "lightgbm"), ("compas", "random_forest"))
PROTECTED = {"age", "sex", "race", "personal status", "foreign worker", "native-country", "marriage"}
LEVERS = {False: "levers as the sample says", True: "all but age, sex, race"}
SMALL = 50  # audit people with whom the paper's limit on the inputs is never finite
NEW = 3_000  # people to whom an answer is copied
WISH = dc.Target.quantiles([0, 1], [0.05, 0.5])  # scores spread evenly


@dataclass(frozen=True)
class Case:
    """A question asked of design people, and the audit people who had no part in it."""

    problem: dc.Problem
    audited: pd.DataFrame

    @classmethod
    def of(cls, name: str, family: str, most: int, share: float, free: bool = False) -> Case:
        """Whom the model scores above .5, at most so many, in two halves; `share` of them should be at or below it."""
        sample = dc.load_sample(name)
        model = dc.train_model(family, sample.table, sample.schema, seed=0)
        group = sample.table[model(sample.table) > 0.5]
        design, audited = dc.split(group.sample(min(len(group), most), random_state=0), share=0.5, seed=0)
        actions = sample.actions
        if free:
            fixed = [name for name in sample.schema.feature_names if name.lower() in PROTECTED]
            actions = dc.Actionability.free(sample.schema).lock(*fixed)
        target = dc.Target.threshold(model(design), 0.5, share, "below")
        bounds, reference = dc.Bounds(0.1, 0.1), sample.table.drop(audited.index)
        return cls(dc.Problem(design, sample.schema, model, actions, target, bounds, reference), audited)

    def reached(self, policy: dc.Policy) -> tuple[float, float]:
        """The share of the audit people past the threshold, and the mean effort of those who change."""
        told = policy.told(self.audited)
        past = policy.aim.wished.past
        assert past is not None
        effort = told.versions.effort[told.changed]
        return float(past.right(told.versions.scores).mean()), float(effort.mean()) if len(effort) else 0.0


def dkw(policy: dc.Policy, told: Told) -> tuple[float, float]:
    """The paper's limits on inputs and outputs of the same people, trimmed and along 20 slices as it has them."""
    known, layout = policy.ground.known, policy.ground.layout
    slices = random_slices(layout.encoding.width, known.bounds.slices, np.random.default_rng(0))
    before, after = (np.sort(layout.encode(cells) @ slices.T, axis=0).T for cells in (told.before, told.after))
    past = known.target.past
    assert past is not None
    target = dc.Target.threshold(told.scores, past.tau, past.share, past.side)
    return Limiter(known.bounds, before, target, known.interval).limits(after, np.sort(told.versions.scores), 2 * LEVEL)


def by_method(policy: dc.Policy, told: Told) -> str:
    """The limits of each method on the same values, in the order inputs, outputs."""
    wished, beyond = policy.aim.wished, policy.ground.known.bounds.beyond
    moves = told.versions.effort**2 / policy.ground.efforts.width
    gaps = wished.short(told.scores, told.versions.scores, beyond) ** 2
    asked = ((moves, input_top(policy)), (gaps, wished.most_short(beyond) ** 2))
    return "; ".join(
        f"{method.replace('_', ' ')} " + ", ".join(f"{mean_limit(values, top, LEVEL, method):.4f}" for values, top in asked)
        for method in METHODS
    )


def audits(cases: tuple[tuple[str, str, int], ...]) -> None:
    print("Audits: half of a group above .5 should score at or below it (aim: the input limit 10 to 60 times below DKW's)")
    for (name, family, count), free in product(cases, (False, True)):
        case = Case.of(name, family, 2 * count, 0.5, free)
        policy = dc.learn_policy(case.problem, dc.Settings(seed=0))
        told = policy.told(case.audited)
        cells = int((told.before != told.after).sum())
        print(f"  {name}, {family}, {LEVERS[free]}: {int(told.changed.sum())} people told to change, {cells} cells")
        for n in (len(told.before), SMALL):
            some = told.some(np.arange(n))
            found, (x, y) = audit_told(policy, some, 2 * LEVEL), dkw(policy, some)
            tighter = f"{x / found.inputs.limit:.0f} times" if np.isfinite(x) else "none so far"
            print(
                f"    n={n:>3}: inputs {found.inputs.limit:.4f} (DKW {x:.4f}: {tighter}), outputs {found.outputs.limit:.4f} "
                f"(DKW {y:.4f}), share {found.share.estimate:.3f}, at least {found.share.limit:.3f}"
            )
        print(f"    inputs, outputs by method: {by_method(policy, told)}", flush=True)


def programmes(cases: tuple[tuple[str, str], ...], most: int) -> None:
    print("Programmes: everybody should score at or below .5; shares reached, design / audit people, and mean effort")
    for (name, family), free in product(cases, (False, True)):
        case = Case.of(name, family, most, 1.0, free)
        print(f"  {name}, {family}, {LEVERS[free]}")
        policy = dc.learn_policy(case.problem, dc.Settings(seed=0))
        print(f"    personal     {_shares(case, policy)}", flush=True)
        for count in (1, 2, 3):
            policy = dc.learn_policy(case.problem, dc.Settings(seed=0), "programmes", count)
            print(f"    programmes {count} {_shares(case, policy)}", flush=True)
        for one in policy.programmes:
            print(f"      “{one.words}”: works for {one.reach:.2f}, given to {one.given:.2f}")


def _shares(case: Case, policy: dc.Policy) -> str:
    reached, effort = case.reached(policy)
    return f"{policy.design.reached:.2f} / {reached:.2f}, effort {effort:.2f}"


def flattery(people: int, runs: int) -> None:
    print(f"The in-sample certificate: {people} people searched all together, their changes copied by {NEW:,} new people")
    table = made_up(10_000, 0)
    schema = dc.Schema.infer(table, "outcome").with_outcome("outcome", "yes")
    for family in ("random_forest", "xgboost"):
        model = dc.train_model(family, table, schema, seed=0)
        limits, truths, wrong = [], [], np.zeros(3, dtype=int)
        for seed in range(runs):
            rows, new, audited = (above(model, count, [seed, part]) for part, count in enumerate((people, NEW, people)))
            bounds, actions = dc.Bounds(0.5, 0.05), dc.Actionability.free(schema)
            problem = dc.Problem(rows, schema, model, actions, WISH, bounds, made_up(5_000, seed + 1))
            result = dc.run(problem, dc.Settings(k=people, seed=seed))
            policy = dc.learn_policy(problem, dc.Settings(seed=seed))
            limits.append(result.certificate.ucl_y)
            truths.append(distance(copied(policy, result, new, model), bounds.delta))
            wrong += statements_wrong(policy, policy.told(new), dc.audit(policy, audited, 2 * LEVEL))
        broken = int((np.array(truths) > np.array(limits)).sum())
        print(
            f"  {family}: in-sample output limit {np.mean(limits):.4f}, truth {np.mean(truths):.4f}, broken in {broken} of "
            f"{runs} runs; an audit's share, inputs, outputs wrong in {', '.join(map(str, wrong))} (each risks {LEVEL:.1%})",
            flush=True,
        )


def above(model: dc.Model, count: int, seed: list[int]) -> pd.DataFrame:
    """So many made-up people whose score is above .5."""
    found = pd.DataFrame()
    for draw in range(100):
        some = made_up(4 * count, int(np.random.default_rng([*seed, draw]).integers(1 << 31)))
        found = pd.concat([found, some[model(some) > 0.5]], ignore_index=True)
        if len(found) >= count:
            break
    return found.iloc[:count]


def copied(policy: dc.Policy, result: dc.Result, new: pd.DataFrame, model: dc.Model) -> np.ndarray:
    """Scores of new people who change what their nearest twin changed, to the same values."""
    layout = policy.ground.layout
    before, theirs = layout.cells(result.problem.factual), policy.ground.meet(new).cells
    own, points = layout.encode(before), layout.encode(theirs)
    twin = np.array([np.square(own - point).sum(axis=1).argmin() for point in points])
    after = result.best_step.cells[twin]
    return model(layout.table(np.where(after != before[twin], after, theirs)))


def distance(scores: np.ndarray, delta: float = 0.0) -> float:
    """W^2 to the wished shape, what the certificate limits, with its share of each end left out."""
    cut = int(delta * len(scores))
    gap = np.sort(scores) - WISH.rank_moments(len(scores))[0]
    return float(np.mean(gap[cut : len(gap) - cut] ** 2))


def statements_wrong(policy: dc.Policy, told: Told, found: dc.Audit) -> np.ndarray:
    """Which of an audit's three statements is not true of many new people."""
    after = told.versions.scores
    there = np.abs(after - policy.aim.wished(told.scores)) <= policy.aim.tolerance + 1e-12
    moves = float((told.versions.effort**2).mean() / policy.ground.efforts.width)
    over = (there.mean() < found.share.limit, moves > found.inputs.limit, distance(after) > found.outputs.limit)
    return np.array(over, dtype=int)


if __name__ == "__main__":
    quick = "quick" in sys.argv[1:]
    audits(AUDITED[:1] if quick else AUDITED)
    programmes(SHARED[:1] if quick else SHARED, 200 if quick else 1_000)
    flattery(*((100, 2) if quick else (500, 5)))
