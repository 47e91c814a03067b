"""Columns as they really come: codes for missing, dates of two worlds, the same value in another type."""

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.table import MISSING, Cohort, Column, Encoding, Rule, Schema, describe, prepare, suggest_outcome
from discover_core.table.known import known_tables, ready_schema, recognise
from discover_core.table.names import adverse_level
from discover_core.table.profile import profile_column
from discover_core.table.values import as_text, check_grid


@pytest.mark.parametrize(
    ("levels", "values", "expected"),
    [
        ((False, True), ["True", "False"], [True, False]),
        ((False, True), [1, 0], [True, False]),
        ((0, 1), [True, False], [1, 0]),
        ((0, 1), ["1", "0.0"], [1, 0]),
        (("1", "2", "A"), [1, 2], ["1", "2"]),
        (("1", "2", MISSING), [1.0, np.nan], ["1", MISSING]),
        (("False", "True", MISSING), [True, False], ["True", "False"]),
    ],
)
def test_a_level_is_known_in_any_type(levels, values, expected):
    schema = Schema((Column("c", "nominal", levels=levels),))
    ready = prepare(pd.DataFrame({"c": values}), schema)
    assert ready.table["c"].tolist() == expected
    assert not [note for note in ready.notes if "outside" in note]


def test_codes_for_missing_are_missing_in_every_role():
    series = pd.Series([-9] * 60 + [5] * 30 + [7] * 10, name="x")
    nominal = describe(series, "nominal", missing_codes=(-9, -8))
    assert (nominal.levels, nominal.missing) == (("5", "7", MISSING), 60)
    ordinal = describe(series, "ordinal", missing_codes=(-9, -8))
    assert (ordinal.levels, ordinal.fill, ordinal.missing) == ((5, 7), 5, 60)
    table = Schema((nominal,)).prepare(series.to_frame())
    assert (table["x"] == MISSING).sum() == 60


def test_a_column_of_dates_is_read_one_way():
    table = pd.DataFrame(
        {"d": ["31.01.2020", "05.03.2021", "28.02.2021"] * 10, "us": ["01/31/2020", "03/05/2021", "02/28/2021"] * 10}
    )
    schema = Schema.infer(table)
    for name in table.columns:
        assert schema[name].role == "excluded"
        assert schema[name].date
        used = Schema((describe(table[name], "numeric", date=True),))
        days = used.prepare(table[[name]].iloc[:2])[name]  # the ambiguous one is read as the whole column says
        assert days.tolist() == [(pd.Timestamp(d) - pd.Timestamp(0)).days for d in ("2020-01-31", "2021-03-05")]


def test_categories_with_gaps_and_nullable_types():
    table = pd.DataFrame(
        {
            "k": pd.Categorical([1, 2, None, 3] * 10),
            "b": pd.array([True, None, False, True] * 10, dtype="boolean"),
            "i": pd.array([1, None, 2, 5] * 10, dtype="Int64"),
            "t": pd.to_timedelta([1, 2, 3, 4] * 10, unit="D"),
        }
    )
    schema = Schema.infer(table)
    assert schema["b"].role == "nominal"
    assert schema["t"].unit == "days"
    ready = schema.prepare(table)
    assert ready["t"].tolist()[:4] == [1, 2, 3, 4]
    assert ready["i"].tolist()[:2] == [1, 2]
    for role in ("numeric", "ordinal", "nominal"):
        assert len(Schema((describe(table["k"], role),)).prepare(table)) == 40


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("amount_paid", np.random.default_rng(0).permutation(1000)[:50], "numeric"),
        ("AmountPaid", np.random.default_rng(0).permutation(1000)[:50], "numeric"),
        ("CustomerID", np.random.default_rng(0).permutation(1000)[:50], "excluded"),
        ("customer_number", np.random.default_rng(0).permutation(1000)[:50], "excluded"),
        ("zip", np.arange(50) * 7 % 31 + 10000, "excluded"),
        ("card", np.arange(50) * 7919 + 2**60, "excluded"),
        ("amount", [*map(str, range(45)), "unknown", "n.a.", "unknown", "unknown", "unknown"], "numeric"),
        ("code", [f"{i:03d}" for i in range(45)] + ["x"] * 5, "nominal"),
    ],
)
def test_names_and_values_together(name, values, role):
    assert Schema.infer(pd.DataFrame({name: values}))[name].role == role


