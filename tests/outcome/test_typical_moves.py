"""Every count and range in the words is recomputed from the cells; no word names what did not change."""

import re

import numpy as np
import pytest

from discover_core.outcome.typical_moves import feature_shares, in_words, typical_moves
from discover_core.table.schema import Column, Schema

from ..workers.scenarios import german
from .made import SCHEMA, outcome, random_outcome, solved

COUNT = re.compile(r"^([\d,]+) (?:person|people): (.*)$")
LEVELS = r"(?:“[^”]*”(?:, | or )?)+"
STEP = re.compile(
    rf"(?P<name>{'|'.join(re.escape(name) for name in SCHEMA.feature_names)}) (?:"
    r"(?P<way>up|down|earlier|later) (?:by (?P<low>[\d.,]+)(?: to (?P<high>[\d.,]+))?(?P<rest>[^“]*?)|to “(?P<reached>[^”]*)”)"
    rf"|from “(?P<origin>[^”]*)” to “(?P<goal>[^”]*)”|to “(?P<to>[^”]*)”(?:, from (?P<origins>{LEVELS}))?)(?: and |$)"
)


@pytest.fixture(scope="module")
def real():
    return solved(german(12))


def makes(found, step):
    """Who makes the step that was read from the words, by brute force, and how far each goes."""
    j = found.schema.feature_names.index(step["name"])
    column = found.schema.features[j]
    before, after = found.group.cells[:, j], found.cells[:, j]
    if step["way"]:
        up = step["way"] in ("up", "later")
        return [i for i in range(len(before)) if (after[i] > before[i] if up else after[i] < before[i])], np.abs(after - before)
    goal = column.levels.index(step["goal"] or step["to"])
    return [i for i in range(len(before)) if after[i] == goal != before[i]], np.abs(after - before)


def check(found, move):
    """The sentence of one move against the cells."""
    count, words = COUNT.match(str(move)).groups()
    steps = [match.groupdict() for match in STEP.finditer(words)]
    assert "".join(match.group() for match in STEP.finditer(words)) == words
    assert [step["name"] for step in steps] == list(move.features)
    people = set.intersection(*(set(makes(found, step)[0]) for step in steps))
    assert people == set(move.people.tolist())
    assert int(count.replace(",", "")) == len(people) > 0
    who = sorted(people)
    for step in steps:
        j = found.schema.feature_names.index(step["name"])
        column, far = found.schema.features[j], makes(found, step)[1][who]
        if step["low"]:
            low, high = far.min(), far.max()
            if "(the middle 80%)" in step["rest"]:
                low, high = np.sort(far)[[int(np.ceil(0.1 * len(far))) - 1, int(np.ceil(0.9 * len(far))) - 1]]
            ends = [float(step[end].replace(",", "")) for end in ("low", "high") if step[end]]
            assert ends == pytest.approx(sorted({low, high}), rel=5e-3)
            unit = "level" if column.categorical else "day" if column.date else column.unit
            unit += "s" if unit in ("level", "day") and ends != [1] else ""
            assert step["rest"].removesuffix("(the middle 80%)").strip() == unit
        if step["reached"]:
            assert {column.levels[int(code)] for code in found.cells[who, j]} == {step["reached"]}
        named = re.findall("“([^”]*)”", step["origins"] or "") or ([step["origin"]] if step["origin"] else [])
        if named:
            assert {column.levels[int(code)] for code in found.group.cells[who, j]} == set(named)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_every_move_is_true(seed, share):
    found = random_outcome(n=80, seed=seed, share=share)
    moves = typical_moves(found)
    assert 1 <= len(moves) <= 6
    for move in moves:
        check(found, move)
    counts = [len(move.people) for move in moves]
    assert counts == sorted(counts, reverse=True)
    assert len({move.words for move in moves}) == len(moves)


def test_a_real_run(real):
    j = {name: i for i, name in enumerate(real.schema.feature_names)}
    for move in typical_moves(real):
        assert set(move.people) <= set(real.movers.tolist())
        assert all(real.changed[who, j[name]] for who in move.people for name in move.features)
    said = in_words(real)
    changed = (real.cells != real.group.cells).any(axis=1)
    assert said[0] == f"{changed.sum()} of 80 people change, in {(real.cells != real.group.cells).sum()} values in all."
    assert 3 <= len(said) <= 9
    still = [name for name in j if not real.changed[:, j[name]].any()]
    about_changes = [text for text in said if COUNT.match(text) or text.startswith("The largest part")]
    assert len(about_changes) >= 2
    assert not [name for name in still for text in about_changes if re.search(rf"\b{re.escape(name)}\b", text)]


