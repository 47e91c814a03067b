"""What a wanted column may be mapped to."""

import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from discover_core.errors import InputError
from discover_core.models.columns import match_names
from discover_core.models.load import load_model
from discover_core.models.questions import ColumnMismatch
from discover_core.models.save import save_model
from discover_core.models.train import train_model

from .nasty import nasty

TABLE, SCHEMA = nasty()


def test_every_choice_offered_is_accepted_whole_columns_first() -> None:
    with pytest.raises(ColumnMismatch) as caught:
        match_names(["is_low"], SCHEMA)
    choices = pickle.loads(pickle.dumps(caught.value)).choices
    assert choices[: len(SCHEMA.feature_names)] == SCHEMA.feature_names
    assert "Saving <level>=low" in choices
    for choice in choices:
        assert str(match_names(["is_low"], SCHEMA, {"is_low": choice})[0]) == choice


def test_an_indicator_under_another_name() -> None:
    import skops.io

    frame = (TABLE[["Saving <level>"]] == "low").set_axis(["is_low"], axis=1)
    fitted = LogisticRegression().fit(frame, TABLE["Risk"])
    model = load_model(skops.io.dumps(fitted), SCHEMA, "m.skops", mapping={"is_low": "Saving <level>=low"})
    assert np.allclose(model(TABLE), fitted.predict_proba(frame)[:, 0])


def test_our_own_pipelines_read_whole_columns_only() -> None:
    data, _ = save_model(train_model("logistic", TABLE, SCHEMA))
    other = SCHEMA.with_outcome("Risk", "bad")
    columns = tuple(c for c in other if c.name != "Rate [%]")
    other = type(SCHEMA)(columns, "Risk", "bad")
    with pytest.raises(ColumnMismatch) as caught:
        load_model(data, other, "m.skops")
    assert caught.value.choices == other.feature_names
    with pytest.raises(InputError, match="cannot be read from"):
        load_model(data, other, "m.skops", mapping={"Rate [%]": "Saving <level>=low"})
