"""What a policy says to a person depends on nobody else, keeps every wall, and is the same after a file."""

import json

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.models import load, probe
from discover_core.policy import policy as policy_module
from discover_core.policy.learn import learnt as with_told
from discover_core.problem.walls import Walls
from tests.policy.cases import Plain, bad_rows, question
from tests.solver.cases import MIXED, Smooth

KINDS = ("personal", "programmes")
TARGETS = {
    "threshold": None,
    "shift": lambda scores: dc.Target.shift(scores, by=-0.2, clip=(0, 1)),
    "shape": lambda scores: dc.Target.quantiles([0, 1], [0.1, 0.8]),
    "decision": lambda scores: dc.Target.decision(scores, 0.5, "below"),
}


def learnt(kind="personal", **more):
    return dc.learn_policy(question(**more), dc.Settings(seed=3), kind=kind)


def same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_person_is_told_depends_neither_on_order_nor_on_company(kind, target, monkeypatch):
    made = learnt(kind, target=target, model=Smooth() if target is None else None)
    people = bad_rows(60, 7, Smooth())
    everybody = made.told(people).everybody.set_index("row")
    assert (everybody["cells"] > 0).any()
    mixed = people.sample(frac=1, random_state=1)
    same(made.told(mixed).everybody.set_index("row").sort_index(), everybody)
    monkeypatch.setattr(policy_module, "CHUNK", 7)
    same(made.told(people).everybody.set_index("row"), everybody)
    for i in (0, 13, 59):
        same(made.told(people.iloc[[i]]).everybody.set_index("row"), everybody.loc[[i]])


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("kind", KINDS)
def test_those_it_was_learnt_from_need_not_be_asked_anew(kind, target):
    problem = question(60, target=target, model=Smooth() if target is None else None)
    made, told = with_told(problem, dc.Settings(seed=3), kind)
    again = made.told(problem.rows)
    assert told.changed.any()
    same(told.everybody, again.everybody)
    assert np.array_equal(told.given, again.given)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_a_policy_keeps_every_wall(kind, seed):
    rng = np.random.default_rng(seed)
    allowed = dc.Actionability.default(MIXED).lock("Home").only_decrease("Months")
    budget = dc.Budget(features=int(rng.integers(1, 3)), effort=float(rng.uniform(0.3, 1.5)))
    problem = question(60, seed, budget=budget, actions=allowed, rules=("Income <= Months",))
    made = dc.learn_policy(problem, dc.Settings(seed=seed), kind=kind)
    people = bad_rows(80, 100 + seed)
    told = made.told(people)
    ready = MIXED.prepare(people)[MIXED.feature_names].reset_index(drop=True)
    walls = Walls.build(ready, MIXED, problem.actions, problem.ranges())
    assert walls.violations(made.ground.layout.table(told.after)) == []
    assert ((told.after != told.before).sum(axis=1) <= budget.features).all()
    assert (told.versions.effort <= budget.effort * (1 + 1e-8)).all()
    after = made.rows(people)
    kept = (people["Income"] <= people["Months"]).to_numpy()
    assert (after["Income"] <= after["Months"]).to_numpy()[kept].all()


def test_the_plan_is_like_a_runs_own_and_its_rows_score_what_it_says():
    problem = question()
    made = dc.learn_policy(problem, dc.Settings(seed=0))
    people = bad_rows(50, 5)
    plan = made.apply(people)
    assert list(plan.columns) == [*dc.run(problem, dc.Settings(seed=0, iterations=5)).plan.columns, "warning"]
    after = Plain()(MIXED.prepare(made.rows(people)))
    assert np.allclose(after[plan.index], plan["score_after"], atol=1e-9)
    assert (plan["score_after"] <= 0.5).all()
    assert made.rows(people).drop(index=plan.index).equals(people.drop(index=plan.index))


def test_a_share_is_reached_among_the_design_people_with_the_least_effort():
    made = learnt(n=100)
    assert made.design.reached >= 0.5
    assert made.design.changed == 50
    fewer = learnt(n=100, budget=dc.Budget(people=20))
    assert fewer.design.changed <= 20
    little = learnt(n=100, budget=dc.Budget(total_effort=5.0))
    problem = question(100, budget=dc.Budget(total_effort=5.0))
    assert little.told(problem.rows).versions.effort.sum() <= 5.0 * (1 + 1e-9)
    assert 0 < little.design.changed < made.design.changed


def test_of_those_who_need_the_same_the_nearest_are_told_and_no_more_than_were_asked_for():
    actions = dc.Actionability.default(MIXED)
    actions = actions.lock(*(name for name in MIXED.feature_names if name != "Home"))
    asked = question(200, share=0.1, actions=actions)
    made = dc.learn_policy(asked, dc.Settings(seed=0))
    told = made.told(asked.rows)
    assert set(told.versions.effort[told.changed].round(9)) == {1.0}
    assert told.changed.sum() == 20
    able = dc.learn_policy(question(200, share=1.0, actions=actions), dc.Settings(seed=0)).told(asked.rows).changed
    assert able.sum() > 25
    left = able & ~told.changed
    assert told.scores[told.changed].max() <= told.scores[left].min()


