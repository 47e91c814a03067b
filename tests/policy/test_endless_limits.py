"""Where nobody knows between which numbers scores lie, a limit may be infinite: it stays so through files and stored runs."""

import json
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.outcome.audit_digest import AuditDigest
from discover_core.outcome.summary import Summary
from discover_core.policy.audit import Audit, Claim
from discover_core.policy.audit_data import audit_from_dict, audit_to_dict
from discover_core.policy.policy_upload import uploaded_policy
from discover_core.policy.statement_words import statement_words
from discover_core.problem.audit_plan import AuditPlan
from discover_core.problem.targets import Threshold
from discover_core.scenario import SampleTable, TrainedModel
from discover_core.scenario.json_schema import plain
from discover_core.scenario.question import Question
from discover_core.store.store import Store
from discover_core.workers.page_jobs import policy_files
from discover_core.workers.runner import Runner
from tests.policy.cases import Plain, bad_rows, question
from tests.workers.scenarios import until


def statement(**limits: float) -> Audit:
    claims = {name: Claim(0.25, limits.get(name, 0.5), False, f"Of {name}.") for name in ("share", "inputs", "outputs", "people")}
    return Audit(**claims, n=40, alpha=0.05, looks=3)


@pytest.mark.parametrize("endless", [(), ("inputs",), ("outputs",), ("inputs", "outputs")])
def test_an_infinite_limit_is_null_in_json_and_infinite_again(endless):
    audit = statement(**dict.fromkeys(endless, math.inf))
    text = json.dumps(audit_to_dict(audit), allow_nan=False)
    assert text.count("null") == len(endless)
    assert audit_from_dict(json.loads(text)) == audit
    digest = AuditDigest(audits=(audit, statement()), family="a")
    assert AuditDigest.from_dict(json.loads(json.dumps(plain(digest.to_dict()), allow_nan=False))) == digest


@pytest.mark.parametrize("name", ["share", "people"])
def test_a_share_has_ends(name):
    data = audit_to_dict(statement())
    data[name]["limit"] = None
    with pytest.raises(InputError, match="“limit” of the “" + name):
        audit_from_dict(data)


@pytest.mark.parametrize("estimate", ["share", "inputs", "outputs", "people"])
def test_what_is_never_infinite_is_not_null(estimate):
    data = audit_to_dict(statement())
    data[estimate]["estimate"] = None
    with pytest.raises(InputError, match="“estimate” of the “" + estimate):
        audit_from_dict(data)


TARGETS = {
    "threshold": None,
    "shift": lambda scores: dc.Target.shift(scores, by=-0.2),
    "shape": lambda scores: dc.Target.quantiles([0, 1], [0.1, 0.8]),
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_plain_function_has_a_policy_file_with_its_audit(tmp_path, target):
    model = Plain()

    def scores(table):
        return model(table)

    made = dc.learn_policy(question(40, target=target, model=scores), dc.Settings(seed=0))
    made = made.with_audit(dc.audit(made, bad_rows(30, 5)))
    assert math.isinf(made.audited.outputs.limit)
    made.write(tmp_path / "policy.json")
    json.loads((tmp_path / "policy.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    read = dc.read_policy(tmp_path / "policy.json", scores)
    assert read.audited == made.audited
    assert read.notes == ()


@pytest.fixture(scope="module")
def amounts(tmp_path_factory):
    """The store and a finished, audited run whose model predicts a number."""
    sample = dc.load_sample("german_credit_10")
    schema = sample.schema.with_outcome("Credit amount")
    scenario = dc.Scenario(
        data=SampleTable("german_credit_10"),
        schema=schema,
        cohort=dc.Cohort(score_side="above", score_value=4000, sample=80),
        model=TrainedModel("lightgbm"),
        actions=dc.Actionability.default(schema),
        target=Threshold(4000, 0.5, "below"),
        bounds=dc.Bounds(0.6, 1e6, slices=5),
        settings=dc.Settings(k=20, candidates=10, iterations=4),
        audit=AuditPlan(),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        runner = Runner(Store(), ThreadPoolExecutor(1))
        run_id = runner.start(Question("amounts", scenario, data_title="German Credit"))
        yield runner.store, until(runner.store, run_id, lambda run: run.over)
        runner.close()


def test_a_run_whose_model_predicts_a_number_keeps_its_audit_and_gives_its_policy(amounts):
    store, run = amounts
    assert run.state == "finished"
    summary = Summary.from_json(run.summary)
    audit = summary.audit.audit(1)
    assert math.isinf(audit.outputs.limit)
    assert np.isfinite(audit.inputs.limit)
    assert summary.to_json() == run.summary
    archive, plan = policy_files(store.url, run.id, 1, lambda share, doing: None)
    read = uploaded_policy({"policy.zip": archive})
    assert read.notes == ()
    assert read.audited == audit
    assert read.cohort == dc.Cohort(score_side="above", score_value=4000)  # the group's rules are in it
    assert b"not of the group" not in plan
    sure = statement_words(audit, read.ground)
    assert "standard deviations" in sure
    assert audit.outputs.sentence in sure
