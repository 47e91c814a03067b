"""Random rules against plain Python: what they say of each row and of a change, and which ones contradict each other."""

import operator
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.column_rules import ColumnRules
from discover_core.table.schema import Column, Schema

COMPARE = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
    "!=": operator.ne,
}
AWKWARD = (
    "a",
    "A b",
    "a-b",
    "a b",
    "b",
    "x.1",
    "x",
    "60 days",
    "in",
    "and",
    "a and b",
    "a <= b",
    "2 * a",
    'q"q',
    "“",
    "then",
    "3",
    " c ",
)
LEVELS = ("low", "low, high", "high", "x and y", "(none)", "1", "1.5", 'q"', "then")


def read(texts, schema):
    """The rules, or why there are none."""
    try:
        return ColumnRules.of(texts, schema), ""
    except InputError as error:
        return None, str(error)


def quoted(random, name, odd):
    """In either kind of quotes; without, where it is not odd."""
    if not odd and random.random() < 0.5:
        return name
    return f"“{name}”" if "”" not in name and random.random() < 0.3 else '"' + name.replace('"', '""') + '"'


def random_schema(random):
    columns = []
    for name in random.sample(AWKWARD, random.randint(2, 6)):
        role = random.choice(["numeric", "numeric", "ordinal", "nominal"])
        if role == "numeric":
            columns.append(Column(name, role, low=-2, high=3, step=0.1))
        else:
            columns.append(Column(name, role, levels=tuple(random.sample(LEVELS, random.randint(1, 5)))))
    return Schema((Column("n", "numeric", low=-2, high=3, step=0.1), *columns))


def random_sum(random, schema):
    """Its text, and a function from a row (values by name) to an exact number."""
    numbers = [column.name for column in schema if column.role == "numeric"]
    text, terms = "", []
    for i in range(random.randint(1, 3)):
        sign = random.choice([1, 1, -1])
        text += (" + " if i else "") if sign > 0 else random.choice([" - ", " -"])
        number = Fraction(random.randint(0, 30), 10)
        if random.random() < 0.3:
            text += str(float(number))
            terms.append((sign * number, None))
        else:
            name = random.choice(numbers)
            once = random.random() < 0.6
            text += "" if once else f"{float(number)}{random.choice([' ', ' * ', '*'])}"
            text += quoted(random, name, name != "n")
            terms.append((sign * (1 if once else number), name))
    return (
        text,
        lambda row: sum(number * (1 if name is None else row[name]) for number, name in terms),
        {n for _, n in terms if n},
    )


def random_comparison(random, schema):
    """Its text, whether it holds for a row, and the columns it names."""
    column = random.choice(schema.columns)
    if not column.categorical:
        left, value, names = random_sum(random, schema)
        right, other, more = random_sum(random, schema)
        sign = random.choice(list(COMPARE))
        return f"{left} {sign} {right}", lambda row: COMPARE[sign](value(row), other(row)), names | more
    name = quoted(random, column.name, odd=True)
    if random.random() < 0.4:
        some = random.sample(column.levels, random.randint(1, len(column.levels)))
        listed = ", ".join(quoted(random, level, odd=True) for level in some)
        return f"{name} in ({listed})", lambda row: row[column.name] in some, {column.name}
    sign = random.choice(list(COMPARE) if column.role == "ordinal" else ["=", "!="])
    level = random.choice(column.levels)
    place = column.levels.index
    text = f"{name}{sign}{quoted(random, level, odd=level in ('then', 'q'))}"
    return text, lambda row: COMPARE[sign](place(row[column.name]), place(level)), {column.name}


def random_rule(random, schema):
    then, holds, names = random_comparison(random, schema)
    if random.random() < 0.5:
        return then, holds, names
    parts = [random_comparison(random, schema) for _ in range(random.randint(1, 2))]
    text = f"if {' and '.join(part[0] for part in parts)} then {then}"
    every = names.union(*(part[2] for part in parts))
    return text, lambda row: not all(part[1](row) for part in parts) or holds(row), every


def random_rows(random, schema, count):
    """Rows as cells and as exact values."""
    rows = []
    for _ in range(count):
        rows.append({c.name: random.choice(c.levels) if c.categorical else Fraction(random.randint(-20, 30), 10) for c in schema})
    return rows, np.array(
        [[c.levels.index(row[c.name]) if c.categorical else float(row[c.name]) for c in schema] for row in rows]
    )


@given(st.randoms(use_true_random=False))
def test_what_is_written_is_what_is_checked(random):
    schema = random_schema(random)
    rows, cells = random_rows(random, schema, 30)
    for _ in range(5):
        text, holds, _ = random_rule(random, schema)
        broken = [not holds(row) for row in rows]
        rules, refusal = read([text], schema)
        if rules is None:
            assert "Nobody can keep" in refusal
            assert all(broken), text
            continue
        assert rules.broken(cells)[:, 0].tolist() == broken, text
        again = ColumnRules.of((rules.words(0),), schema)
        assert again.broken(cells)[:, 0].tolist() == broken, rules.words(0)


