"""A policy: what each person would be told, whoever else is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ..problem.amounts import amount
from ..problem.amounts import people as so_many
from ..solver.cells import Layout
from ..solver.plan import plan_lines, row_places, usual_movers, usual_people
from ..solver.result import into_rows
from ..table.cohort import Cohort
from ..transport.usual import Usual
from .design import Design
from .doubts import Tally, doubts
from .gaps import Gaps, counted, gap_words
from .ground import Ground, People
from .membership import Membership, group_of, group_words
from .programmes import Programme, no_programme, programme_versions
from .versions import Aim, Versions, personal_versions

if TYPE_CHECKING:
    from .audit import Audit

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]
Kind = Literal["personal", "programmes"]
CHUNK = 6_000  # people who are told at a time
FAR = 0.995  # whoever is more unusual than this share of the people it was learnt from is like none of them
ALONE = "unlike anybody it was learnt from: the policy may not fit"


@dataclass(frozen=True, eq=False)
class Policy:
    """Everybody's aim, and from which merit on (`cut`) a person is worth changing.

    A personal policy looks for each person's least change, with `programmes` everybody gets the cheapest that works.
    `notes` are sentences about why its guarantee may not hold with this model. `audited` is its statement, once there is one,
    and `cohort` the rules of the group it speaks of, where it has such rules.
    """

    kind: Kind
    ground: Ground
    aim: Aim
    cut: float
    design: Design
    programmes: tuple[Programme, ...] = ()
    notes: tuple[str, ...] = ()
    audited: Audit | None = None
    cohort: Cohort | None = None

    @cached_property
    def usual(self) -> Usual:
        """The people it was learnt from, as points; those it knows, where an older file kept no others."""
        known, kept = self.ground.usual, self.design.cells
        return known if kept is None else Usual(known.encoding, Layout(known.encoding).encode(kept))

    @property
    def whom(self) -> str:
        """A sentence about whom its guarantee speaks of."""
        scores, learnt = self.design.scores, so_many(self.design.people)
        if self.cohort is not None:
            return f"“Such people” are people of the group “{group_words(self.cohort)}”, like the {learnt} it was learnt from."
        return (
            f"“Such people” are people like the {learnt} it was learnt from, whose scores go from {amount(scores[0])} to "
            f"{amount(scores[-1])}: no rule says who is one of them."
        )

    def told(self, rows: pd.DataFrame, progress: Callable[[int], None] | None = None) -> Told:
        """What these people are told; `progress` hears how many have been, and may stop it all by raising."""
        parts = list(self.chunks(rows, progress))
        return parts[0] if len(parts) == 1 else Told.together(parts)

    def chunks(self, rows: pd.DataFrame, progress: Callable[[int], None] | None = None) -> Iterator[Told]:
        """The same, some thousands at a time."""
        for at in range(0, max(1, len(rows)), CHUNK):
            some = rows.iloc[at : at + CHUNK]
            people = self.ground.meet(some)
            yield Told.worth(self, some, people, *self._found(people))
            if progress is not None:
                progress(at + len(some))

    def _found(self, people: People) -> tuple[Versions, Indices]:
        """Everybody's best version, worth it or not, and the place of their programme; -1 for none."""
        if self.kind == "personal":
            return personal_versions(people, self.aim), no_programme(people)
        return programme_versions(people, self.aim, [programme.action for programme in self.programmes])

    def apply(self, new_rows: pd.DataFrame) -> pd.DataFrame:
        """A line per person who is told to change, like `result.plan`; `warning` says who is of another group, like nobody it was
        learnt from, or lacks values."""
        return self.told(new_rows).plan

    def rows(self, new_rows: pd.DataFrame) -> pd.DataFrame:
        """The same rows with what would be changed replaced."""
        return self.told(new_rows).rows_after

    def warnings(self, told: Told) -> list[str]:
        """Why the guarantee may not speak of these people, a sentence each."""
        return self.doubts(told.tally)

    def doubts(self, tally: Tally) -> list[str]:
        """The same of people who have been counted."""
        return [*self.notes, *doubts(tally, self.design, self.cohort, self.ground.known.schema)]

    def with_audit(self, audited: Audit | None) -> Policy:
        return replace(self, audited=audited)

    def with_cohort(self, cohort: Cohort) -> Policy:
        """For the people who keep these rules; a group without any is known by its people alone."""
        rules = group_of(cohort)
        return replace(self, cohort=None if rules == Cohort() else rules)

    def write(self, path: str | Path) -> None:
        """`policy.json`, and beside it the model's file, if the model can be saved."""
        from .policy_file import write_policy

        write_policy(self, Path(path))


