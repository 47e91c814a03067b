"""The quick way to a pipeline's numbers gives the same bits as the pipeline itself."""

import dataclasses

import numpy as np
import pytest

from discover_core.models.train import train_model
from discover_core.problem import load_sample, samples


@pytest.mark.parametrize("family", ["random_forest", "xgboost"])
@pytest.mark.parametrize("name", samples())
def test_the_reader_agrees_with_scikit_learns_encoder(family, name):
    sample = load_sample(name)
    rows = sample.table.iloc[:600]
    model = train_model(family, rows, sample.schema, settings={"trees": 20})
    prepared = sample.schema.prepare(rows)
    assert model.scorer.reader is not None
    slow = dataclasses.replace(model.scorer, reader=None)
    np.testing.assert_array_equal(model.scorer(prepared), slow(prepared))
    encoded = np.asarray(model.scorer.pipeline[0].transform(prepared[sample.schema.feature_names]), dtype=np.float64)
    np.testing.assert_array_equal(model.scorer.reader(prepared), encoded)
