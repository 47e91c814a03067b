"""Who changes and who is left alone: how the two differed before the run, told only where the difference is clear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from ..problem.change_words import unit_text, value_text
from ..problem.words import number_words
from ..table.schema import Column
from ..table.values import as_text, grid_of
from .outcome import Outcome

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Answers = dict[tuple[int, bool], str]  # by question and side, so that a sharper answer replaces a looser one

FEW = 5  # people on either side below which nothing is compared
CLEAR = 0.1  # how far the chance that one side's value is the higher must be from a half
ALPHA = 0.05  # chance of naming a difference where there is none, over all that is compared
FOLDS = 5
BETTER = 0.05  # by how much a rule must beat always guessing the same


@dataclass(frozen=True, eq=False)
class Trait:
    """What can be asked of everybody before the run: the score (no column), a number, a rank, or "is it this level?"."""

    column: Column | None
    values: Floats
    level: str | None = None


def left_alone(outcome: Outcome) -> str:
    """How many keep every value, and how they differed from the others: in the score, else in the feature that differs most."""
    stay = np.logical_not(_changes(outcome))
    count, group = int(stay.sum()), len(stay)
    if count == 0:
        return "Nobody was left alone: everybody changes."
    if count == group:
        return "Everybody was left alone."
    told = f"{count:,} {'person was' if count == 1 else 'people were'} left alone"
    if min(count, group - count) < FEW:
        return f"{told}."
    traits = _traits(outcome)
    apart = _apart(np.column_stack([trait.values for trait in traits]), stay)
    for at in [0, *(1 + np.argsort(-np.abs(apart[1:]), kind="stable"))]:
        words = _difference_words(traits[at], stay) if apart[at] else None
        if words:
            return f"{told}; {words}."
    return f"{told}; neither their scores nor any one feature set them clearly apart before."


def why_these(outcome: Outcome) -> str:
    """A rule of at most two questions that tells who changes, with its counts; empty unless it clearly beats guessing.

    Its accuracy is cross-validated; that of guessing is the larger side's share.
    """
    changes = _changes(outcome)
    base = float(max(changes.mean(), 1 - changes.mean()))
    if min(changes.sum(), (~changes).sum()) < 2 * FOLDS:
        return ""
    from sklearn.model_selection import StratifiedKFold, cross_val_score  # takes seconds: only who asks waits
    from sklearn.tree import DecisionTreeClassifier

    traits = _traits(outcome)
    asked = np.column_stack([trait.values for trait in traits])
    tree = DecisionTreeClassifier(max_depth=2, min_samples_leaf=max(FEW, len(changes) // 20), random_state=0)
    enough = base + max(BETTER, 2 * np.sqrt(base * (1 - base) / len(changes)))
    if tree.fit(asked, changes).score(asked, changes) < enough:  # nor will it be on people it has not seen
        return ""
    accuracy = float(cross_val_score(tree, asked, changes, cv=StratifiedKFold(FOLDS, shuffle=True, random_state=0)).mean())
    if accuracy < enough:
        return ""
    words, who = _rule(tree.tree_, traits)
    yes, no = int(changes[who].sum()), int(changes[~who].sum())
    rest = f"{no:,}" if no else "none"
    return f"{yes:,} of the {int(who.sum()):,} people with {words} change, and {rest} of the other {int((~who).sum()):,}."


def _changes(outcome: Outcome) -> Mask:
    return np.asarray(outcome.changed.any(axis=1), dtype=bool)


def _traits(outcome: Outcome) -> list[Trait]:
    """The score first, then the features; a level that hardly anybody has, or lacks, is not asked for."""
    traits = [Trait(None, outcome.group.outputs)]
    for j, column in enumerate(outcome.schema.features):
        cells = outcome.group.cells[:, j]
        if column.role != "nominal":
            traits.append(Trait(column, cells))
            continue
        codes, counts = np.unique(cells, return_counts=True)
        asked = codes[(counts >= FEW) & (counts <= len(cells) - FEW)].astype(np.int64)
        traits += [Trait(column, (cells == code).astype(np.float64), as_text(column.levels[code])) for code in asked]
    return traits


def _apart(values: Floats, stay: Mask) -> Floats:
    """By how much the chance that one who stays has the higher value exceeds a half; 0 where chance could explain it.

    The rank sum test with its exact variance under ties, its level split over all columns.
    """
    n, m = len(stay), int(stay.sum())
    ranks = pd.DataFrame(values).rank().to_numpy() - (n + 1) / 2
    total = ranks[stay].sum(axis=0)
    spread = np.sqrt(m * (n - m) / (n * (n - 1)) * (ranks**2).sum(axis=0))
    apart = total / (m * (n - m))
    clear = (np.abs(apart) >= CLEAR) & (np.abs(total) > -ndtri(ALPHA / 2 / values.shape[1]) * spread)
    return np.where(clear, apart, 0.0)


def _difference_words(trait: Trait, stay: Mask) -> str | None:
    """The difference in shares or medians; None when it does not show in them."""
    column, theirs, others = trait.column, trait.values[stay], trait.values[~stay]
    if column is not None and trait.level is not None:
        mine, other = (f"{part.mean():.0%}" for part in (theirs, others))
        words = f"{column.name} was “{trait.level}” for {mine} of them against {other} of the others"
        return words if mine != other else None
    middles = [float(np.quantile(part, 0.5, method="inverted_cdf")) for part in (theirs, others)]
    mine, other = (f"{middle:.3g}" if column is None else _value(column, middle) for middle in middles)
    if mine == other:
        return None
    what = "their scores before were" if column is None else f"their {column.name} before was"
    way = ("earlier", "later") if column is not None and column.date else ("lower", "higher")
    return f"{what} {way[int(middles[0] > middles[1])]} as a rule: median {mine} against {other}"


def _rule(tree: Any, traits: list[Trait]) -> tuple[str, Mask]:
    """The tree's paths that end in "changes", in words, and who is on one of them."""
    paths = _paths(tree, traits, 0, {}, np.ones(len(traits[0].values), dtype=bool))
    words = ", or with ".join(_path_words(traits, answers) for answers, _ in paths)
    return words, np.asarray(np.any([who for _, who in paths], axis=0))


