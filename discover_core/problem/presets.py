"""Settings with a name, fitted to the size of a group, and what they cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .settings import Settings

FITTED = "Fitted"
MANY = 500  # people who have to change from which on each is tried less often per iteration
PATIENCE = 10  # iterations without progress that end a fitted run
VISITS = 2  # turns that a person takes to arrive, about
AT_ONCE = 100_000  # rows of one iteration that a preset asks for at most, so that an iteration fits into memory


@dataclass(frozen=True)
class Preset:
    """`make` makes them for a group of n people with f features that may change, of whom some need to."""

    name: str
    sentence: str
    make: Callable[[int, int, int], Settings]

    def settings(self, n: int, f: int, needed: int | None = None) -> Settings:
        """For a group of n people, `needed` of whom have to change (everybody if nobody knows)."""
        return self.make(n, f, n if needed is None else needed)


def _fitted(n: int, f: int, needed: int) -> Settings:
    """Everybody who has to change gets their turn in every iteration, so that nobody stands in another's way."""
    candidates = 40 if needed <= MANY else 20
    k = max(1, min(n, max(6, needed), AT_ONCE // candidates))
    h = max(1, min(3, f))
    return Settings(selection="rowwise", k=k, h=h, candidates=candidates, iterations=200, patience=PATIENCE)


def _quick(n: int, f: int, needed: int) -> Settings:
    return Settings(selection="rowwise", k=_people(n, 0.05, 3, 20), h=max(1, min(3, f)), candidates=20, iterations=40)


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
    )


def _thorough(n: int, f: int, needed: int) -> Settings:
    return Settings(selection="rowwise", k=_people(n, 0.2, 10, 100), h=max(1, min(3, f)), candidates=100, iterations=300)


def _people(n: int, share: float, least: int, candidates: int) -> int:
    """A share of the group, but not too few, not more than there are, and not more than one iteration can hold."""
    return max(1, min(n, max(least, round(share * n)), AT_ONCE // candidates))


PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(FITTED, "As much as this group and this wish need.", _fitted),
        Preset("Quick look", "A first answer in little time: is the goal within reach at all?", _quick),
        Preset("Paper", "The settings of the published experiments, made for groups of about 50 people.", _paper),
        Preset("Thorough", "Many more tries, for the answer you will present: it usually comes closer.", _thorough),
    )
}


def preset_of(settings: Settings, n: int, f: int, needed: int | None = None) -> str | None:
    """The preset that these settings are for such a group, whatever their seed."""
    for name, preset in PRESETS.items():
        if preset.settings(n, f, needed) == replace(settings, seed=0):
            return name
    return None


def rows_to_score(settings: Settings, n: int) -> int:
    """How many proposed rows the model is asked about if the run goes to its last iteration."""
    return min(settings.k, n) * settings.candidates * settings.iterations


def enough_for(settings: Settings, n: int) -> int:
    """About how many people can be helped: a turn is a person's place in an iteration."""
    return min(n, settings.k * settings.iterations // VISITS)


def in_words(settings: Settings, n: int, f: int) -> str:
    """What these settings mean for a group of n people with f features that may change."""
    if not f:
        return "No feature may change, so there is nothing to try."
    k, h = min(settings.k, n), min(settings.h, f)
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