def test_who_carried_it_by_brute_force():
    found = random_outcome()
    points = found.group.layout.encode(found.cells) - found.group.layout.encode(found.group.cells)
    wanted = {
        block.column.name: (points[:, block.start : block.stop] ** 2).sum() / (found.effort**2).sum()
        for block in found.group.layout.encoding.blocks
    }
    parts = feature_shares(found)
    assert {part.feature: part.share for part in parts} == pytest.approx(wanted)
    assert [part.share for part in parts] == sorted((part.share for part in parts), reverse=True)
    assert {part.feature: part.people for part in parts} == dict(zip(wanted, found.changed.sum(axis=0), strict=True))


def group(n):
    return np.tile([30.0, 5.0, 15_000.0, 0.0, 0.0, 0.0], (n, 1))


def test_moves_that_go_together_are_told_together():
    before, after = group(20), group(20)
    after[:8, 0] -= np.arange(6, 14)
    after[:8, 3] = 2
    after[8:15, 4] = 1
    found = outcome(before, after, weights={"Duration": 0.2})
    assert [str(move) for move in typical_moves(found)] == [
        "8 people: Duration down by 6 to 13 months and Savings up to “rich”",
        "7 people: Housing from “rent” to “own”",
    ]
    assert in_words(found)[1] == (
        "The largest part of the change is in "
        "Duration (77% of it, 8 people), then Housing (18% of it, 7 people) and Savings (5% of it, 8 people)."
    )


def test_a_few_who_go_much_further_do_not_stretch_the_range():
    before, after = group(20), group(20)
    after[:, 2] += [1, *range(10, 27), 27, 4000]
    assert [str(move) for move in typical_moves(outcome(before, after))] == [
        "20 people: Since later by 10 to 26 days (the middle 80%)"
    ]


def test_nobody_one_and_everybody():
    same = group(5)
    assert typical_moves(outcome(same, same)) == feature_shares(outcome(same, same)) == []
    assert in_words(outcome(same, same)) == ["Nobody changes: all 5 people keep every value."]
    one = same.copy()
    one[2, 1] = 4.25
    assert in_words(outcome(same, one)) == [
        "1 of 5 people changes, in 1 value in all.",
        "Rate is the only feature that changes.",
        "1 person: Rate down by 0.75 %.",
        "4 people were left alone.",
    ]
    assert in_words(outcome(same[2:3], one[2:3]))[0] == "The one person changes, in 1 value in all."
    assert in_words(outcome(same[:1], same[:1])) == ["The one person keeps every value."]
    everybody = same + np.array([6, 0, 0, 0, 0, 0])
    assert in_words(outcome(same, everybody))[2:] == [
        "5 people: Duration up by 6 months.",
        "Nobody was left alone: everybody changes.",
    ]


def test_one_level_and_one_day():
    before, after = group(4), group(4)
    before[:, 3], after[:, 3] = [0, 0, 1, 1], [1, 1, 2, 2]
    assert str(typical_moves(outcome(before, after))[0]) == "4 people: Savings up by 1 level"
    after = group(4)
    after[:, 2] += 1
    assert str(typical_moves(outcome(group(4), after))[0]) == "4 people: Since later by 1 day"


def test_odd_names_stay_as_they_are():
    before, after = group(4), group(4)
    after[:3, 5] = 2
    assert str(typical_moves(outcome(before, after))[0]) == "3 people: <script>; =a → b from “-1” to “+1”"


def test_rare_moves_are_not_typical():
    before, after = group(100), group(100)
    after[:99, 0] += 5
    after[99, 4] = 1
    assert [move.features for move in typical_moves(outcome(before, after))] == [("Duration",)]


def test_when_everybody_does_something_else():
    before, after = group(6), group(6)
    after[[0, 1, 2, 3, 4], [0, 0, 4, 4, 3]] = [31, 29, 1, 2, 1]
    found = outcome(before, after)
    assert typical_moves(found) == []
    assert in_words(found)[2] == "No move is typical: none is made by 2 people or more."


@pytest.mark.parametrize(
    ("origins", "words"),
    [([1], "from “a” to “e”"), ([1, 2, 3], "to “e”, from “a”, “b” or “c”"), ([1, 2, 3, 4], "to “e”")],
)
def test_where_people_came_from(origins, words):
    schema = Schema((Column("X", "nominal", levels=("e", "a", "b", "c", "d")),))
    before = np.repeat(origins, 2)[:, None]
    assert str(typical_moves(outcome(before, 0 * before, schema))[0]) == f"{len(before)} people: X {words}"
