"""Scenarios for the tests of runs, and a way to wait for the store to say something."""

import time
from dataclasses import replace

import discover_core as dc
from discover_core.problem.targets import Threshold
from discover_core.scenario.sources import SampleTable, TrainedModel
from discover_core.store.run import Run
from discover_core.store.store import Store


def german(iterations=8, candidates=10, family="xgboost", **settings) -> dc.Scenario:
    """The German Credit demo: rows that score above a half."""
    sample = dc.load_sample("german_credit")
    return dc.Scenario(
        data=SampleTable("german_credit"),
        schema=sample.schema,
        cohort=dc.Cohort(score_side="above", score_value=0.5, sample=80),
        model=TrainedModel(family),
        actions=sample.actions,
        target=Threshold(0.5, 0.8, "below"),
        bounds=dc.Bounds(0.6, 0.05, delta=0.2, slices=5, band="bootstrap"),
        settings=dc.Settings(**{"selection": "rowwise", "k": 5} | settings, candidates=candidates, iterations=iterations),
    )


def demo(iterations=40) -> dc.Scenario:
    """The German Credit demo as its pages ask it: half of 200 people below a half, with a certificate."""
    settings = dc.Settings(k=4, h=3, candidates=20, iterations=iterations)
    cohort, bounds = dc.Cohort(score_side="above", score_value=0.5, sample=200), dc.Bounds(0.54, 0.0198)
    return replace(german(), cohort=cohort, target=Threshold(0.5, 0.5, "below", 0.02), bounds=bounds, settings=settings)


def until(store: Store, run_id: str, wanted, seconds=600.0) -> Run:
    """The run as soon as `wanted(run)` holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        run = store.run(run_id)
        if wanted(run):
            return run
        time.sleep(0.02)
    raise AssertionError(f"The run did not get there: {run}")
