"""Whoever else is there moves no bit of what a person is told: not with gaps, nor by models of single precision."""

import numpy as np
import pandas as pd
import pytest
from skl2onnx import to_onnx
from sklearn.linear_model import LogisticRegression

import discover_core as dc
from discover_core.models.load import load_model
from tests.policy.cases import Plain, bad_rows, question
from tests.solver.cases import MIXED, mixed_rows

SHAPE = {"target": lambda scores: dc.Target.quantiles([0, 1], [0.1, 0.8])}


def same(a, b):
    pd.testing.assert_frame_equal(a, b, check_exact=True)


def in_all_company(made, people):
    """What everybody is told, which is what they are told alone, and with a few others."""
    everybody = made.told(people).everybody
    for size in (1, 7, 40):
        parts = [made.told(people.iloc[at : at + size]).everybody for at in range(0, len(people), size)]
        same(pd.concat(parts).reset_index(drop=True), everybody)
    return everybody


def codes(rows):
    """Numbers for every feature, as a file without names is given them."""
    ready = MIXED.prepare(rows)
    parts = [ready[c.name].cat.codes if c.categorical else ready[c.name] for c in MIXED.features]
    return np.column_stack(parts).astype(np.float32)


@pytest.mark.parametrize("kind", ["personal", "programmes"])
def test_a_network_tells_each_person_the_same_in_whatever_company(kind):
    rows = mixed_rows(400, 5)
    fitted = LogisticRegression(max_iter=2000).fit(codes(rows), Plain()(MIXED.prepare(rows)) > 0.5)
    data = to_onnx(fitted, codes(rows)[:1], options={"zipmap": False}).SerializeToString()
    model = load_model(data, MIXED, "m.onnx")
    made = dc.learn_policy(question(80, model=model, **SHAPE), dc.Settings(seed=3), kind=kind)
    assert (in_all_company(made, bad_rows(100, 7, model))["cells"] > 0).any()


@pytest.mark.parametrize("kind", ["personal", "programmes"])
def test_a_missing_number_is_the_same_in_whatever_company(kind, tmp_path):
    problem = question(80, **SHAPE)
    made = dc.learn_policy(problem, dc.Settings(seed=3), kind=kind)
    people = bad_rows(100, 7)
    people.loc[people.index % 3 == 0, "Income"] = np.nan
    people["Months"] = people["Months"].where(people.index % 5 > 0)
    everybody = in_all_company(made, people)
    assert (everybody["cells"][people["Income"].isna()] > 0).any()
    fills = {name: np.median(problem.reference[name]) for name in ("Income", "Months")}
    assert {name: made.ground.known.schema[name].fill for name in fills} == fills
    taken = dict(zip(MIXED.feature_names, made.told(people.iloc[[0]]).before[0], strict=True))
    assert {name: taken[name] for name in fills} == fills
    made.write(tmp_path / "policy.json")
    same(in_all_company(dc.read_policy(tmp_path / "policy.json", Plain()), people), everybody)
