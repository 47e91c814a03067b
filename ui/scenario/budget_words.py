"""The words for the settings of a search: a label and a help for each, and a name for each option."""

from __future__ import annotations

WORDS: dict[str, tuple[str, str]] = {
    "k": (
        "People per iteration (k)",
        "An iteration works on the people who add most to the distance that is left. More of them move a large group faster.",
    ),
    "h": (
        "Features per person (h)",
        "How many features of a person one iteration may change. Over several iterations more of them may change.",
    ),
    "candidates": (
        "Tries per iteration",
        "New versions that are tried for each of these people. They stay as they are when no try is better.",
    ),
    "iterations": ("Iterations", "How often this is repeated. The cost grows in step."),
    "seed": ("Seed", "Chance decides what is tried. The same seed gives the same answer again."),
    "strategy": (
        "How new versions are made",
        "Random tries: some features are drawn anew. Mixing: values are also taken from another person, or from the person’s own "
        "start. Ever smaller steps: random tries, wide at first and fine at the end. Differences: a number moves "
        "by half the difference between two people.",
    ),
    "selection": (
        "What is taken from an iteration",
        "Each person’s own best version makes use of every try and stays steady however many people an iteration has. "
        "The best whole set is the paper’s rule: one try decides for all people of the iteration, which suits a few.",
    ),
    "origin": (
        "A new value starts from (origin)",
        "A random person’s value, as it was at the start, reaches further: the default, and what the paper’s own code does. "
        "The paper’s text starts from the person’s present value; small steps from there may never leave a short scale.",
    ),
    "guidance": (
        "Pull towards the original group (guidance)",
        "Which new values lean towards keeping the group as it was. Ordered levels count as numbers.",
    ),
    "angle": (
        "Angle around the pull (degrees)",
        "How far a step may turn away from the pull. Small: almost straight back to the original group. 180: anywhere.",
    ),
    "numeric_step": (
        "Longest step of a number",
        "How far a new number may lie from where it starts, as a share of the feature’s range: 0.1 is a tenth.",
    ),
    "categorical_step": (
        "Longest step of a category",
        "Categories are points on a fixed random map, some 3 to 6 apart. A step on it comes first, then a category near its end "
        "is drawn. The longer the step, the more often it is another one.",
    ),
    "temperature": (
        "Freedom of categories (temperature)",
        "How freely a category is drawn. Low: almost always the nearest on the map. High: any may come up.",
    ),
    "weight": (
        "Weight on the outcome (l to r)",
        "At 0 only staying like the original group counts, at 1 only reaching the wished outcome. Each iteration takes a "
        "weight from this range, by which of the two needs it more.",
    ),
    "kappa": (
        "Narrowing per iteration (kappa)",
        "By this share the range of the weight gets shorter in each iteration, so that the weight settles: 0.05 is 5%.",
    ),
    "stop_when_certified": (
        "Stop as soon as both bounds hold",
        "Both confidence limits keep their bounds then, but the wish may not be met yet. Without this, the best iteration of "
        "all is the answer.",
    ),
    "patient": ("Stop when nothing gets better", "Ends the search after some iterations in a row in which no try was better."),
    "patience": ("Iterations without a change (patience)", "So many in a row in which no try was better end the search."),
    "encoding": (
        "Distance between categories (encoding)",
        "For categories without an order. Counting along a list invents an order: only to compare with published figures.",
    ),
    "crossover": (
        "Chance to mix (crossover)",
        "How often a new version takes values from another person, or from how the person was at the start.",
    ),
    "swap": ("Chance per feature (gene swap)", "In such a mix, how likely each of the features in play is taken over."),
    "mutate_categorical": ("Chance to redraw a category (mutation)", "How likely a category in play is drawn anew."),
    "mutate_numeric": ("Chance to redraw a number (mutation)", "How likely a number or ordered level in play is drawn anew."),
}
OPTIONS: dict[str, dict[str, str]] = {
    "strategy": {
        "monte_carlo": "Random tries (Monte Carlo)",
        "genetic": "Mixing and random tries (genetic)",
        "annealing": "Ever smaller steps (annealing)",
        "differential_evolution": "Differences between people (differential evolution)",
    },
    "selection": {"rowwise": "Each person’s own best version", "joint": "The best whole set (paper)"},
    "origin": {"factual": "A random person’s value", "current": "The person’s present value"},
    "guidance": {"both": "Numbers and categories", "numeric": "Numbers only", "categorical": "Categories only", "none": "None"},
    "encoding": {"onehot": "All equally far apart", "label": "Counted along a list (paper’s code)"},
}
