"""Every family trains on raw columns, says what it did, and does the same twice."""

from __future__ import annotations

import dataclasses
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import skops.io
from threadpoolctl import threadpool_limits

from discover_core.errors import InputError
from discover_core.models import train
from discover_core.models.families import build_pipeline, encoded_features
from discover_core.models.settings import FAMILIES
from discover_core.models.train import PipelineScorer, train_model
from discover_core.table.schema import Column, Schema

QUICK = {"random_forest": {"trees": 30}, "xgboost": {"trees": 30}, "lightgbm": {"trees": 30}, "mlp": {"units": 8}}
COLUMNS = (
    Column("age", "numeric", low=18, high=80, step=1),
    Column("job", "nominal", levels=("c", "a", "b <i>")),
    Column("grade", "ordinal", levels=("low", "mid", "high")),
    Column("income", "numeric", low=-1e6, high=1e6),
    Column("flag", "nominal", levels=(True, False)),
    Column("code", "ordinal", levels=(3, 1, 2)),
    Column("stars", "ordinal", levels=(1, 2, 3)),
    Column("part", "nominal", levels=(1, 2, "(missing)")),
    Column("risk", "nominal", levels=("bad", "good")),
    Column("price", "numeric", low=-1e6, high=1e6),
)


def make_table(rows: int = 400, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 81, rows),
            "job": rng.choice(["a", "b <i>", "c"], rows),
            "grade": rng.choice(["low", "mid", "high"], rows),
            "income": rng.normal(30_000, 10_000, rows),
            "flag": rng.random(rows) < 0.4,
            "code": rng.choice([1, 2, 3], rows),
            "stars": rng.choice([1, 2, 3], rows),
            "part": rng.choice([1, 2, np.nan], rows),
        }
    )
    pull = (table.age - 50) / 15 + (table.income - 30_000) / 10_000 + 1.5 * (table.job == "a")
    table["risk"] = np.where(pull + 0.5 * rng.logistic(size=rows) > 0.5, "bad", "good")
    table["price"] = 1_000 * pull + rng.normal(0, 300, rows)
    return table


def classes(**changes: object) -> Schema:
    schema = Schema(COLUMNS, "risk", "bad").replace("price", role="excluded")
    return schema.replace("risk", **changes) if changes else schema


