"""Many rows on all cores: the same bits as on one."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import ExtraTreesRegressor, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

import discover_core as dc
from discover_core.models import row_threads
from discover_core.models.row_threads import ask
from discover_core.models.train import THREADED, train_model

RNG = np.random.default_rng(0)
N = 3_000
TABLE = pd.DataFrame({f"x{i}": RNG.normal(size=N) for i in range(4)} | {"k": RNG.choice(list("abcd"), N)})
TABLE["n"] = RNG.integers(0, 50, N)
TABLE["y"] = np.where(TABLE["x0"] + TABLE["x1"] * TABLE["x2"] + (TABLE["k"] == "a") + RNG.normal(size=N) > 0, "yes", "no")
TABLE["z"] = TABLE["x0"] + TABLE["n"] / 50


class Parts:
    """Stands for the pool, and keeps how many parts it was given."""

    def __init__(self, monkeypatch, count):
        self.given = []
        monkeypatch.setattr(row_threads, "cores", lambda: count)
        pool = row_threads.ThreadPoolExecutor

        def counted(workers):
            self.given.append(workers)
            return pool(workers)

        monkeypatch.setattr(row_threads, "ThreadPoolExecutor", counted)


@pytest.mark.parametrize("outcome", ["y", "z"])
@pytest.mark.parametrize("family", THREADED)
def test_on_all_cores_the_bits_are_those_of_one(family, outcome, monkeypatch):
    table = TABLE.drop(columns="z" if outcome == "y" else "y")
    model = train_model(family, table, dc.Schema.infer(table, outcome), settings={"trees": 40})
    many = table.iloc[np.random.default_rng(1).integers(0, N, 6_000)].reset_index(drop=True)
    monkeypatch.setattr(row_threads, "ROWS", 1_200)
    with monkeypatch.context() as patch:
        parts = Parts(patch, 1)
        one = model(many)
        assert parts.given == []
    for count in (2, 3, 7):
        with monkeypatch.context() as patch:
            parts = Parts(patch, count)
            for _ in range(3):
                assert model(many).tobytes() == one.tobytes()
            assert parts.given == [count] * 3


def test_few_rows_stay_where_they_are(monkeypatch):
    parts = Parts(monkeypatch, 4)
    table = TABLE.drop(columns="z")
    model = train_model("random_forest", table, dc.Schema.infer(table, "y"), settings={"trees": 10})
    model(table)
    model(table.iloc[np.zeros(row_threads.ROWS - 1, dtype=int)])
    assert parts.given == []
    model(table.iloc[np.zeros(row_threads.ROWS, dtype=int)])
    assert parts.given == [2]


def centred(features):
    """Looks at all rows at once."""
    return np.asarray(features) - np.asarray(features).mean(axis=0)


@pytest.mark.parametrize("as_table", [True, False])
def test_the_steps_of_a_pipeline_see_all_rows(as_table, monkeypatch):
    parts = Parts(monkeypatch, 3)
    monkeypatch.setattr(row_threads, "ROWS", 500)
    features = TABLE[["x0", "x1", "n"]] if as_table else TABLE[["x0", "x1", "n"]].to_numpy()
    forest = RandomForestClassifier(10, random_state=0)
    for model in (
        make_pipeline(FunctionTransformer(centred), "passthrough", forest),
        Pipeline([("model", forest)]),
    ):
        model.fit(features, TABLE["y"])
        assert ask(model, "predict_proba", features).tobytes() == model.predict_proba(features).tobytes()
        assert (ask(model, "predict", features) == model.predict(features)).all()
    trees = ExtraTreesRegressor(5, random_state=0).fit(features, TABLE["z"])
    assert ask(trees, "predict", features).tobytes() == trees.predict(features).tobytes()
    assert parts.given == [3] * 5


def test_models_with_threads_of_their_own_or_of_other_kinds_are_asked_once(monkeypatch):
    parts = Parts(monkeypatch, 3)
    monkeypatch.setattr(row_threads, "ROWS", 500)
    features = TABLE[["x0", "x1"]]
    for model in (RandomForestClassifier(5, random_state=0, n_jobs=2), LogisticRegression()):
        model.fit(features, TABLE["y"])
        assert ask(model, "predict_proba", features) == pytest.approx(model.predict_proba(features))
    assert parts.given == []


def test_an_error_in_a_thread_is_said_as_any_other(monkeypatch):
    Parts(monkeypatch, 2)
    monkeypatch.setattr(row_threads, "ROWS", 500)
    forest = RandomForestClassifier(5, random_state=0).fit(TABLE[["x0", "x1"]].to_numpy(), TABLE["y"])
    with pytest.raises(ValueError, match="features"):
        ask(forest, "predict_proba", TABLE[["x0", "x1", "x2"]].to_numpy())