def _path_words(traits: list[Trait], answers: Answers) -> str:
    """Both limits of one feature share its name, the lower one first."""
    by_trait: dict[int, list[str]] = {}
    for (at, _), words in sorted(answers.items(), key=lambda answer: not answer[0][1]):
        by_trait.setdefault(at, []).append(words)
    columns = {at: traits[at].column for at in by_trait}
    names = {at: "an initial score" if column is None else column.name for at, column in columns.items()}
    return " and ".join(f"{names[at]} {' and '.join(said)}" for at, said in by_trait.items())


def _paths(tree: Any, traits: list[Trait], node: int, answers: Answers, who: Mask) -> list[tuple[Answers, Mask]]:
    """Every way down from a node to "changes"; a question whose answer makes no difference is not asked."""
    verdicts = _verdicts(tree, node)
    if len(verdicts) == 1:
        return [(answers, who)] if verdicts == {True} else []
    at = int(tree.feature[node])
    above = traits[at].values.astype(np.float32) > tree.threshold[node]  # as the tree itself compares
    low, high = _sides(traits[at], above)
    return [
        *_paths(tree, traits, tree.children_left[node], answers | {(at, False): low}, who & ~above),
        *_paths(tree, traits, tree.children_right[node], answers | {(at, True): high}, who & above),
    ]


def _verdicts(tree: Any, node: int) -> set[bool]:
    """What the leaves under a node say."""
    if tree.children_left[node] < 0:
        return {bool(tree.value[node][0].argmax())}
    return _verdicts(tree, tree.children_left[node]) | _verdicts(tree, tree.children_right[node])


def _sides(trait: Trait, above: Mask) -> tuple[str, str]:
    """Both answers to a question, told by the values next to the cut, or by a short number between them."""
    column = trait.column
    if trait.level is not None:
        return f"not “{trait.level}”", f"“{trait.level}”"
    below, next_up = float(trait.values[~above].max()), float(trait.values[above].min())
    if column is not None and (column.categorical or column.date or grid_of(column) is not None):
        return f"up to {_value(column, below)}", f"from {_value(column, next_up)}"
    cut = f"{_shortest(below, next_up)}{'' if column is None else unit_text(column)}"
    return f"up to {cut}", f"above {cut}"


def _shortest(below: float, above: float) -> str:
    """The number in the middle, with no more digits than it takes to be at least `below` and less than `above`."""
    for places in range(-15, 16):
        number = round((below + above) / 2, places)
        if below <= number < above:
            return number_words(number)
    return number_words(below)


def _value(column: Column, value: float) -> str:
    if column.categorical:
        return f"“{as_text(column.levels[int(value)])}”"
    return f"{value_text(column, value)}{unit_text(column)}"