def test_nobody_can_come_first_in_a_policy():
    with pytest.raises(InputError, match="take such people out"):
        learnt(budget=dc.Budget(untouched=(3,)))
    with pytest.raises(InputError, match="take such people out"):
        learnt(budget=dc.Budget(first="Income"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_policy_is_the_same_after_its_file(tmp_path, kind):
    made = learnt(kind)
    people = bad_rows(70, 11)
    made = made.with_audit(dc.audit(made, people))
    made.write(tmp_path / "policy.json")
    read = dc.read_policy(tmp_path / "policy.json", Plain())
    assert read.notes == ()
    assert read.audited == made.audited
    same(read.apply(people), made.apply(people))
    read.write(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "policy.json").read_bytes()


def test_a_policy_finds_its_model_beside_it(tmp_path, monkeypatch):
    sample = dc.load_sample("german_credit")
    model = dc.train_model("xgboost", sample.table, sample.schema, seed=0)
    scores = model(sample.table)
    group = sample.table[scores > 0.5]
    design, audited = dc.split(group, share=0.4, seed=1)
    target = dc.Target.threshold(model(design), 0.5, 0.5, "below")
    reference = sample.table.drop(audited.index)
    problem = dc.Problem(design, sample.schema, model, sample.actions, target, dc.Bounds(0.1, 0.1), reference=reference)
    made = dc.learn_policy(problem, dc.Settings(seed=0))
    made.write(tmp_path / "policy.json")
    read = dc.read_policy(tmp_path / "policy.json")
    assert read.notes == ()
    same(read.apply(audited), made.apply(audited))
    other = dc.train_model("xgboost", sample.table, sample.schema, seed=0, settings={"trees": 20})
    assert "not the model" in dc.read_policy(tmp_path / "policy.json", other).notes[0]
    file = tmp_path / json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))["model"]["file"]
    tried = []
    monkeypatch.setattr(probe, "_crashes_accepted", False)
    monkeypatch.setattr(load, "try_file", lambda origin, *more: tried.append(origin.name))
    dc.read_policy(tmp_path / "policy.json")
    assert tried == [file.name]
    file.write_bytes(file.read_bytes().replace(b'"left_children":[1', b'"left_children":[9999', 1))
    with pytest.raises(InputError, match="tree 0 refers to a node that does not exist"):
        dc.read_policy(tmp_path / "policy.json")


BAD = {
    "version": 99,
    "kind": "magic",
    "cut": "x",
    "rules": "a <= b",
    "budget": {},
    "people": {"cells": {}, "scores": []},
    "programmes": [{"action": []}],
    "audit": {"n": 1},
    "aim": {"today": [1, 0], "wished": [0, 1], "tolerance": 0, "price": 1},
    "geometry": {"schema_hash": "", "centre": [], "scale": [], "tried": {}},
    "design": {"people": 0, "scores": [1], "changed": 0, "reached": 0},
    "extra": 1,
}


@pytest.mark.parametrize("part", BAD)
def test_a_damaged_policy_gets_a_sentence(tmp_path, part):
    learnt().write(tmp_path / "policy.json")
    data = json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))
    (tmp_path / "policy.json").write_text(json.dumps(data | {part: BAD[part]}), encoding="utf-8")
    with pytest.raises(InputError):
        dc.read_policy(tmp_path / "policy.json", Plain())


def test_a_policy_opens_no_file_outside_its_folder(tmp_path):
    learnt().write(tmp_path / "policy.json")
    data = json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"))
    for name in ("../model.json", "/etc/passwd", "C:\\model.json"):
        data["model"]["file"] = name
        (tmp_path / "policy.json").write_text(json.dumps(data), encoding="utf-8")
        with pytest.raises(InputError, match="not accepted"):
            dc.read_policy(tmp_path / "policy.json")


def test_people_of_another_kind_are_told_so():
    made = learnt(n=200)
    alike = made.warnings(made.told(bad_rows(200, 21)))
    assert not any("differ" in said for said in alike)
    worse = bad_rows(400, 22)
    worse = worse[worse["Income"] < 1]
    assert any("does not speak of them" in said for said in made.warnings(made.told(worse)))


def test_a_split_is_random_complete_and_repeatable():
    rows = pd.DataFrame({"a": range(101)}, index=range(1000, 1101))
    design, audited = dc.split(rows, share=0.3, seed=4)
    assert len(audited) == 30
    assert sorted([*design.index, *audited.index]) == list(rows.index)
    assert design.index.is_monotonic_increasing
    assert dc.split(rows, 0.3, 4)[1].equals(audited)
    assert not dc.split(rows, 0.3, 5)[1].index.equals(audited.index)
    counts = sum(np.isin(rows.index, dc.split(rows, 0.5, seed)[1].index).astype(int) for seed in range(400))
    assert abs(counts / 400 - 50 / 101).max() < 0.15
    with pytest.raises(InputError):
        dc.split(rows.iloc[:1])
