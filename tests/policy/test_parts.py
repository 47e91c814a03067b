"""A group in two: at random, only people in the audit whom the model does not know, and groups that share people are related."""

import numpy as np
import pandas as pd
import pytest

import discover_core as dc
from discover_core.models.settings import FAMILIES
from discover_core.models.train import learnt_from
from discover_core.policy.parts import Parts, family, related
from discover_core.policy.split import split


def test_only_people_are_audited_to_whom_the_model_was_not_fitted():
    rng = np.random.default_rng(0)
    group, fitted = np.arange(100, 400), rng.random(500) < 0.75
    parts = Parts.of(group, fitted, 0.5, 3)
    assert parts.known == 0
    assert set(parts.audited) == {int(i) for i in group if not fitted[i]}
    assert sorted([*parts.design, *parts.audited]) == group.tolist()
    few = Parts.of(group, fitted, 0.1, 3)
    assert len(few.audited) == 30
    assert set(few.audited) < set(parts.audited)
    assert set(Parts.of(group, fitted, 0.1, 4).audited) != set(few.audited)


def test_where_the_model_knows_nearly_everybody_the_audit_says_how_many_it_knows():
    fitted = np.ones(60, dtype=bool)
    fitted[:5] = False
    parts = Parts.of(np.arange(60), fitted, 0.5, 0)
    assert len(parts.audited) == 30
    assert parts.known == fitted[parts.audited].sum() >= 25


def test_of_a_model_from_a_file_nobody_can_say_and_the_split_is_that_of_the_library():
    parts = Parts.of(np.arange(50, 90), None, 0.3, 7)
    assert parts.known is None
    _, audited = split(pd.DataFrame({"place": np.arange(50, 90)}), 0.3, 7)
    assert parts.audited.tolist() == audited["place"].tolist()


@pytest.mark.parametrize("name", ["logistic", "svm", "random_forest"])
def test_what_a_model_learnt_from_are_the_rows_that_decide_it(name):
    """Other outcomes of held-out rows change nothing of it; other outcomes of a few of the rest do."""
    sample, seed = dc.load_sample("german_credit_10"), 5
    table = sample.table.copy()
    table.loc[table.index[:40], sample.schema.outcome] = None
    known = learnt_from(table, sample.schema, name, seed)
    assert not known[:40].any()
    assert known.sum() == pytest.approx(0.75 * 960, abs=1)
    scores = dc.train_model(name, table, sample.schema, seed)(table)

    def with_others_changed(rows):
        changed = table.copy()
        held = changed.columns.get_indexer(sample.schema.feature_names)
        changed.iloc[rows, held] = changed.iloc[np.roll(rows, 1), held].to_numpy()
        return dc.train_model(name, changed, sample.schema, seed)(table)

    held_out = np.flatnonzero(~known)[40:]
    assert np.array_equal(with_others_changed(held_out), scores)
    assert not np.array_equal(with_others_changed(np.flatnonzero(known)[:60]), scores)


def test_every_family_of_models_can_say_what_it_learnt_from():
    sample = dc.load_sample("german_credit_10")
    assert {int(learnt_from(sample.table, sample.schema, name, 0).sum()) for name in FAMILIES} == {750}


def test_groups_that_share_people_are_related_and_strangers_are_not():
    rng = np.random.default_rng(1)
    group = rng.choice(100_000, 5_000, replace=False)
    one = family("data", group)
    assert related(one, family("data", group[::-1]))
    assert related(one, family("data", group[1:]))
    assert related(one, family("data", np.append(group[: len(group) // 2], np.arange(100_000, 102_500))))
    assert not related(one, family("other data", group))
    assert not related(one, family("data", np.setdiff1d(np.arange(100_000), group)[:5_000]))
    assert related("before", "before")
    assert not related("before", one)
    missed = 0
    for seed in range(200):  # a tenth of all in common
        own = np.random.default_rng(seed).permutation(100_000)[:1_900]
        missed += not related(family("data", own[:1_045]), family("data", own[855:]))
    assert missed <= 8
