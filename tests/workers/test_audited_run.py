"""A run with an audit: its policy's plan is kept with it, to the bit what the policy tells these people wherever it is."""

import io
import json
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.outcome.list_of_changes import plan_json
from discover_core.outcome.policy_outcome import PolicyOutcome
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.outcome.summary import Summary
from discover_core.outcome.tradeoff import limited
from discover_core.policy.parts import Parts
from discover_core.problem.audit_plan import AuditPlan
from discover_core.scenario.question import Question
from discover_core.store.files import data_files
from discover_core.store.store import Store
from discover_core.store.told_codec import unpack_told
from discover_core.workers.page_jobs import policy_files
from discover_core.workers.runner import Runner

from .scenarios import german, until


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The store, a finished run of 80 people that was audited, and its policy with everybody's plan as files."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        runner = Runner(Store(), ThreadPoolExecutor(1))
        scenario = replace(german(iterations=4, selection="personal", k=20), audit=AuditPlan(kind="personal"))
        run_id = runner.start(Question("audited", scenario, data_title="German Credit"))
        run = until(runner.store, run_id, lambda run: run.over)
        assert run.state == "finished"
        assert run.sentence is None
        archive, plan = policy_files(runner.store.url, run_id, 1, lambda share, doing: None)
        yield runner.store, run, archive, plan
        runner.close()


def answer(store: Store, run_id: str) -> PolicyOutcome:
    return PolicyOutcome.of_told(RunOutcome.open(store, run_id), unpack_told(store.policy(run_id)), "Said.")


def test_the_kept_plan_is_what_the_policys_file_tells_these_people(audited, tmp_path):
    store, run, archive, plan = audited
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        files.extractall(tmp_path)
    policy = dc.read_policy(tmp_path / "policy.json")
    kept = answer(store, run.id)
    told = policy.told(kept.raw(data_files()))
    assert np.array_equal(told.after, kept.cells)
    assert np.array_equal(told.versions.scores[told.changed], kept.outputs[told.changed])
    assert np.array_equal(told.versions.effort, kept.effort)
    assert np.array_equal(kept.group.cells[~told.changed], kept.cells[~told.changed])
    assert sorted(kept.order.tolist()) == kept.movers.tolist()
    lines = pd.read_csv(io.BytesIO(plan), encoding="utf-8-sig", keep_default_na=False)
    assert lines["changes"].tolist() == told.everybody["changes"].tolist()
    assert 0 < told.changed.sum() < len(lines)


def test_the_audit_speaks_of_its_own_people_as_the_plan_has_them(audited):
    store, run, *_ = audited
    kept, digest = answer(store, run.id), Summary.from_json(run.summary).audit
    scenario = run.question.scenario
    learnt_from = scenario.learnt_from(scenario.data.table(data_files()))
    at = np.isin(kept.group.rows, Parts.of(kept.group.rows, learnt_from, 0.5, scenario.settings.seed).audited)
    assert not learnt_from[kept.group.rows[at]].any()
    audit = digest.audit(1)
    assert audit.n == at.sum() < 40
    assert digest.known == 0
    assert audit.share.estimate == (kept.outputs[at] <= 0.5).mean()
    assert audit.people.estimate == kept.changed[at].any(axis=1).mean()
    assert digest.changed == len(kept.movers)
    assert digest.words[0].startswith(f"{digest.changed} of 80 people change")
    assert kept.effort.max() <= 2 * (1 + 1e-9)


def test_its_downloads_name_the_audit_and_not_the_papers_certificate(audited):
    store, run, *_ = audited
    kept = answer(store, run.id)
    told = json.loads(plan_json(kept))
    assert told["verdict"]["certificate"] == "Said."
    assert not told["verdict"]["certified"]
    assert len(told["people"]) == len(kept.movers)


def test_its_plan_for_fewer_people_keeps_their_effort_and_says_what_the_audit_is_about(audited):
    store, run, *_ = audited
    kept = answer(store, run.id)
    some = limited(kept, 5)
    assert some.effort[kept.order[:5]].tolist() == kept.effort[kept.order[:5]].tolist()
    assert some.effort.sum() == pytest.approx(kept.tradeoff["effort"][5])
    said = json.loads(plan_json(some))
    assert len(said["people"]) == 5
    assert said["verdict"]["certificate"] == "The audit speaks of the policy's whole plan, not of this part of it."
    whole = limited(kept, len(kept.order))
    assert json.loads(plan_json(whole)) == json.loads(plan_json(kept))


def test_a_run_that_goes_on_forgets_the_plan_until_it_is_audited_again(audited):
    store, run, *_ = audited
    assert store.enqueue(run.id, "nobody", run.iterations + 1, more=True)
    assert store.policy(run.id) is None