NUMBERS = Schema(COLUMNS, "price").replace("risk", role="excluded")
TABLE = make_table()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_learns_a_class(family: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = train_model(family, TABLE, classes(), seed=3, settings=QUICK.get(family))
    report = model.report
    assert report is not None
    assert report.auc is not None
    assert report.auc > 0.7
    assert (report.train_rows, report.test_rows) == (300, 100)
    scores = model(TABLE)
    assert scores.dtype == np.float64
    assert scores.min() >= 0
    assert scores.max() <= 1
    assert scores[TABLE.risk == "bad"].mean() > scores[TABLE.risk == "good"].mean()
    assert (model.family, model.title, model.interval) == (family, FAMILIES[family].title, (0.0, 1.0))
    assert model.output == "probability that risk is bad"
    assert list(model.inputs) == classes().feature_names
    assert set(report.scores) <= set(scores)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_learns_a_number(family: str) -> None:
    model = train_model(family, TABLE, NUMBERS, settings=QUICK.get(family))
    assert model.report is not None
    assert model.report.r2 is not None
    assert model.report.r2 > 0.5
    assert (model.title, model.output, model.interval) == (FAMILIES[family].title_regression, "predicted price", None)


@pytest.mark.parametrize("family", FAMILIES)
def test_same_seed_same_bits_and_another_seed_another_split(family: str) -> None:
    first, second, other = (train_model(family, TABLE, classes(), seed, QUICK.get(family)) for seed in (5, 5, 6))
    assert first(TABLE).tobytes() == second(TABLE).tobytes() == first(TABLE).tobytes()
    assert first(TABLE).tobytes() != other(TABLE).tobytes()
    assert pickle.loads(pickle.dumps(first))(TABLE).tobytes() == first(TABLE).tobytes()


@pytest.mark.parametrize("family", train.THREADED)
def test_threads_change_no_bit_from_run_to_run(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "THREAD_ROWS", 1)
    train_model(family, TABLE, classes(), 5, QUICK.get(family))  # loads the library, whose threads can then be counted
    with threadpool_limits(2, user_api="openmp"):
        first, second = (train_model(family, TABLE, classes(), 5, QUICK.get(family)) for _ in range(2))
    assert first(TABLE).tobytes() == second(TABLE).tobytes() == first(TABLE).tobytes()


@pytest.mark.parametrize("family", FAMILIES)
def test_the_encoded_matrix_has_the_features_it_says(family: str) -> None:
    schema = classes()
    prepared = schema.prepare(TABLE)
    encoder = build_pipeline(family, schema, 0)[0]
    matrix = encoder.fit_transform(prepared)
    features = encoded_features(schema)
    assert matrix.shape[1] == len(features) == len(encoder.get_feature_names_out())
    for i, (name, level) in enumerate(features):
        column = schema[name]
        if level is not None:
            expected = (prepared[name].astype(object) == level).to_numpy(dtype=float)
        else:
            expected = (prepared[name].cat.codes if column.categorical else prepared[name]).to_numpy(dtype=float)
            if family in ("logistic", "svm", "mlp"):
                expected = (expected - expected.mean()) / expected.std()
        np.testing.assert_allclose(matrix[:, i], expected, atol=1e-9)
    assert [f for f in features if f[0] in ("stars", "code", "part", "flag")] == [
        ("stars", None), ("flag", False), ("flag", True), ("code", 1), ("code", 2), ("code", 3), ("part", 1), ("part", 2)
    ]  # fmt: skip


@pytest.mark.parametrize("schema", [classes(), NUMBERS], ids=["classes", "numbers"])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_pipeline_holds_library_types_only(family: str, schema: Schema) -> None:
    model = train_model(family, TABLE, schema, settings=QUICK.get(family))
    assert isinstance(model.scorer, PipelineScorer)
    unknown = skops.io.get_untrusted_types(data=skops.io.dumps(model.scorer.pipeline))
    assert all(name.split(".")[0] in ("sklearn", "xgboost", "lightgbm", "collections", "numpy") for name in unknown), unknown


def test_the_held_out_rows_were_not_learnt() -> None:
    """A forest of full trees repeats what it has seen; on pure noise the held-out rows must look like noise."""
    table = TABLE.assign(risk=np.random.default_rng(1).permutation(TABLE.risk))
    model = train_model("random_forest", table, classes(), settings={"trees": 50, "depth": 50, "leaf": 1})
    assert model.report is not None
    assert model.report.auc is not None
    assert model.report.auc < 0.65
    assert np.mean((model(table) >= 0.5) == (table.risk == "bad")) > 0.8


@pytest.mark.parametrize(
    ("values", "positive", "chosen"),
    [
        ((0, 1), None, 1),
        ((True, False), None, True),
        ((False, True), False, False),
        (("no", "yes"), None, "yes"),
        ((10, 9), None, 10),
    ],
)
def test_outcomes_of_any_type(values: tuple[object, object], positive: object, chosen: object) -> None:
    second = chosen if chosen == values[1] else values[0]
    other = values[0] if second == values[1] else values[1]
    table = TABLE.assign(risk=[second if r == "bad" else other for r in TABLE.risk])
    schema = dataclasses.replace(classes(), positive=None).replace("risk", levels=values).with_outcome("risk", positive)  # type: ignore[arg-type]
    report = train_model("logistic", table, schema).report
    assert report is not None
    assert report.positive == chosen
    assert report.negative == str(other)
    assert report.auc is not None
    assert report.auc > 0.7


def test_more_classes_need_a_choice_and_become_one_against_the_rest() -> None:
    table = TABLE.assign(risk=np.where(TABLE.risk == "bad", "bad", TABLE.job))
    schema = dataclasses.replace(classes(), positive=None).replace("risk", levels=("bad", "a", "b <i>", "c"))
    with pytest.raises(InputError, match=r"4 classes.*“bad”, “a”, “b <i>”, “c”"):
        train_model("logistic", table, schema)
    report = train_model("logistic", table, schema.with_outcome("risk", "bad")).report
    assert report is not None
    assert (report.positive, report.negative) == ("bad", "not bad")
    assert report.base_rate == pytest.approx((table.risk == "bad").mean(), abs=0.01)


@pytest.mark.parametrize(
    "schema", [classes(), classes(levels=("bad", "good", "(missing)")), NUMBERS], ids=["gap", "level", "number"]
)
def test_rows_without_outcome_are_left_out_and_counted(schema: Schema) -> None:
    table = TABLE.copy()
    table.loc[table.index[:40], ["risk", "price"]] = np.nan
    model = train_model("logistic", table, dataclasses.replace(schema, positive=None) if schema is NUMBERS else schema)
    assert model.report is not None
    assert model.report.train_rows + model.report.test_rows == 360
    assert any("40 rows without a known" in note for note in model.notes)
    assert len(model(table)) == 400


@pytest.mark.parametrize("schema", [classes(), NUMBERS], ids=["classes", "numbers"])
def test_large_tables_are_sampled_with_a_note(schema: Schema, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "svm", dataclasses.replace(FAMILIES["svm"], max_rows=90))
    model = train_model("svm", TABLE, schema)
    assert model.report is not None
    assert (model.report.train_rows, model.report.test_rows) == (90, 30)
    assert any("at most 90 rows" in note and "400" in note for note in model.notes)


def test_a_fit_that_does_not_settle_is_a_note_not_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = train_model("logistic", TABLE, classes(), settings={"iterations": 10, "c": 1000})
    assert any("not fully settled" in note for note in model.notes)


def test_progress_goes_from_0_to_1() -> None:
    heard: list[tuple[float, str]] = []
    train_model("logistic", TABLE, classes(), progress=lambda share, words: heard.append((share, words)))
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert all(words for _, words in heard)


def only(*names: str) -> Schema:
    return Schema(tuple(c if c.name in names else dataclasses.replace(c, role="excluded") for c in COLUMNS), "risk", None)


ONE_BAD = TABLE.assign(risk=["bad"] + ["good"] * 399)


@pytest.mark.parametrize(
    ("family", "table", "schema", "settings", "words"),
    [
        ("logistic", TABLE, Schema(COLUMNS), None, "No outcome is chosen"),
        ("logistic", TABLE, classes(role="excluded"), None, "“risk” is excluded"),
        ("logistic", TABLE.drop(columns="risk"), classes(), None, "“risk” is not in the table"),
        ("logistic", TABLE, only("risk"), None, "No feature is left"),
        ("forest", TABLE, classes(), None, "“forest”.*logistic, svm, mlp, random_forest, xgboost, lightgbm"),
        ("logistic", TABLE[:19], classes(), None, "Only 19 rows.*at least 20"),
        ("logistic", TABLE.assign(risk="good"), classes(), None, "“good” in every row"),
        ("logistic", TABLE.assign(price=7.0), NUMBERS, None, "“price” is 7 in every row"),
        ("logistic", ONE_BAD, classes(), None, "“bad” in only 1 of 400 rows.*at least 2"),
        ("svm", ONE_BAD.assign(risk=["bad"] * 5 + ["good"] * 395), classes(), None, "“bad” in only 5 of 400 rows.*at least 6"),
        ("xgboost", TABLE, classes(), {"depth": 0}, "“Depth” cannot be “0”.*whole number from 1 to 15"),
        ("xgboost", TABLE, classes(), {"depth": 2.5}, "whole number"),
        ("xgboost", TABLE, classes(), {"trees": True}, "“True”"),
        ("xgboost", TABLE, classes(), {"learning_rate": "fast"}, "“fast”.*a number from 0.001 to 1"),
        ("svm", TABLE, classes(), {"kernel": "cubic"}, "“cubic”; choose one of rbf, linear, poly"),
        ("svm", TABLE, classes(), {"depth": 3}, "no setting “depth”; it has c, kernel"),
    ],
)
def test_what_cannot_be_trained_is_one_sentence(
    family: str, table: pd.DataFrame, schema: Schema, settings: dict[str, object] | None, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        train_model(family, table, schema, settings=settings)


def test_levels_of_mixed_type_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="“code” mixes text and numbers"):
        encoded_features(classes().replace("code", levels=(1, "x")))


@pytest.mark.parametrize("family", ["svm", "mlp", "xgboost"])
def test_the_smallest_class_that_is_allowed_trains(family: str) -> None:
    few = 6 if family == "svm" else 2
    table = TABLE.assign(risk=["bad"] * few + ["good"] * (400 - few))
    for seed in range(3):
        assert train_model(family, table, classes(), seed, QUICK.get(family)).report is not None


def test_every_setting_has_a_default_it_accepts() -> None:
    for family in FAMILIES.values():
        assert 2 <= len(family.settings) <= 3
        assert family.resolve(None) == {s.name: s.default for s in family.settings}
