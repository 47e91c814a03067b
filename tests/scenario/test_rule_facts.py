"""What a rule means for a group: who breaks it today, and whom it holds back."""

import numpy as np
import pandas as pd

import discover_core as dc
from discover_core.scenario.rule_facts import SOME, rule_facts
from discover_core.scenario.study import Study
from discover_core.table.dataset import Dataset


def study(n: int) -> Study:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {"rent": rng.integers(1, 900, n), "income": rng.integers(500, 3000, n), "town": ["Ulm", "Bonn"] * (n // 2)}
    )
    return Study(Dataset.of(table, dc.Schema.infer(table)), dc.Cohort())


def test_those_who_break_it_are_counted_and_those_it_holds_back():
    asked = study(400)
    actions = dc.Actionability.free(asked.dataset.schema)
    facts = rule_facts("rent <= income", asked, actions)
    raw = asked.dataset.raw
    assert (facts.broken, facts.people) == (int((raw["rent"] > raw["income"]).sum()), 400)
    assert facts.looked_at == 400
    assert 0 < facts.held_back <= 400
    assert facts.sentence.startswith(f"Holds back {facts.held_back:,} of 400 people.")
    assert facts.sentence.endswith(f"{facts.broken:,} of the 400 break it today, and may stay so.")
    nobody = rule_facts("rent <= 100000", asked, actions)
    assert nobody.sentence == "Holds back nobody of 400 people."
    locked = all_locked(actions)
    assert rule_facts("rent <= income", asked, locked).held_back is None


def test_of_a_large_group_some_are_looked_at():
    asked = study(3 * SOME)
    facts = rule_facts("rent <= income", asked, dc.Actionability.free(asked.dataset.schema))
    assert (facts.people, facts.looked_at) == (3 * SOME, SOME)
    assert f" of {SOME:,} people looked at." in facts.sentence


def all_locked(actions: dc.Actionability) -> dc.Actionability:
    for name in actions.editable:
        actions = actions.lock(name)
    return actions