@given(st.randoms(use_true_random=False))
def test_a_change_violates_what_it_breaks(random):
    schema = random_schema(random)
    before, now = random_rows(random, schema, 20)
    after, then = random_rows(random, schema, 20)
    for i, row in enumerate(after):
        for j, column in enumerate(schema):
            if random.random() < 0.6:
                row[column.name], then[i, j] = before[i][column.name], now[i, j]
    text, holds, _ = random_rule(random, schema)
    together = random.sample([column.name for column in schema], 2)
    both = f"{' and '.join(quoted(random, name, odd=True) for name in together)} change together"
    try:
        rules = ColumnRules.of((text, both), schema)
    except InputError:
        return
    used = [schema.columns[j].name for j in rules.columns(0)]
    wanted = []
    for old, new in zip(before, after, strict=True):
        binds = holds(old) or any(old[name] != new[name] for name in used)
        moved = [old[name] != new[name] for name in together]
        wanted.append([binds and not holds(new), any(moved) and not all(moved)])
    assert rules.violated(now, then).tolist() == wanted
    assert rules.allowed(now, then[None]).tolist() == [[not any(row) for row in wanted]]


def linear(random, names):
    terms = [(random.choice([-2, -1, 1, 2]), name) for name in random.sample(names, random.randint(1, len(names)))]
    text = " + ".join(f"{number} * {name}" for number, name in terms)
    sign, limit = random.choice(["<=", "<", ">=", ">", "=", "!="]), random.randint(-6, 6)
    return f"{text} {sign} {limit}", lambda row: COMPARE[sign](sum(number * row[name] for number, name in terms), limit)


@given(st.randoms(use_true_random=False))
def test_rules_that_somebody_could_keep_are_never_called_a_contradiction(random):
    names = ["p", "q", "r"][: random.randint(1, 3)]
    ends = {name: sorted((random.randint(-3, 3), random.randint(-3, 3))) for name in names}
    schema = Schema(tuple(Column(name, "numeric", low=low, high=high, step=1) for name, (low, high) in ends.items()))
    rules = list(dict(linear(random, names) for _ in range(random.randint(1, 5))).items())
    points = [dict(zip(names, point, strict=True)) for point in product(*(range(low, high + 1) for low, high in ends.values()))]
    kept = [[holds(point) for _, holds in rules] for point in points]
    made, refusal = read([text for text, _ in rules], schema)
    if made is not None:
        return
    assert not any(map(all, kept)), refusal
    if "contradict" in refusal:
        named = [i for i, (text, _) in enumerate(rules) if f"“{ColumnRules.of((text,), schema).words(0)}”" in refusal]
        assert not any(all(row[i] for i in named) for row in kept)
        for left_out in named:
            assert read([rules[i][0] for i in named if i != left_out], schema)[0] is not None


@pytest.mark.parametrize(
    ("texts", "named"),
    [
        (["a <= 2", "b <= a", "a >= 3"], ["a <= 2", "a >= 3"]),
        (["a <= b", "c = 1", "b <= c", "c < a"], ["a <= b", "b <= c", "c < a"]),
        (["a < b", "b <= a"], ["a < b", "b <= a"]),
        (["a < 2", "b = 3", "a >= 2"], ["a < 2", "a >= 2"]),
        (["job = x", "a <= 2", "job in (y, z)"], ["job = x", "job in (y, z)"]),
        (["a + b <= 3", "a - b >= 2", "b >= 1"], ["a + b <= 3", "a - b >= 2", "b >= 1"]),
    ],
)
def test_a_contradiction_names_a_smallest_set(texts, named):
    numbers = tuple(Column(name, "numeric", low=0, high=1e6) for name in "abc")
    schema = Schema((*numbers, Column("job", "nominal", levels=("x", "y", "z"))))
    with pytest.raises(InputError) as error:
        ColumnRules.of(texts, schema)
    assert [text for text in texts if f"“{text}”" in str(error.value)] == named


def test_a_narrow_way_through_is_no_contradiction():
    schema = Schema(tuple(Column(name, "numeric", low=0, high=1e9, step=1) for name in "ab"))
    assert len(ColumnRules.of(["a < b", "b < a + 2"], schema)) == 2
    assert len(ColumnRules.of(["a <= b", "b <= a", "if a = 1 then b >= 3"], schema)) == 3


def test_limits_for_new_values_count_as_range():
    schema = Schema((Column("a", "numeric", low=5, high=9, new_low=0),))
    assert len(ColumnRules.of(["a <= 2"], schema)) == 1


def test_many_rows_at_once_are_as_one_by_one():
    schema = Schema(
        (Column("a", "numeric", low=0, high=9), Column("b", "numeric", low=0, high=9), Column("c", "nominal", levels=("x", "y")))
    )
    rules = ColumnRules.of(["a <= b", "if c = x then a + b <= 9", "a and c change together"], schema)
    rng = np.random.default_rng(0)
    before = np.column_stack([rng.integers(0, 10, (100_000, 2)), rng.integers(0, 2, 100_000)]).astype(float)
    after = np.stack([before, before[::-1]])
    got = rules.violated(before, after)
    assert got.shape == (2, 100_000, 3)
    assert not got[0].any()
    for i in rng.integers(0, 100_000, 50):
        assert (got[1, i] == rules.violated(before[i], after[1, i])).all()
