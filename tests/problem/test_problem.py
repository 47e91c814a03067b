"""Problem, bounds and settings are validated once, each refusal with a sentence."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability
from discover_core.problem.bounds import Bounds
from discover_core.problem.problem import Problem
from discover_core.problem.settings import Settings
from discover_core.problem.target import Target
from discover_core.table.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("Duration", "numeric", low=4, high=72, step=1),
        Column("Rate", "numeric", low=0, high=1),
        Column("Saving", "ordinal", levels=("little", "some", "rich")),
        Column("Housing", "nominal", levels=("own", "rent", "free")),
        Column("Risk", "nominal", levels=("good", "bad")),
    ),
    outcome="Risk",
    positive="bad",
)
ROWS = pd.DataFrame(
    {
        "Risk": ["good", "bad", "good"],
        "Housing": ["own", "rent", "free"],
        "Saving": ["little", "some", "rich"],
        "Rate": [0.1, 0.5, 0.9],
        "Duration": [12, 80, 7],
    },
    index=[30, 10, 10],
)
FREE = Actionability.free(SCHEMA)
BOUNDS = Bounds(0.3, 0.05)
TARGET = Target.values([0.2, 0.4])


class Probability:
    title = "My model"
    interval = (0, 1)

    def __call__(self, table):
        return table["Rate"].to_numpy() * 1.0


def problem(rows=ROWS, schema=SCHEMA, model=Probability(), actions=FREE, target=TARGET, bounds=BOUNDS, reference=None):  # noqa: B008
    return Problem(rows, schema, model, actions, target, bounds, reference)


def test_a_problem_prepares_what_the_solver_needs():
    before = ROWS.copy()
    made = problem()
    assert list(made.factual.columns) == ["Duration", "Rate", "Saving", "Housing"]
    assert list(made.factual.index) == [0, 1, 2]
    assert made.outputs.tolist() == [0.1, 0.5, 0.9]
    assert made.interval == (0.0, 1.0)
    assert made.rows is ROWS
    assert made.reference is made.factual
    pd.testing.assert_frame_equal(ROWS, before)
    assert problem(model=lambda t: t["Rate"]).interval is None
    assert pickle.loads(pickle.dumps(made)).outputs.tolist() == [0.1, 0.5, 0.9]


def test_the_model_sees_prepared_rows_and_its_own_array_stays_writable():
    seen, given = [], np.array([0.1, 0.2, 0.3])

    def model(table):
        seen.append(table)
        return given

    made = problem(model=model)
    assert list(seen[0].columns) == ["Duration", "Rate", "Saving", "Housing"]
    assert not made.outputs.flags.writeable
    assert given.flags.writeable


def test_ranges_are_the_limits_else_the_columns_own():
    reference = ROWS.assign(Duration=[2, 50, 99])
    made = problem(reference=reference, actions=FREE.limit("Rate", high=0.6))
    assert made.ranges() == {"Duration": (4, 72), "Rate": (0, 0.6)}


def test_new_values_stay_in_the_usual_range_unless_a_limit_widens_it():
    schema = SCHEMA.replace("Duration", low=-150, high=16_020, usual=(6, 60))
    free = Actionability.free(schema)

    def ends(actions):
        made = problem(schema=schema, actions=actions)
        assert (made.walls.low[0, 0], made.walls.high[0, 0]) == made.ranges()["Duration"]
        return made.ranges()["Duration"]

    assert ends(free) == (6, 60)
    assert ends(free.limit("Duration", high=500)) == (6, 500)
    assert ends(free.limit("Duration", low=-150)) == (-150, 60)
    assert ends(free.limit("Duration", -150, 16_020)) == (-150, 16_020)
    assert ends(free.limit("Duration", low=100)) == (100, 16_020)  # beyond all that is usual: the column's own end
    assert ends(free.limit("Duration", high=0)) == (-150, 0)
    old = free.schema.from_dict({**schema.to_dict(), "columns": [{**c.to_dict(), "usual": None} for c in schema]})
    assert problem(schema=old, actions=Actionability.free(old)).ranges()["Duration"] == (-150, 16_020)
    # 80 months are beyond the usual: they may stay, and may go back to what is usual
    assert problem(schema=schema, actions=free).walls.project("Duration", [1, 1], [80, 65]).tolist() == [80, 60]
    with pytest.raises(InputError, match="above the highest value of the column, 16020"):
        problem(schema=schema, actions=free.limit("Duration", low=20_000))


def test_what_was_said_of_a_column_is_kept_when_another_changes():
    said = FREE.lock("Housing").limit("Duration", 6, 48)
    other = SCHEMA.replace("Housing", action="increase", role="ordinal").replace("Rate", role="excluded")
    kept = said.carried(other)
    assert [rule.name for rule in kept] == ["Duration", "Saving", "Housing"]
    assert (kept["Duration"].low, kept["Housing"].mode) == (6, "increase")


def test_rounding_out_of_the_interval_is_forgiven_a_lie_is_not():
    class Rounded(Probability):
        def __call__(self, table):
            return table["Rate"].to_numpy() / 0.9 + 1e-8

    assert problem(model=Rounded()).outputs.max() == 1


def raises(table):
    raise RuntimeError("no GPU")


class Lying(Probability):
    def __call__(self, table):
        return table["Rate"].to_numpy() + 1


OTHER = Actionability.free(SCHEMA.replace("Housing", levels=("own", "rent")))
SHORT = Actionability.free(SCHEMA.replace("Housing", role="excluded"))


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rows": ROWS.iloc[:0]}, "There are no rows to explain"),
        ({"reference": ROWS.iloc[:0]}, "The reference table has no rows"),
        ({"rows": ROWS.drop(columns="Rate")}, "“Rate”"),
        ({"schema": Schema((Column("Rate", "excluded"),))}, "The table has no feature"),
        ({"model": raises}, "it said: no GPU"),
        ({"model": lambda t: np.full(len(t), np.nan)}, "NaN or infinite"),
        ({"model": Lying()}, "My model returned 1.1, but says that its scores lie from 0 to 1"),
        ({"actions": FREE.lock("Duration", "Rate", "Saving", "Housing")}, "Every feature is locked"),
        (
            {"actions": FREE.lock("Duration", "Rate", "Housing").only_increase("Saving"), "rows": ROWS[2:]},
            "No value of these rows",
        ),
        ({"actions": OTHER}, "another table: column “Housing” differs"),
        ({"actions": SHORT}, "another table: column “Housing” differs"),
        ({"target": Target.values([0.2, 1.7])}, "asks for an output of 1.7, but this model's outputs lie from 0 to 1"),
        ({"target": Target.quantiles([0, 1], [-0.1, 0.5])}, "asks for an output of -0.1"),
        ({"actions": FREE.limit("Duration", low=100)}, "lower limit 100 is above the highest value of the column, 72"),
        ({"actions": FREE.limit("Duration", high=1)}, "upper limit 1 is below the lowest value of the column, 4"),
    ],
)
def test_an_impossible_problem_gets_a_sentence(given, says):
    with pytest.raises(InputError) as caught:
        problem(**given)
    assert says in str(caught.value)


def test_a_target_outside_is_fine_for_a_model_without_an_interval():
    assert problem(model=lambda t: t["Rate"], target=Target.values([1.7])).target.highest == 1.7


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Bounds(0, 1), "“u_x” must be above 0, not 0"),
        (lambda: Bounds(1, float("inf")), "“u_y” must be a finite number"),
        (lambda: Bounds(1, "2"), "“u_y” must be a finite number, not '2'"),
        (lambda: Bounds(1, 1, alpha=1), "“alpha” must be above 0 and below 1, not 1"),
        (lambda: Bounds(1, 1, delta=0.5), "“delta” must be at least 0 and below 0.5"),
        (lambda: Bounds(1, 1, slices=0), "“slices” must be a whole number of at least 1"),
        (lambda: Bounds(1, 1, slices=2.5), "“slices” must be a whole number"),
        (lambda: Bounds(1, 1, band="exact"), "“band” cannot be 'exact': use one of dkw, bootstrap"),
        (lambda: Bounds.from_dict({"u_x": 1}), "“u_y” is missing from the bounds"),
        (lambda: Bounds.from_dict({"u_x": 1, "u_y": 1, "beta": 1}), "no “beta” among the bounds"),
        (lambda: Settings(strategy=3), "“strategy” must be the name of one, not 3"),
        (lambda: Settings(selection="all"), "“selection”"),
        (lambda: Settings(origin="home"), "“origin”"),
        (lambda: Settings(guidance="some"), "“guidance”"),
        (lambda: Settings(encoding="hash"), "“encoding”"),
        (lambda: Settings(k=0), "“k” must be a whole number of at least 1, not 0"),
        (lambda: Settings(k=10**18), "“k” must be at most 1,000,000: choose a smaller number."),
        (lambda: Settings(candidates=10**9), "“candidates” must be at most 1,000,000"),
        (lambda: Bounds(1, 1, slices=10**9), "“slices” must be at most 10,000"),
        (lambda: Settings(h=True), "“h” must be a whole number"),
        (lambda: Settings(candidates=0), "“candidates”"),
        (lambda: Settings(iterations=1.5), "“iterations”"),
        (lambda: Settings(seed=-1), "“seed”"),
        (lambda: Settings(patience=0), "“patience”"),
        (lambda: Settings(variant="new"), "“variant”"),
        (lambda: Settings(usual=0), "“usual” must be above 0 and at most 1, not 0"),
        (lambda: Settings(angle=0), "“angle” must be above 0 and at most 180"),
        (lambda: Settings(numeric_step=2), "“numeric_step”"),
        (lambda: Settings(categorical_step=0), "“categorical_step”"),
        (lambda: Settings(temperature=-1), "“temperature”"),
        (lambda: Settings(l=0.9, r=0.5), "“l” must not be above “r”, but 0.9 is above 0.5"),
        (lambda: Settings(kappa=1), "“kappa” must be above 0 and below 1"),
        (lambda: Settings(crossover=1.1), "“crossover”"),
        (lambda: Settings(stop_when_certified="yes"), "“stop_when_certified” must be true or false"),
        (lambda: Settings.from_dict({"kk": 3}), "no “kk” among the settings"),
        (lambda: Settings.from_dict([3]), "names with values"),
    ],
)
def test_bounds_and_settings_refuse_with_a_sentence(make, says):
    with pytest.raises(InputError) as caught:
        make()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "made",
    [
        Bounds(0.64, 0.25, delta=0.1, band="bootstrap"),
        Settings(),
        Settings(k=7, patience=4, origin="current"),
        Settings(variant="paper"),
        Settings(selection="rowwise", variant="paper", usual=0.9),
    ],
)
def test_bounds_and_settings_survive_being_stored(made):
    assert type(made).from_dict(json.loads(json.dumps(made.to_dict()))) == made
