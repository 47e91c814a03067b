"""A scenario comes back from its file as it went in and makes the same problem."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import discover_core as dc
from discover_core.errors import InputError
from discover_core.problem import Allowed
from discover_core.problem.column_rules import ColumnRules
from discover_core.problem.problem import ranges
from discover_core.problem.targets import (
    KINDS,
    Beta,
    Decision,
    Quantiles,
    ReferenceGroup,
    Shift,
    Threshold,
    Values,
)
from discover_core.scenario.sources import ModelFile, SampleTable, TableFile, TrainedModel
from discover_core.solver.strategies import STRATEGIES
from discover_core.table.values import as_text
from tests.table.tables import tables

number = st.floats(-1e6, 1e6)
share = st.floats(0, 1)
seed = st.integers(0, 2**32)
interval = st.none() | st.tuples(number, number)
side = st.sampled_from(["above", "below"])


def rules(schema):
    column = st.sampled_from([c.name for c in schema])
    level = st.one_of(st.text(max_size=5), st.integers(), number, st.booleans())
    one = st.builds(dc.Rule, column, st.sampled_from(["is", "is not", "<", ">="]), level)
    several = st.builds(dc.Rule, column, st.sampled_from(["is", "between"]), st.tuples(level, level))
    return st.lists(one | several, max_size=3).map(tuple)


def cohorts(schema):
    sides = st.sampled_from([None, "above", "below"])
    return st.builds(
        dc.Cohort, rules(schema), st.sampled_from(["all", "any"]), sides, number, st.none() | st.integers(1, 10**6), seed
    )


def specifications(schema):
    several = st.lists(number, max_size=5).map(tuple)
    return st.one_of(
        st.builds(Beta, number, number, seed, st.none() | st.integers(1, 99)),
        st.builds(Quantiles, several, several),
        st.builds(Values, several),
        st.builds(ReferenceGroup, cohorts(schema)),
        st.builds(Shift, number, number, interval),
        st.builds(Threshold, number, share, side),
        st.builds(Decision, number, side, interval),
    )


@st.composite
def allowed(draw, column):
    mode = draw(st.sampled_from(["free", "locked", "increase", "decrease"] if column.directed else ["free", "locked"]))
    weight = draw(st.floats(0.01, 100))
    if column.categorical:
        levels = draw(st.lists(st.sampled_from(column.levels), unique_by=str))
        return Allowed(column.name, mode, levels=tuple(levels), weight=weight)
    low, high = sorted((draw(number), draw(number)))
    step = draw(st.none() | st.integers(1, 9).map(float))
    return Allowed(column.name, mode, low, draw(st.sampled_from([None, high])), step, weight=weight)


@st.composite
def levered(draw, schema):
    """The schema with something said of new values of some columns."""
    for column in schema.features:
        said = {"lever": draw(st.text(max_size=9))}
        if column.role == "numeric":
            low, high = sorted((draw(number), draw(number)))
            said |= {"new_low": low, "new_high": draw(st.sampled_from([None, high])), "new_step": draw(st.none() | st.just(5.0))}
        else:
            some = st.lists(st.sampled_from(column.levels), unique_by=str).map(tuple)
            said |= {"new_levels": draw(some)} | ({"order": draw(some)} if column.role == "nominal" else {})
        schema = schema.replace(column.name, **said)
    return schema


@st.composite
def column_rules(draw, schema):
    """Up to three rules between columns, those left out that nobody could keep or that contradict others."""

    def quoted(word):
        return '"' + word.replace('"', '""') + '"'

    def compared(column):
        if column.categorical:
            return f"{quoted(column.name)} != {quoted(as_text(draw(st.sampled_from(column.levels))))}"
        sign, share = draw(st.sampled_from(["<=", ">=", "<", "!="])), draw(st.floats(0.1, 0.9))
        return f"{quoted(column.name)} {sign} {column.low + share * (column.high - column.low):.4f}"

    kept: tuple[str, ...] = ()
    for _ in range(draw(st.integers(0, 3))):
        one, other = (draw(st.sampled_from(schema.features)) for _ in range(2))
        together = f"{quoted(one.name)} and {quoted(other.name)} change together"
        text = draw(st.sampled_from([compared(one), f"if {compared(other)} then {compared(one)}", together]))
        try:
            ColumnRules.of((*kept, text), schema)
        except InputError:
            continue
        kept += (text,)
    return kept


@st.composite
def scenarios(draw):
    schema = draw(levered(dc.Schema.infer(draw(tables()))))
    assume(schema.features)
    settings = st.builds(
        dc.Settings,
        strategy=st.sampled_from(list(STRATEGIES)),
        k=st.integers(1, 9),
        seed=seed,
        temperature=st.floats(0.1, 9),
        patience=st.none() | st.integers(1, 9),
        stop_when_certified=st.booleans(),
    )
    budgets = st.builds(
        dc.Budget,
        people=st.none() | st.integers(1, 99),
        features=st.none() | st.integers(1, 9),
        effort=st.none() | st.floats(0.01, 99),
        total_effort=st.none() | st.floats(0.01, 99),
        untouched=st.lists(st.integers(0, 99) | st.text(max_size=3), max_size=3, unique=True).map(tuple),
        first=st.none() | st.sampled_from([column.name for column in schema]),
    )
    data = st.sampled_from([SampleTable("adult"), TableFile("table.csv"), TableFile("files/my table ä.parquet")])
    models = [
        TrainedModel("logistic", 7),
        TrainedModel("xgboost", settings={"trees": 5, "learning_rate": 0.25}),
        ModelFile("models/model.json", {"a": "b"}, "yes"),
        ModelFile("m.ubj", codes={"grade": {"A": 1.0, "B": 0.0, "(missing)": None}, "size": {"1": 0, "9": 1}}),
    ]
    return dc.Scenario(
        draw(data),
        schema,
        draw(cohorts(schema)),
        draw(st.sampled_from(models)),
        dc.Actionability(schema, tuple(draw(allowed(column)) for column in schema.features)),
        draw(specifications(schema)),
        draw(st.builds(dc.Bounds, st.floats(1e-9, 9), st.floats(1e-9, 9), delta=st.floats(0, 0.4), slices=st.integers(1, 99))),
        draw(settings),
        people=draw(st.none() | st.sampled_from([column.name for column in schema])),
        name=draw(st.text(max_size=9)),
        budget=draw(budgets),
        rules=draw(column_rules(schema)),
    )


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(scenarios())
def test_a_scenario_comes_back_as_it_went_in(tmp_path_factory, scenario):
    folder = tmp_path_factory.mktemp("scenario")
    scenario.write(folder / "scenario.json")
    back = dc.Scenario.read(folder / "scenario.json")
    assert back == scenario
    assert (back.folder, back.name) == (folder, scenario.name)
    assert back.to_dict() == scenario.to_dict()
    for part in ("usual", "lever", "new_low", "new_high", "new_step", "new_levels"):  # what two equal columns may differ in
        assert [getattr(c, part) for c in back.schema] == [getattr(c, part) for c in scenario.schema], part
    assert list(map(type, (v for c in back.schema for v in c.levels))) == list(
        map(type, (v for c in scenario.schema for v in c.levels))
    )


def test_rules_between_columns_are_part_of_the_file(german):
    rules = ("Credit amount <= 900 * Duration", "Duration and Credit amount change together")
    stored = replace(german, rules=rules).to_dict()
    assert stored["rules"] == list(rules)
    assert dc.Scenario.from_dict(stored).rules == rules
    assert "rules" not in german.to_dict()
    assert "budget" not in german.to_dict()
    with pytest.raises(InputError, match="Durration"):
        dc.Scenario.from_dict({**stored, "rules": ["Durration <= 5"]})
    for odd in ("Duration <= 5", [3], {"a": 1}):
        with pytest.raises(InputError, match="list of texts"):
            dc.Scenario.from_dict({**stored, "rules": odd})
    listed = replace(german, rules=list(rules))
    assert listed == dc.Scenario.from_dict(listed.to_dict()) == replace(german, rules=rules)
    for odd in (None, 5, "Duration <= 5"):
        with pytest.raises(InputError, match="list of texts"):
            replace(german, rules=odd)
    for odd in (None, {"people": 3}):
        with pytest.raises(InputError, match="must be a Budget"):
            replace(german, budget=odd)
    with pytest.raises(InputError, match="contradict"):
        dc.Scenario.from_dict({**stored, "rules": ["Duration <= 10", "Duration >= 20"]})
    with pytest.raises(InputError, match="wealth"):
        dc.Scenario.from_dict({**stored, "budget": {"first": "wealth"}})


def test_a_scenario_stored_before_there_were_usual_ranges_asks_what_it_asked(german):
    stored = german.to_dict()
    for column in stored["schema"]["columns"]:
        column.pop("usual", None)
    old = dc.Scenario.from_dict(stored)
    assert ranges(german.schema, german.actions)["Credit amount"] == (500, 14_179)
    assert ranges(old.schema, old.actions)["Credit amount"] == (500, 18_424)
    assert [ranges(one.schema, one.actions.allow("Age"))["Age"] for one in (german, old)] == [(20, 67), (19, 75)]
    assert old.to_dict() == stored


def test_the_problem_is_the_one_made_by_hand(german):
    problem = german.problem()
    sample = dc.load_sample("german_credit_10")
    model = dc.train_model("logistic", sample.table, sample.schema, 3, {"c": 0.5})
    rows = german.cohort.rows(sample.schema.prepare(sample.table), sample.schema, model(sample.table))
    pd.testing.assert_frame_equal(problem.rows, sample.table.iloc[rows])
    assert np.allclose(problem.target.left, np.sort(model(sample.table.iloc[rows])) - 0.15, rtol=0, atol=1e-12)
    assert (problem.outputs > 0.5).all()
    assert len(problem.reference) == len(sample.table)
    assert problem.actions == german.actions
    first, again = (dc.run(p, german.settings).best_step.cells for p in (problem, german.problem()))
    assert np.array_equal(first, again)


@pytest.mark.parametrize(
    ("specification", "made"),
    [
        ({"kind": "beta", "a": 0.1, "b": 0.9, "seed": 2}, lambda s, _: dc.Target.beta(0.1, 0.9, len(s), 2)),
        ({"kind": "beta", "a": 2, "b": 3, "n": 7}, lambda s, _: dc.Target.beta(2, 3, 7)),
        ({"kind": "shift", "scale": 0.5}, lambda s, _: dc.Target.shift(s, scale=0.5)),
        ({"kind": "shift", "by": -0.9, "clip": [0, 1]}, lambda s, _: dc.Target.shift(s, -0.9, clip=(0, 1))),
        (
            {"kind": "threshold", "tau": 0.4, "share": 0.7, "side": "below"},
            lambda s, _: dc.Target.threshold(s, 0.4, 0.7, "below"),
        ),
        ({"kind": "decision"}, lambda s, _: dc.Target.decision(s)),
        ({"kind": "quantiles", "probabilities": [0, 1], "values": [0, 0.5]}, lambda s, _: dc.Target.quantiles([0, 1], [0, 0.5])),
        ({"kind": "values", "values": [0.5, 0.1]}, lambda s, _: dc.Target.values([0.1, 0.5])),
        (
            {"kind": "reference_group", "cohort": {"rules": [{"column": "Age", "comparison": ">", "value": 60}]}},
            lambda s, everybody: dc.Target.reference_group(everybody(lambda table: table["Age"] > 60)),
        ),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_every_specification_makes_its_target(german, specification, made):
    problem = dc.Scenario.from_dict({**german.to_dict(), "target": specification}).problem()
    table = dc.load_sample("german_credit_10").table
    expected = made(problem.outputs, lambda mask: problem.model(table[mask(table)]))
    assert problem.target.kind == specification["kind"]
    assert problem.target.exact == expected.exact
    for name in ("knots", "left", "right"):
        assert np.allclose(getattr(problem.target, name), getattr(expected, name), rtol=0, atol=1e-12)


def test_every_specification_is_tried_above():
    assert set(KINDS) == {"beta", "shift", "threshold", "decision", "quantiles", "values", "reference_group"}


def test_a_table_and_a_model_beside_the_scenario(german, tmp_path):
    sample = dc.load_sample("german_credit_10")
    trained = dc.train_model("xgboost", sample.table, sample.schema, 0, {"trees": 20})
    content, extension = dc.save_model(trained)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / f"risk{extension}").write_bytes(content)
    sample.table.to_csv(tmp_path / "loans.csv", index=False)
    data = {**german.to_dict(), "data": {"file": "loans.csv"}, "model": {"file": f"models/risk{extension}"}}
    (tmp_path / "scenario.json").write_text(json.dumps(data))
    problem = dc.Scenario.read(tmp_path / "scenario.json").problem()
    assert np.allclose(problem.outputs, trained(problem.rows), atol=1e-6)
    assert len(dc.run(problem, german.settings).history) == 7
