"""Did people get what they asked for? The wish against what was reached, and what would help if it was missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..certificate.statement import Certificate
from ..problem.actionability import Actionability
from ..problem.amounts import people, percent
from ..problem.budget import Budget
from ..problem.settings import Settings
from ..problem.wish import DUST, WAY, Wish, typical_gap
from .spending import Spending

Floats = NDArray[np.float64]
Status = Literal["reached", "uncertified", "partly", "missed", "impossible", "unchanged"]
LITTLE = 0.25  # of the typical gap closed: below it another model is worth a try
RESTING = 3  # iterations without progress after which a search is hardly moving
GIVEN_UP = 10  # iterations without progress after which nothing can be expected
NAMED = 4  # locked features that are named


@dataclass(frozen=True)
class Course:
    """What the search did on its way: its budget, where it stood when it ended, and what it was not allowed."""

    settings: Settings
    iterations: int
    still: int
    model_rows: int
    needed: int
    locked: tuple[str, ...]
    open: int  # features that are not locked
    gap: float  # typical gap to the target before the first iteration
    budget: Budget = Budget()  # noqa: RUF009 - it never changes
    rules: int = 0  # how many hold between columns
    ended: bool = True  # nobody stopped it, and nothing broke

    @property
    def personal(self) -> bool:
        return self.settings.selection == "personal"

    @property
    def cut(self) -> bool:
        """Whether it ended before it had come to an end of its own."""
        return not self.ended or self.iterations >= self.settings.iterations

    def eased(self, certificate: Certificate) -> bool:
        """Whether it did less than it could because bounds held: a personal search only if it was to end with them."""
        if self.personal:
            return self.settings.stop_when_certified and certificate.certified
        return certificate.ucl_y <= certificate.bounds.u_y

    def exhausted(self, certificate: Certificate) -> bool:
        """Whether everybody who was to be helped had their turn: only a personal search knows."""
        return self.personal and not self.cut and not self.eased(certificate)

    @classmethod
    def of(
        cls,
        wish: Wish,
        outputs: Floats,
        actions: Actionability,
        settings: Settings,
        last: tuple[int, int, int],
        budget: Budget = Budget(),  # noqa: B008 - it never changes
        rules: Sequence[str] = (),
        ended: bool = True,
    ) -> Course:
        """`last` is the iteration, the count of iterations without progress, and the rows scored when it ended."""
        locked = tuple(rule.name for rule in actions if rule.mode == "locked")
        iteration, still, model_rows = last
        needed, gap = wish.needed(outputs), typical_gap(outputs, wish.target)
        open_ = len(actions.editable)
        return cls(settings, iteration, still, model_rows, needed, locked, open_, gap, budget, len(rules), ended)


@dataclass(frozen=True)
class Verdict:
    """`asked`, `reached` and `before` are in the wish's own unit: a share of the group, or a typical gap to the target.

    `met`: the wish itself was reached. `certified`: both limits hold, by a band that is valid at every group size, and at least
    nine tenths of the way were gone: bounds of one's own may allow less, and are then not called a certificate.
    `sentence` is the headline, `certificate` the second sentence; `help` is what would bring a missed wish nearer.
    """

    met: bool
    asked: float
    reached: float
    before: float
    unit: Literal["share", "gap"]
    certified: bool
    status: Status
    sentence: str
    certificate: str
    help: tuple[str, ...] = ()

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Verdict:
        return cls(**{**data, "help": tuple(data["help"])})


def judge(wish: Wish, outputs: Floats, spending: Spending, certificate: Certificate, course: Course | None) -> Verdict:
    """The verdict on outputs that took so much; without a course no search was made, and nothing would help it."""
    reached = wish.reached(outputs)
    met = not wish.shortfall(reached)
    far = met or wish.way(reached) >= WAY - DUST
    status = _status(wish, reached, met, spending.changed, certificate, course)
    limits = [] if met or course is None else _limits(wish, reached, spending, course)
    quiet = status in ("reached", "unchanged") and not limits
    return Verdict(
        met,
        wish.asked,
        reached,
        wish.before,
        "gap" if wish.past is None else "share",
        certificate.guaranteed and far,
        status,
        f"{_headline(wish, reached, met, status)} {wish.sentence(reached)}",
        _second(status, met, far, certificate, course, bool(limits)),
        () if course is None or quiet else (*limits, *_help(wish, outputs, met, certificate, course, spending)),
    )


def _status(wish: Wish, reached: float, met: bool, changed: int, certificate: Certificate, course: Course | None) -> Status:
    if not changed and (met or (certificate.certified and (course is None or course.eased(certificate)))):
        return "unchanged"
    if met:
        return "reached" if certificate.certified else "impossible" if certificate.never else "uncertified"
    if not changed and course is not None and (course.still >= GIVEN_UP or course.exhausted(certificate)):
        return "impossible"
    return "partly" if wish.way(reached) > 0 else "missed"


def _headline(wish: Wish, reached: float, met: bool, status: Status) -> str:
    if status == "reached":
        return "Reached."
    if status == "unchanged":
        return (
            "Nobody changes: the wish is met as it is."
            if met
            else "Nobody changes: the bounds already hold for the group as it is."
        )
    if status == "uncertified":
        return "Reached, but not certified."
    if status == "partly":
        return f"Partly: {wish.part(reached)}."
    if status == "missed":
        return (
            "Not reached: "
            + ("the scores are no closer" if wish.past is None else "no more of the group are there")
            + " than before."
        )
    return (
        "Reached, but it could never be certified."
        if met
        else "It was not possible: no change that was tried brings anybody closer."
    )


def _second(status: Status, met: bool, far: bool, certificate: Certificate, course: Course | None, limited: bool) -> str:
    """The certificate in plain words, or why there could be none; `limited` if a budget or rules may be to blame."""
    if status == "unchanged" and not met:
        return f"{certificate.plain} That is so without any change{'' if limited else ': for something to happen, lower U_y'}."
    if status == "impossible" and not met and course is not None:
        tried = f"{course.model_rows:,} changed versions were tried"
        return f"{tried}, and none was better than no change: what may change hardly matters to this model, or costs too much."
    if certificate.never:
        return f"No certificate could be had: {certificate.never}"
    if certificate.certified and not far:
        return f"Not certified: both limits hold, but a certificate takes {percent(WAY)} of the way, and your bounds allow less."
    return certificate.plain


def _limits(wish: Wish, reached: float, spending: Spending, course: Course) -> list[str]:
    """What of the budget, or of the rules, may have kept people from the wish, and by how much it falls short."""
    ways = spending.limits(course.budget, course.needed, course.rules)
    return [f"{way}; {wish.missing(reached)}." if way == ways[0] else f"{way}." for way in ways]


def _help(wish: Wish, outputs: Floats, met: bool, certificate: Certificate, course: Course, spending: Spending) -> Sequence[str]:
    """What would help, the likeliest first. Once a budget is used up, nothing speaks against model, locks or features."""
    ways, bounds, settings = [], certificate.bounds, course.settings
    spent = spending.used_up(course.budget)
    if not met:
        reach = settings.k * max(1, course.iterations)
        exhausted = course.exhausted(certificate)
        if exhausted and not spent and course.budget.features is None and settings.h < course.open:
            ways.append(f"More features per person: {_together(settings.h)}.")
        if not exhausted and reach < course.needed and course.budget.people is None:
            ways.append(
                f"More people per iteration: {settings.k:,} in each of {course.iterations:,} iterations are at most "
                f"{people(reach)}, and {wish.least} {course.needed:,} have to change."
            )
        elif course.still < RESTING and not course.personal:
            ways.append("More iterations: the scores were still moving when the run ended.")
        if course.personal and course.cut:
            ways.append("More iterations: the run ended before the search had come to an end of its own.")
        if wish.way(wish.reached(outputs)) >= WAY - DUST and not exhausted:
            ways.append(
                "Another try: little is missing, and the search draws at random (another seed, or more tries per iteration)."
            )
        if course.eased(certificate):
            ways.append(
                "Less room for the scores (a smaller U_y): the search eases off once its bound holds, and yours holds too early."
            )
    if certificate.ucl_x > bounds.u_x and not certificate.never:
        ways.append("More room for the inputs (a larger U_x): the changes that were found need more than is allowed.")
    if met and certificate.ucl_y > bounds.u_y and not certificate.never:
        ways.append("A larger group, or more room for the scores (a larger U_y).")
    if met and certificate.never:
        ways.append(
            "A larger group, fewer slices, more left out at each end, or wider bounds: the Scenario page says which is enough."
        )
    if not met and not spent and course.gap and typical_gap(outputs, wish.target) > (1 - LITTLE) * course.gap:
        ways.append("Another model: the scores of this one hardly follow what may change.")
    if not met:
        ways.append(f"A smaller wish: {wish.found(outputs)} is what was found within these rules.")
    if not met and not spent and course.locked:
        named = ", ".join(course.locked[:NAMED]) + (" and others" if len(course.locked) > NAMED else "")
        ways.append(f"Fewer locks, if any of these could change after all: {named}.")
    return ways


def _together(h: int) -> str:
    return "one feature of a person changed" if h == 1 else f"at most {h:,} of a person’s features changed together"
