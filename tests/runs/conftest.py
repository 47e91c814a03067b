"""A small scenario that several tests run."""

import pytest

import discover_core as dc
from discover_core.runs.recipe import Shift
from discover_core.runs.sources import SampleTable, TrainedModel


@pytest.fixture(scope="session")
def german():
    sample = dc.load_sample("german_credit_10")
    return dc.Scenario(
        SampleTable("german_credit_10"),
        sample.schema,
        dc.Cohort(score_side="above", score_value=0.5, sample=40, seed=4),
        TrainedModel("logistic", 3, {"c": 0.5}),
        sample.actions.limit("Duration", 6, 48),
        Shift(by=-0.15),
        dc.Bounds(0.6, 0.2, delta=0.2, slices=5, band="bootstrap"),
        dc.Settings(selection="rowwise", k=10, iterations=6, seed=5),
    )