def test_traits_outcomes_and_risks_by_name():
    assert Schema.infer(pd.DataFrame({"ApplicantAge": range(0, 60, 3)}))["ApplicantAge"].action == "locked"
    table = pd.DataFrame({"age": range(30, 60), "income": range(30), "loan": range(30), "approved": [0, 1] * 15})
    assert suggest_outcome(Schema.infer(table)) == "approved"
    assert adverse_level(Column("y", "nominal", levels=(1, 2))) == 2
    assert adverse_level(Column("y", "nominal", levels=("bad", "good"))) == "bad"


def test_a_grid_that_does_not_begin_at_zero_comes_back():
    schema = Schema((Column("q", "numeric", low=0.5, high=9.5, step=1.0), Column("r", "numeric", low=-1, high=3, step=0.25)))
    table = schema.prepare(pd.DataFrame({"q": [0.5, 1.5, 9.5], "r": [-0.75, 0.0, 2.25]}))
    code = Encoding.fit(table, schema)
    pd.testing.assert_frame_equal(code.decode(code.encode(table)), table, check_exact=True)


def test_a_known_table_with_unexpected_values_still_opens():
    heloc = next(known for known in known_tables() if known.name == "heloc")
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.integers(1, 50, 40) for name in heloc.columns})
    table[heloc.outcome] = ["Bad", "Good"] * 20
    table["ExternalRiskEstimate"] = -8
    assert recognise(table) is heloc
    assert ready_schema(table, heloc)["ExternalRiskEstimate"].role == "excluded"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Cohort(sample=2.5),
        lambda: Cohort(seed=-1),
        lambda: Cohort(score_value="x"),
        lambda: Column("q", "ordinal", levels=("b", "c"), fill="a"),
        lambda: Schema.infer(pd.DataFrame({3: [1, 2]})),
        lambda: Rule("x", "between", (5, 1)).mask(pd.DataFrame({"x": [1, 2, 3]}), Schema.infer(pd.DataFrame({"x": [1, 2, 3]}))),
    ],
)
def test_more_impossible_wishes_get_a_sentence(make):
    with pytest.raises(InputError):
        make()


def test_a_step_that_leaves_values_out_is_refused():
    column = Column("x", "numeric", low=0, high=3, step=1)
    check_grid(np.array([0.0, 2.0]), column)
    with pytest.raises(InputError, match=r"such as 1\.5"):
        check_grid(np.array([0.0, 1.5]), column)


@pytest.mark.parametrize("numbers", [[1e8, np.nextafter(1e8, 0)], [-8e307, 8e307], [1e-300, 0.0], [3.0, 3.0]])
def test_numbers_a_hair_or_the_whole_scale_apart_have_a_profile(numbers):
    series = pd.Series(numbers, name="x")
    profile = profile_column(series, describe(series, "numeric"), 0)
    assert sum(profile.bars) == pytest.approx(100)
    assert sum(bar > 0 for bar in profile.bars) == len(set(numbers))


def test_a_whole_number_beyond_64_bits_is_written_as_it_is():
    assert as_text(-(2**63) - 1) == "-9223372036854775809"
    assert as_text(10**400) == "1" + "0" * 400


def test_days_of_any_year_are_numbers():
    table = pd.DataFrame({"d": np.array(["0001-01-01", "1970-01-02", "9999-12-31"], "datetime64[s]")})
    used = Schema((describe(table["d"], "numeric", date=True),))
    assert used.prepare(table)["d"].tolist() == [-719_162, 1, 2_932_896]
