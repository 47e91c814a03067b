"""For all tests: properties are tried on the same examples every time, so that a build fails for what a change did.

HYPOTHESIS_PROFILE=search tries new ones, HYPOTHESIS_PROFILE=quick (make quick) fewer. A busy machine is slow
now and then, which is no failure of a property.

Tests run side by side, and their models are small: threads inside one would only wait for each other. Model files are not
tried in another process first, which takes a second each; tests/models/test_probe.py does.
"""

import os

import pytest
from hypothesis import settings

from discover_core.models.probe import accept_crashes

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when the first library with threads is loaded
accept_crashes()
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("quick", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


@pytest.fixture(scope="session", autouse=True)
def spare_home(tmp_path_factory):
    """Tests that name no data folder of their own leave that of whoever runs them alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("DISCOVER_STORE", raising=False)
        yield


@pytest.fixture(scope="session")
def german():
    """A small scenario that several tests run."""
    import discover_core as dc
    from discover_core.problem.targets import Shift
    from discover_core.scenario import SampleTable, TrainedModel

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
