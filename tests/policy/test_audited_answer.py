"""A scenario's audited answer: nothing it is learnt from knows the people of its audit, and answers to one group are a family."""

from dataclasses import replace

import numpy as np
import pytest

import discover_core as dc
from discover_core.errors import InputError
from discover_core.outcome.audit_digest import AuditDigest
from discover_core.policy import audited_answer as module
from discover_core.policy.audited_answer import audited_answer
from discover_core.policy.parts import related
from discover_core.problem.audit_plan import AuditPlan
from discover_core.problem.targets import ReferenceGroup
from discover_core.scenario import Question
from discover_core.store.files import data_files
from tests.workers.scenarios import german


def asked(**changes) -> dc.Scenario:
    return replace(german(family="logistic", iterations=3, selection="personal"), audit=AuditPlan(), **changes)


@pytest.fixture(scope="module")
def study(tmp_path_factory) -> dc.Study:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        return Question("audited", asked()).study(data_files())


def halves(study: dc.Study, scenario: dc.Scenario):
    """What the design people are asked, and the places of the audit people."""
    found = {}

    class Enough(Exception):
        pass

    def learnt(problem, *_):
        found["problem"] = problem
        raise Enough

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "learnt", learnt)
        with pytest.raises(Enough):
            audited_answer(study, scenario)
    design = found["problem"].rows.index
    return found["problem"], np.setdiff1d(study.group, study.dataset.raw.index.get_indexer(design))


@pytest.mark.parametrize("whose", [dc.Cohort(), dc.Cohort(score_side="above", score_value=0.3)])
def test_another_groups_scores_tell_nothing_of_the_audit_people(study, whose):
    scenario = asked(target=ReferenceGroup(whose))
    problem, audited = halves(study, scenario)
    scores = np.array(study.scores)
    everybody = study.rows(whose)
    assert np.isin(audited, everybody).all()  # without care they would be in it
    moved = scores.copy()
    moved[audited] = np.clip(moved[audited] + 0.2, 0, 1)
    other, theirs = halves(replace(study, model_scores=moved), scenario)
    assert np.array_equal(audited, theirs)
    assert np.array_equal(problem.target.left, other.target.left)
    kept = 1 - len(audited) / len(study.group)
    assert problem.target.size == pytest.approx(len(everybody) * kept, rel=0.15)  # as much of the others, so it looks as before
    assert problem.target.left.mean() == pytest.approx(scores[everybody].mean(), abs=0.05)


def test_another_group_without_anybody_of_the_audit_stays_whole(study):
    whose = dc.Cohort(score_side="below", score_value=0.3)
    problem, _ = halves(study, asked(target=ReferenceGroup(whose)))
    assert problem.target.size == len(study.rows(whose))


def test_answers_to_one_group_are_a_family_whatever_half_was_audited(study):
    first = audited_answer(study, asked())
    other_half = audited_answer(study, asked(settings=replace(asked().settings, seed=5)))
    smaller = audited_answer(study, replace(asked(), audit=AuditPlan(share=0.4)))
    assert first.family == other_half.family == smaller.family
    fewer = replace(study, cohort=replace(study.cohort, sample=70))
    one_fewer = audited_answer(fewer, asked(cohort=fewer.cohort)).family
    assert one_fewer != first.family
    assert related(one_fewer, first.family)
    whole = replace(study, cohort=dc.Cohort(score_side="below", score_value=0.2))
    assert not related(audited_answer(whole, asked(cohort=whole.cohort)).family, first.family)
    digest = AuditDigest.of(first)
    stored = digest.to_dict()
    assert AuditDigest.from_dict({**stored, "half": stored.pop("family")}).family == first.family  # as it was called before


def test_a_policy_carries_the_statement_for_as_many_answers_as_were_audited(study):
    answer = audited_answer(study, asked())
    assert answer.policy_for(1).audited == answer.audits[0]
    assert "98.75%" in answer.policy_for(2).audited.sentence
    assert answer.policy_for(len(answer.audits) + 1).audited is None


def test_nobody_can_be_left_alone_by_name_in_whichever_half_they_are(study):
    for place in study.group[:6]:
        with pytest.raises(InputError, match="knows nobody by name"):
            audited_answer(study, asked(budget=dc.Budget(untouched=(int(place),))))