@dataclass(frozen=True, eq=False)
class Told:
    """What a policy told some people: `before` are their cells, `gaps` those they lacked, `versions` what they would become,
    `given` their programme."""

    policy: Policy
    rows: pd.DataFrame
    before: Floats
    gaps: Gaps
    scores: Floats
    versions: Versions
    given: Indices

    @classmethod
    def worth(cls, policy: Policy, rows: pd.DataFrame, people: People, found: Versions, given: Indices) -> Told:
        """Of the versions found, those that this policy thinks worth it."""
        kept = found.above(policy.cut, people)
        worth = np.where(np.isfinite(kept.merit), given, -1)
        return cls(policy, rows, people.cells, people.gaps, people.scores, kept, worth)

    @classmethod
    def together(cls, parts: list[Told]) -> Told:
        def joined(name: str) -> Any:
            return np.concatenate([getattr(part.versions, name) for part in parts])

        versions = Versions(*(joined(name) for name in ("cells", "scores", "effort", "merit")))
        before, gaps, scores, given = (
            np.concatenate([getattr(part, name) for part in parts]) for name in ("before", "gaps", "scores", "given")
        )
        return cls(parts[0].policy, pd.concat([part.rows for part in parts]), before, gaps, scores, versions, given)

    def some(self, places: Indices) -> Told:
        """What some of them were told."""
        found = self.versions
        versions = Versions(found.cells[places], found.scores[places], found.effort[places], found.merit[places])
        before, gaps = self.before[places], self.gaps[places]
        return Told(self.policy, self.rows.iloc[places], before, gaps, self.scores[places], versions, self.given[places])

    @property
    def ground(self) -> Ground:
        return self.policy.ground

    @property
    def after(self) -> Floats:
        return self.versions.cells

    @cached_property
    def changed(self) -> NDArray[np.bool_]:
        return np.asarray((self.before != self.after).any(axis=1))

    @cached_property
    def usual_before(self) -> Floats:
        """The share of the people it was learnt from who are less unusual than each."""
        return usual_people(self.policy.usual, self.before, self.before).before

    @cached_property
    def membership(self) -> Membership:
        """Who of them is not of those the guarantee speaks of."""
        policy = self.policy
        return Membership.of(policy.cohort, policy.design, self.ground, self.before, self.scores, self.gaps)

    @property
    def tally(self) -> Tally:
        found, far = self.membership, self.usual_before > FAR
        far_count, outside, beyond, undecided = (int(some.sum()) for some in (far, found.outside, found.beyond, found.open))
        return Tally(self.scores, far_count, outside, beyond, undecided, counted(self.gaps))

    @cached_property
    def plan(self) -> pd.DataFrame:
        usual = usual_movers(self.policy.usual, self.before, self.after)
        cells, scores = (self.before, self.after), (self.scores, self.versions.scores)
        rows, effort, lacks = row_places(self.rows), self.versions.effort, self.gaps != 0
        lines = plan_lines(self.ground.layout, cells, rows, effort, usual, scores, lacks)
        return lines.assign(warning=self._warning(lines.index.to_numpy(), lines["usual_before"].to_numpy()))

    @cached_property
    def everybody(self) -> pd.DataFrame:
        """A line per person, in their order, whoever changes or not."""
        lines = self.plan.reindex(np.arange(len(self.rows)))
        lines["row"], lines["score_before"], lines["score_after"] = row_places(self.rows), self.scores, self.versions.scores
        lines["cells"], lines["effort"] = (self.before != self.after).sum(axis=1), self.versions.effort
        lines["usual_before"] = self.usual_before
        lines["usual_after"] = np.where(self.changed, lines["usual_after"], self.usual_before)
        lines["changes"] = lines["changes"].fillna("no change").astype(object)
        lines["warning"] = self._warning(np.arange(len(lines)), self.usual_before)
        return lines

    def _warning(self, people: Indices, usual: Floats) -> pd.Series[str]:
        """What a case worker should know of these people, who are so unusual."""
        words = self.membership.words
        parts = zip(
            [words.get(person, "") for person in people.tolist()],
            np.where(usual > FAR, ALONE, "").tolist(),
            gap_words(self.gaps[people], self.ground.known.schema),
            strict=True,
        )
        return pd.Series(["; ".join(filter(None, part)) for part in parts], index=people, dtype="str")

    @property
    def lines(self) -> pd.DataFrame:
        """`everybody` for a file that people read: rows are counted from 1, as on the pages."""
        return self.everybody.assign(row=self.everybody["row"] + 1)

    @property
    def rows_after(self) -> pd.DataFrame:
        layout = self.ground.layout
        return into_rows(self.rows, self.ground.known.schema, layout.table(self.before), layout.table(self.after))
