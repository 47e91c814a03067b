"""A real audited policy, and the people who audited it."""

import pandas as pd

import discover_core as dc


def audited_german() -> tuple[dc.Policy, pd.DataFrame]:
    """Half of those whom XGBoost refuses should be accepted."""
    sample = dc.load_sample("german_credit")
    model = dc.train_model("xgboost", sample.table, sample.schema, seed=0)
    group = sample.table[model(sample.table) > 0.5]
    design, audited = dc.split(group, share=0.4, seed=1)
    target = dc.Target.threshold(model(design), 0.5, 0.5, "below")
    reference = sample.table.drop(audited.index)
    problem = dc.Problem(design, sample.schema, model, sample.actions, target, dc.Bounds(0.1, 0.1), reference=reference)
    policy = dc.learn_policy(problem, dc.Settings(seed=0))
    return policy.with_audit(dc.audit(policy, audited)), audited.reset_index(drop=True)
