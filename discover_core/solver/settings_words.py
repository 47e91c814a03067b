"""All that a page says about the settings of a search: a label and a help for each, its options or its range.

What it says about a strategy is the strategy's own; here it is only put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import inf

from ..problem.settings import Settings
from .strategies import DRAWING, STRATEGIES, strategy_named

PAIRED = frozenset({"variant", "kappa"})  # what the personal search has no use for
LEAST = 1e-6  # offered where a number must be above 0


@dataclass(frozen=True)
class Words:
    """One setting as a form shows it: by name for each of its `options`, or as a number from `low` to `high` in steps."""

    label: str
    help: str
    options: Mapping[str, str] = field(default_factory=dict)
    low: float = 0
    high: float = inf
    step: float = 1


WORDS: dict[str, Words] = {
    "k": Words(
        "People per iteration (k)",
        "An iteration works on the people who add most to the distance that is left. More of them move a large group faster.",
        low=1,
    ),
    "h": Words(
        "Features per person (h)",
        "How many features of a person may change at once. In the search for the least change per person that is all; in the "
        "others more may change over several iterations.",
        low=1,
    ),
    "candidates": Words(
        "Tries per iteration",
        "New versions that are tried for each of these people. They stay as they are when no try is better.",
        low=1,
    ),
    "iterations": Words(
        "Iterations",
        "How often this is repeated. The cost grows in step.",
        low=1,
    ),
    "seed": Words(
        "Seed",
        "Chance decides what is tried. The same seed gives the same answer again.",
        low=0,
    ),
    "selection": Words(
        "What is taken from an iteration",
        "The least change per person: everybody has a goal, and the search looks for the smallest change that reaches it. The "
        "other two look at the group: each person’s own best version makes use of every try; the best whole set is the paper’s "
        "rule, one try decides for all people of the iteration.",
        options={
            "personal": "The least change per person",
            "rowwise": "Each person’s own best version",
            "joint": "The best whole set (paper)",
        },
    ),
    "variant": Words(
        "Search",
        "The improved search lets others have a turn when nothing is found for somebody, measures the group along other "
        "lines than the certificate, and now and then tries any value that is allowed. The paper’s does none of this.",
        options={"improved": "Improved", "paper": "As in the paper"},
    ),
    "origin": Words(
        "A new value starts from (origin)",
        "Anybody’s value, from the whole table, reaches furthest: the default. The paper’s own code takes a random value of "
        "the group, as it was at the start, which never leaves what the group has in common. The paper’s text starts from "
        "the person’s present value; small steps from there may never leave a short scale.",
        options={
            "reference": "Anybody’s value in the table",
            "factual": "A random value of the group (paper)",
            "current": "The person’s present value",
        },
    ),
    "guidance": Words(
        "Pull towards the original group (guidance)",
        "Which new values lean towards keeping the group as it was. Ordered levels count as numbers.",
        options={"both": "Numbers and categories", "numeric": "Numbers only", "categorical": "Categories only", "none": "None"},
    ),
    "angle": Words(
        "Angle around the pull (degrees)",
        "How far a step may turn away from the pull. Small: almost straight back to the original group. 180: anywhere.",
        low=LEAST,
        high=180.0,
        step=5.0,
    ),
    "numeric_step": Words(
        "Longest step of a number",
        "How far a new number may lie from where it starts, as a share of the feature’s range: 0.1 is a tenth.",
        low=LEAST,
        high=1.0,
        step=0.05,
    ),
    "categorical_step": Words(
        "Longest step of a category",
        "Categories are points on a fixed random map, some 3 to 6 apart. A step on it comes first, then a category near "
        "its end is drawn. The longer the step, the more often it is another one.",
        low=LEAST,
        step=0.1,
    ),
    "temperature": Words(
        "Freedom of categories (temperature)",
        "How freely a category is drawn. Low: almost always the nearest on the map. High: any may come up.",
        low=LEAST,
        step=0.5,
    ),
    "balance": Words(
        "Balance towards the outcome (l to r)",
        "At 0 only staying like the original group counts, at 1 only reaching the wished outcome. Each iteration takes a "
        "balance from this range, by which of the two needs it more.",
    ),
    "kappa": Words(
        "Narrowing per iteration (kappa)",
        "By this share the range of the balance gets shorter in each iteration, so that it settles: 0.05 is 5%.",
        low=LEAST,
        high=1 - LEAST,
        step=0.01,
    ),
    "stop_when_certified": Words(
        "Stop as soon as both bounds hold",
        "Both confidence limits keep their bounds then, but the wish may not be met yet. Without this, the best iteration "
        "of all is the answer.",
    ),
    "patient": Words(
        "Stop when nothing gets better",
        "Ends the search after some iterations in a row in which no try was better.",
    ),
    "patience": Words(
        "Iterations without a change (patience)",
        "So many in a row in which no try was better end the search.",
        low=1,
    ),
    "walled": Words(
        "Nobody may become too unusual",
        "Without this, usual people are preferred where that costs next to nothing. With it, nobody who changes ends up more "
        "unusual than most people of the table, or than they were; some may then be out of reach.",
    ),
    "usual": Words(
        "No more unusual than (share of people)",
        "How unusual somebody is: the distance to the tenth nearest person of the table, compared with everybody else's. "
        "0.95: no more unusual than 95% of people.",
        low=0.5,
        high=1.0,
        step=0.01,
    ),
    "encoding": Words(
        "Distance between categories (encoding)",
        "For categories without an order. Counting along a list invents an order: only to compare with published figures.",
        options={"onehot": "All equally far apart", "label": "Counted along a list (paper’s code)"},
    ),
    "crossover": Words(
        "Chance to mix (crossover)",
        "How often a new version takes values from another person, or from how the person was at the start.",
        low=0.0,
        high=1.0,
        step=0.1,
    ),
    "swap": Words(
        "Chance per feature (gene swap)",
        "In such a mix, how likely each of the features in play is taken over.",
        low=0.0,
        high=1.0,
        step=0.1,
    ),
    "mutate_categorical": Words(
        "Chance to redraw a category (mutation)",
        "How likely a category in play is drawn anew.",
        low=0.0,
        high=1.0,
        step=0.1,
    ),
    "mutate_numeric": Words(
        "Chance to redraw a number (mutation)",
        "How likely a number or ordered level in play is drawn anew.",
        low=0.0,
        high=1.0,
        step=0.1,
    ),
}


def setting_words(name: str) -> Words:
    """The words for a setting, or for what several of them are shown as: `balance` is l to r, `patient` a patience at all,
    `walled` a share of people than whom nobody may be more unusual."""
    if name != "strategy":
        return WORDS[name]
    sentences = " ".join(strategy.sentence for strategy in STRATEGIES.values())
    return Words("How new versions are made", sentences, {name: strategy.title for name, strategy in STRATEGIES.items()})


def idle_settings(settings: Settings) -> frozenset[str]:
    """What shapes new values under other settings, and has no effect under these."""
    idle = DRAWING - strategy_named(settings.strategy).uses
    idle |= PAIRED if settings.selection == "personal" else frozenset()
    return idle | {"angle"} if settings.guidance == "none" else idle


def own_settings(strategy: str) -> list[str]:
    """What a strategy uses beside the settings that all who draw new values share."""
    own = strategy_named(strategy).uses - DRAWING
    return [setting.name for setting in fields(Settings) if setting.name in own]
