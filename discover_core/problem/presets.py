"""Settings with a name, fitted to the size of a group, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from .amounts import percent
from .settings import Settings

FITTED, QUICK = "Fitted", "Quick look"
STEPS = 25  # iterations in which everybody who has to change is helped, if all goes well: a run that one can watch
TURNS = 150  # iterations in which everybody of the group can have a turn
MOST = 200  # iterations
AT_ONCE = 5_000  # people of one iteration that a preset asks for at most, so that an iteration fits into memory
VISITS = 2  # turns that a person takes to arrive, about, where new versions are drawn at random


@dataclass(frozen=True)
class Preset:
    """`make` makes them for a group of n people with f features that may change, of whom some need to."""

    name: str
    sentence: str
    make: Callable[[int, int, int], Settings]

    def settings(self, n: int, f: int, needed: int | None = None) -> Settings:
        """For a group of n people, `needed` of whom have to change (everybody if nobody knows)."""
        return self.make(n, f, n if needed is None else needed)


def _personal(n: int, f: int, needed: int, h: int, candidates: int) -> Settings:
    """People are helped in batches: few enough to watch, many enough for everybody to get a turn."""
    k = max(1, min(n, max(math.ceil(needed / STEPS), math.ceil(n / TURNS)), AT_ONCE))
    return Settings(selection="personal", k=k, h=max(1, min(h, f)), candidates=candidates, iterations=MOST)


def _fitted(n: int, f: int, needed: int) -> Settings:
    return _personal(n, f, needed, 4, 40)


def _quick(n: int, f: int, needed: int) -> Settings:
    return _personal(n, f, needed, 3, 20)


def _paper(n: int, f: int, needed: int) -> Settings:
    """Written out, so that another default elsewhere leaves the paper's numbers alone."""
    return Settings(
        strategy="monte_carlo",
        selection="joint",
        k=3,
        h=3,
        candidates=200,
        iterations=100,
        origin="factual",
        guidance="both",
        angle=45.0,
        numeric_step=0.1,
        categorical_step=1.2,
        temperature=2.0,
        l=0.2,
        r=1.0,
        kappa=0.05,
        stop_when_certified=False,
        patience=None,
        encoding="onehot",
        crossover=0.8,
        swap=0.5,
        mutate_categorical=0.3,
        mutate_numeric=0.8,
        variant="paper",
        usual=None,
    )


def _thorough(n: int, f: int, needed: int) -> Settings:
    return _personal(n, f, needed, 6, 200)


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(FITTED, "As much as this group and this wish need: up to four features of a person change.", _fitted),
        Preset(QUICK, "An answer in little time: up to three features of a person change.", _quick),
        Preset("Paper", "The settings of the published experiments, made for groups of about 50 people.", _paper),
        Preset("Thorough", "More features of a person and many more tries, where others are out of reach.", _thorough),
    )
}


def preset_of(settings: Settings, n: int, f: int, needed: int | None = None) -> str | None:
    """The preset that these settings are for such a group, whatever their seed."""
    for name, preset in PRESETS.items():
        if preset.settings(n, f, needed) == replace(settings, seed=0):
            return name
    return None


def rows_to_score(settings: Settings, n: int) -> int | None:
    """How many proposed rows the model is asked about if the run goes to its last iteration; a personal search cannot say."""
    if settings.selection == "personal":
        return None
    return min(settings.k, n) * settings.candidates * settings.iterations


def enough_for(settings: Settings, n: int) -> int:
    """About how many people can be helped: a turn is a person's place in an iteration."""
    return min(n, settings.k * settings.iterations // (1 if settings.selection == "personal" else VISITS))


def in_words(settings: Settings, n: int, f: int) -> str:
    """What these settings mean for a group of n people with f features that may change."""
    if not f:
        return "No feature may change, so there is nothing to try."
    k, h = min(settings.k, n), min(settings.h, f)
    if settings.selection == "personal":
        features = "One feature" if h == 1 else f"Up to {h:,} features"
        each = "the person who misses" if k == 1 else f"the {k:,} people who miss"
        wall = "" if settings.usual is None else f" Nobody ends up more unusual than {percent(settings.usual)} of all people."
        last = "one iteration" if settings.iterations == 1 else f"{settings.iterations:,} iterations"
        return (
            f"Each iteration finds the least change for {each} most of their goal. {features} of a person may change. Once a "
            "threshold is reached, others who need less take the place of those who need most. It ends by itself, after "
            f"{last} at the latest.{wall}"
        )
    iterations = "One iteration" if settings.iterations == 1 else f"Each of {settings.iterations:,} iterations"
    versions = "one new version" if settings.candidates == 1 else f"{settings.candidates:,} new versions"
    if k == n:
        people = "the only person" if n == 1 else f"each of all {n:,} people"
    else:
        people = "the person who adds" if k == 1 else f"each of the {k:,} people who add"
        people += " most to the distance left"
    features = "one feature" if h == 1 else f"up to {h:,} features"
    total = rows_to_score(settings, n)
    rows = "one row" if total == 1 else f"up to {total:,} rows"
    ends = " It ends earlier when nothing moves any more." if settings.patience is not None else ""
    return f"{iterations} tries {versions} of {people}, changing {features} at a time. The model has to score {rows}.{ends}"


def beyond(settings: Settings, n: int, f: int) -> list[str]:
    """A sentence for each number that is larger than the group or its features allow."""
    out = []
    if settings.k > n:
        out.append(f"The group has {n:,} {'person' if n == 1 else 'people'}, so {settings.k:,} per iteration means everybody.")
    if settings.h > f > 0:
        out.append(f"{f:,} {'feature' if f == 1 else 'features'} may change, so {settings.h:,} per person means all of them.")
    return out
