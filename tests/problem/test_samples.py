"""Every shipped data set loads, is small, names nobody and protects what should not change."""

import re

import pytest

from discover_core.errors import InputError
from discover_core.problem.samples import load_sample, samples
from discover_core.table.known import recognise

SHAPES = {
    "german_credit": (1000, 21),
    "german_credit_10": (1000, 10),
    "compas": (6172, 10),
    "adult": (6000, 15),
    "taiwan_default": (5000, 24),
}
LOCKED = {"age", "sex", "race", "personal status", "marriage", "marital-status", "foreign worker", "native-country"}
FEWEST = {"compas": 2}  # nearly everything in it is past
PERSONAL = re.compile(r"name|first|last|dob|birth|case|date|desc", re.I)


@pytest.fixture(scope="module", params=samples())
def sample(request):
    return load_sample(request.param)


def test_the_five_names():
    assert samples() == tuple(SHAPES)


def test_it_has_the_documented_shape_and_is_small(sample):
    assert sample.table.shape == SHAPES[sample.name]
    assert sample.known.path.stat().st_size < 1_000_000
    assert sample.story
    assert "\n" not in sample.story


def test_it_names_nobody(sample):
    assert not [name for name in sample.table.columns if PERSONAL.search(name)]


def test_what_people_cannot_change_is_locked(sample):
    protected = [rule for rule in sample.actions if rule.name.lower() in LOCKED]
    assert len(protected) >= 2
    assert {rule.mode for rule in protected} == {"locked"}
    assert len(sample.actions.editable) >= FEWEST.get(sample.name, 3)


def test_the_schema_fits_the_table(sample):
    ready = sample.schema.prepare(sample.table)
    assert len(ready) == len(sample.table)
    assert not ready.isna().any().any()
    assert sample.schema.task == "binary"
    risky = (ready[sample.schema.outcome] == sample.schema.positive).mean()
    assert 0.2 < risky < 0.8
    for column in sample.schema:
        given = sample.known.columns[column.name]
        assert (column.role, column.action) == (given["role"], given.get("action", "free"))
        if column.categorical:
            missing = {"(missing)"} if column.missing else set()
            assert set(column.levels) - missing == set(sample.table[column.name].dropna()), column.name


def test_it_is_recognised_when_uploaded(sample):
    assert recognise(sample.table) == sample.known


def test_the_order_of_an_ordinal_is_the_meaning_not_the_alphabet():
    education = load_sample("adult").schema["education"]
    assert education.levels.index("HS-grad") < education.levels.index("Bachelors") < education.levels.index("Doctorate")
    savings = load_sample("german_credit_10")
    assert savings.schema["Saving accounts"].levels == ("(missing)", "little", "moderate", "quite rich", "rich")
    prepared = savings.schema.prepare(savings.table)["Saving accounts"]
    assert (prepared == "(missing)").sum() == 183


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(InputError, match=r"no sample “iris”: use one of german_credit, .*taiwan_default"):
        load_sample("iris")
    with pytest.raises(InputError, match="no sample “heloc”"):
        load_sample("heloc")
