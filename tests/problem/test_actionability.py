"""Rules are validated when made, never changed in place, and survive being stored."""

import json

import pytest

from discover_core.errors import InputError
from discover_core.problem.actionability import Actionability, Allowed
from discover_core.table.schema import Column, Schema

SCHEMA = Schema(
    (
        Column("id", "excluded"),
        Column("Age", "numeric", low=18, high=80, step=1, action="locked"),
        Column("Duration", "numeric", low=4, high=72, step=1),
        Column("Rate", "numeric", low=0, high=1),
        Column("Saving", "ordinal", levels=("little", "some", "rich"), action="increase"),
        Column("Housing", "nominal", levels=("own", "rent", "free"), action="increase"),
        Column("Risk", "nominal", levels=("good", "bad")),
    ),
    outcome="Risk",
    positive="bad",
)
FREE = Actionability.free(SCHEMA)


def test_the_chain_of_the_design_page():
    actions = FREE.lock("Age").only_increase("Saving").limit("Duration", 6, 48)
    assert actions["Age"].mode == "locked"
    assert actions["Saving"].mode == "increase"
    assert actions["Duration"] == Allowed("Duration", low=6, high=48)
    assert actions.editable == ("Duration", "Rate", "Saving", "Housing")
    assert FREE.editable == ("Age", "Duration", "Rate", "Saving", "Housing"), "the original must not change"
    assert actions.allow("Age").only_decrease("Saving")["Saving"].mode == "decrease"


def test_default_follows_the_schema_and_ignores_a_direction_without_order():
    modes = {rule.name: rule.mode for rule in Actionability.default(SCHEMA)}
    assert modes == {"Age": "locked", "Duration": "free", "Rate": "free", "Saving": "increase", "Housing": "free"}


SUGGESTIVE = Schema(
    (
        Column("Amount", "numeric", low=250, high=18_424, step=1, action="decrease", new_low=500, new_high=9_000, new_step=100),
        Column("Account", "nominal", levels=("none", "low", "high"), order=("low", "high"), action="increase"),
        Column("Work", "nominal", levels=("paid", "unpaid", "own"), new_levels=("paid", "own")),
        Column("Bill", "numeric", low=0, high=10, step=1, action="decrease", new_low=500, new_step=100),
        Column("Calls", "numeric", low=0, high=10, step=1, action="locked", new_step=0.5),
    )
)


def test_default_takes_over_what_the_schema_says_of_new_values():
    actions = Actionability.default(SUGGESTIVE)
    assert actions["Amount"] == Allowed("Amount", "decrease", 500, 9_000, 100)
    assert actions["Account"] == Allowed("Account", "increase")
    assert actions["Work"] == Allowed("Work", levels=("paid", "own"))
    assert actions["Bill"] == Allowed("Bill", "decrease"), "limits beyond all values of the column would leave nothing"
    assert actions["Calls"] == Allowed("Calls", "locked"), "whole numbers have no half steps"
    stored = json.loads(json.dumps(actions.to_dict()))
    assert Actionability.from_dict(stored, Schema.from_dict(json.loads(json.dumps(SUGGESTIVE.to_dict())))) == actions


def test_a_direction_is_carried_only_as_long_as_there_is_an_order():
    actions = Actionability.default(SUGGESTIVE).weight("Account", 2.0).limit("Amount", 700)
    assert actions.carried(SUGGESTIVE.replace("Amount", lever="Ask for less.")) == actions
    assert actions.carried(SUGGESTIVE.replace("Account", order=()))["Account"] == Allowed("Account")
    turned = actions.carried(SUGGESTIVE.replace("Account", order=("high", "low"), action="decrease"))
    assert turned["Account"] == Allowed("Account", "decrease")
    assert turned["Amount"] == actions["Amount"]


def test_round_trip_through_json():
    actions = (
        FREE.lock("Age").limit("Duration", high=48).step("Duration", 6).admit("Housing", ["own", "rent"]).weight("Rate", 2.0)
    )
    stored = json.loads(json.dumps(actions.to_dict()))
    assert Actionability.from_dict(stored, SCHEMA) == actions
    assert stored["Duration"] == {"high": 48, "step": 6}
    assert FREE.to_dict() == {}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda a: a.lock("Agee"), "no column “Agee”"),
        (lambda a: a.lock("Risk"), "is the outcome"),
        (lambda a: a.lock("id"), "is excluded"),
        (lambda a: a["Agee"], "no column “Agee”"),
        (lambda a: a.limit("Duration", 48, 6), "lower limit 48 is above its upper limit 6"),
        (lambda a: a.limit("Duration", float("nan"), 6), "finite"),
        (lambda a: a.limit("Housing", 1, 2), "holds categories"),
        (lambda a: a.step("Saving", 1), "holds categories"),
        (lambda a: a.step("Duration", 0), "above 0"),
        (lambda a: a.step("Duration", 0.5), "whole number"),
        (lambda a: a.only_increase("Housing"), "has no order"),
        (lambda a: a.weight("Age", 0), "above 0"),
        (lambda a: a.weight("Age", float("inf")), "above 0"),
        (lambda a: a.admit("Housing", ["castle"]), "no category “castle”"),
        (lambda a: a.admit("Housing", []), "at least one category"),
        (lambda a: a.admit("Age", [20]), "holds numbers"),
        (lambda a: Actionability.from_dict({"Age": {"mode": "frozen"}}, SCHEMA), "“frozen” is no mode"),
        (lambda a: Actionability(SCHEMA, a.allowed[1:]), "one entry per feature"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_in_a_sentence(change, says):
    with pytest.raises(InputError, match=says):
        change(FREE)
