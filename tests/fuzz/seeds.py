"""Good files of every kind, made from the sample data: what hostile ones are grown from."""

from __future__ import annotations

import codecs
import datetime as dt
import gzip
import io
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from typing import Any

import lightgbm as lgb
import numpy as np
import pandas as pd
import pyarrow as pa
import skops.io
import xgboost as xgb
from pyarrow import parquet
from skl2onnx import to_onnx
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import discover_core as dc
from discover_core.models.save import save_model
from discover_core.policy.policy_file import policy_archive
from discover_core.problem.targets import Beta, Quantiles, ReferenceGroup, Shift, Threshold, Values
from discover_core.scenario.sources import ModelFile, SampleTable, TableFile, TrainedModel

from .zip_changes import packed, parts

Seed = Mapping[str, bytes]  # the files that are uploaded together, by their names
ROWS = 60
MEMORY = re.compile(rb'(?<="__id__": )\d+')


@cache
def seeds() -> dict[str, tuple[Seed, ...]]:
    """By kind of file, in the order of the tables of figures."""
    people = dc.load_sample("german_credit_10").table.head(ROWS)
    files = [(name, steady(part) if name.endswith(".skops") else part) for name, part in parts(policy_archive(policy()))]
    texts = delimited(people)
    return {
        "CSV": tuple({"people.csv": text} for text in texts),
        "CSV.gz": tuple({"people.csv.gz": gzip.compress(text, mtime=0)} for text in texts[:3]),
        "XLSX": tuple({"people.xlsx": sheet} for sheet in (workbook(people), workbook(odd_columns()))),
        "Parquet": tuple({"people.parquet": content} for content in parquets(people)),
        "XGBoost JSON": tuple({"model.json": bytes(booster.save_raw("json"))} for booster in boosters()),
        "XGBoost UBJ": tuple({"model.ubj": bytes(booster.save_raw("ubj"))} for booster in boosters()),
        "LightGBM": tuple({"model.txt": text.encode()} for text in light()),
        "ONNX": tuple({"model.onnx": content} for content in networks()),
        "skops": tuple({"model.skops": steady(skops.io.dumps(estimator))} for estimator in estimators()),
        "scenario.json": tuple({"scenario.json": json.dumps(one.to_dict()).encode()} for one in scenarios()),
        "policy.json": (dict(files),),
        "policy ZIP": ({"policy.zip": packed(files)},),
        "target CSV": tuple({"target.csv": text.encode()} for text in targets()),
        "target XLSX": tuple({"target.xlsx": workbook(pd.read_csv(io.StringIO(text)))} for text in targets()),
        "people CSV": tuple({"people.csv": text} for text in texts[:3]),
        "rows CSV": tuple({"rows.csv": rows.to_csv(index=False).encode()} for rows in other_rows(people)),
        "target Parquet": tuple({"target.parquet": as_parquet(pd.read_csv(io.StringIO(text)))} for text in targets()),
    }


def delimited(people: pd.DataFrame) -> list[bytes]:
    """Dialects and encodings that people's programs write."""
    text = people.to_csv(index=False)
    notes = people.assign(Note='He said "so",\nand went')
    return [
        text.encode(),
        people.to_csv(index=False, sep=";", decimal=",").encode("utf-8-sig"),
        people.to_csv(index=False, sep="\t").encode("utf-16"),
        people.to_csv(index=True, sep="|").replace("male", "männlich").encode("cp1252"),
        notes.to_csv(index=False, lineterminator="\r\n").encode(),
        codecs.BOM_UTF16_BE + text.replace("\n", "\r").encode("utf-16-be"),
        odd_columns().to_csv(index=False).encode(),
    ]


def odd_columns() -> pd.DataFrame:
    days = pd.date_range("1969-12-30", periods=ROWS, freq="37h")
    return pd.DataFrame(
        {
            "Name": [f"Zoë {i} 名前" for i in range(ROWS)],
            "Born": days,
            "Share": np.linspace(-1, 1, ROWS).round(3),
            "Vote": np.arange(ROWS) % 2 == 0,
            "Code": [f"{i % 7:03d}" for i in range(ROWS)],
            "Gap": [None if i % 3 else i / 7 for i in range(ROWS)],
            "Paid": ["yes" if i % 5 else "no" for i in range(ROWS)],
        }
    )


def workbook(table: pd.DataFrame) -> bytes:
    out = io.BytesIO()
    table.to_excel(out, index=False)
    return out.getvalue()


def as_parquet(table: pd.DataFrame, **settings: Any) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(table), out, **settings)
    return out.getvalue()


def parquets(people: pd.DataFrame) -> list[bytes]:
    some = range(ROWS)
    odd = pa.table(
        {
            "decimal": pa.array([Decimal(i) / 4 for i in some], pa.decimal128(12, 2)),
            "day": pa.array([dt.date(1, 1, 1) + dt.timedelta(days=60_000 * i) for i in some]),
            "clock": pa.array([dt.time(i % 24, i) for i in some]),
            "span": pa.array([dt.timedelta(seconds=i) for i in some]),
            "bytes": pa.array([bytes([65 + i % 20]) for i in some]),
            "half": pa.array(np.arange(ROWS, dtype=np.float16)),
            "word": pa.array([f"w{i % 4}" for i in some]).dictionary_encode(),
            "huge": pa.array([2**64 - 1 - i for i in some], pa.uint64()),
            "none": pa.nulls(ROWS),
        }
    )
    nested = pa.table({"list": [[1, 2]] * ROWS, "record": [{"a": i} for i in some]})
    out, deep = io.BytesIO(), io.BytesIO()
    parquet.write_table(odd, out, row_group_size=7, data_page_version="2.0")
    parquet.write_table(nested, deep)
    return [as_parquet(people), as_parquet(people, compression="gzip", row_group_size=9), out.getvalue(), deep.getvalue()]


@cache
def numbers() -> tuple[pd.DataFrame, Any]:
    """Three columns of the sample as a model sees them, and who was a bad risk."""
    table = dc.load_sample("german_credit_10").table
    return table[["Age", "Credit amount", "Duration"]].astype(np.float64), (table["Risk"] == "bad").astype(int)


def with_categories() -> pd.DataFrame:
    table = dc.load_sample("german_credit_10").table
    return numbers()[0].assign(Purpose=pd.Categorical(table["Purpose"]), Housing=pd.Categorical(table["Housing"]))


@cache
def boosters() -> tuple[xgb.Booster, ...]:
    table, bad = numbers()
    small = {"max_depth": 3, "nthread": 1}
    chance = {"objective": "binary:logistic", **small}
    words = xgb.DMatrix(with_categories(), bad, enable_categorical=True)
    plain = xgb.DMatrix(table, bad)
    three = xgb.DMatrix(table, np.arange(len(table)) % 3)
    return (
        xgb.train(chance, plain, 4),
        xgb.train({**chance, "max_cat_to_onehot": 1}, words, 3),
        xgb.train({"objective": "multi:softprob", "num_class": 3, **small}, three, 2),
        xgb.train({**chance, "booster": "dart"}, plain, 2),
        xgb.train({"objective": "binary:logistic", "booster": "gblinear", "nthread": 1}, plain, 2),
    )


def light() -> list[str]:
    table, bad = numbers()
    given = {"objective": "binary", "verbosity": -1, "num_leaves": 6, "num_threads": 1, "deterministic": True}
    three = {**given, "objective": "multiclass", "num_class": 3}
    return [
        lgb.train(given, lgb.Dataset(table, bad), 4).model_to_string(),
        lgb.train({**given, "min_data_per_group": 5}, lgb.Dataset(with_categories(), bad), 3).model_to_string(),
        lgb.train(three, lgb.Dataset(table, np.arange(len(table)) % 3), 2).model_to_string(),
        lgb.train({**given, "linear_tree": True}, lgb.Dataset(table, bad), 2).model_to_string(),
        save_model(trained("lightgbm", trees=3))[0].decode(),
    ]


@cache
def trained(family: str, **settings: Any) -> dc.Model:
    sample = dc.load_sample("german_credit_10")
    return dc.train_model(family, sample.table, sample.schema, 0, settings)


def networks() -> list[bytes]:
    table = dc.load_sample("german_credit_10")
    schema_numbers = np.column_stack([np.arange(300) % (3 + j) for j in range(len(table.schema.features))]).astype(np.float32)
    bad = numbers()[1][:300]
    made = [LogisticRegression(max_iter=200), RandomForestClassifier(3, max_depth=3, random_state=0)]
    return [
        to_onnx(one.fit(schema_numbers, bad), schema_numbers[:1], options={"zipmap": zipmap}).SerializeToString()
        for one, zipmap in zip(made, (False, True), strict=True)
    ]


def estimators() -> list[Any]:
    table, bad = numbers()
    return [
        LogisticRegression(max_iter=500).fit(table, bad),
        DecisionTreeClassifier(max_depth=4, random_state=0).fit(table, bad),
        RandomForestClassifier(3, max_depth=3, random_state=0).fit(table, bad),
        HistGradientBoostingClassifier(max_iter=3, max_leaf_nodes=6, random_state=0).fit(table, bad),
        KNeighborsClassifier(3).fit(table[:80], bad[:80]),
        xgb.XGBClassifier(n_estimators=2, max_depth=2, n_jobs=1).fit(table, bad),
        lgb.LGBMClassifier(n_estimators=2, num_leaves=4, n_jobs=1, verbosity=-1).fit(table, bad),
    ]


def steady(model: bytes) -> bytes:
    """A skops file whose parts are named and numbered in their order, not by where they were in memory."""
    content, numbers = dict(parts(model)), dict[bytes, bytes]()
    schema = content.pop("schema.json")
    schema = MEMORY.sub(lambda found: numbers.setdefault(found.group(), b"%d" % len(numbers)), schema)
    names = {name: f"{place}.{name.rpartition('.')[2]}" for place, name in enumerate(content)}
    for old, new in names.items():
        schema = schema.replace(old.encode(), new.encode())
    return packed([("schema.json", schema), *((names[name], part) for name, part in content.items())])


def scenarios() -> list[dc.Scenario]:
    sample = dc.load_sample("german_credit_10")
    group = dc.Cohort(score_side="above", score_value=0.5, sample=40, seed=4)
    targets = (
        Shift(by=-0.15),
        Threshold(0.5, 0.8, "below", 0.02),
        Beta(2.0, 5.0),
        Quantiles((0.0, 0.5, 1.0), (0.1, 0.3, 0.6)),
        Values((0.1, 0.2, 0.4)),
        ReferenceGroup(dc.Cohort(score_side="below", score_value=0.4)),
    )
    return [
        dc.Scenario(
            SampleTable("german_credit_10") if number % 2 else TableFile("data/people.csv"),
            sample.schema,
            group,
            TrainedModel("logistic", 3, {"c": 0.5}) if number % 3 else ModelFile("model.json", {"f0": "Age"}, 1),
            sample.actions.limit("Duration", 6, 48),
            target,
            dc.Bounds(0.6, 0.2, delta=0.2, slices=5, band="bootstrap"),
            dc.Settings(selection="rowwise", k=10, iterations=6, seed=5),
            people="Purpose",
            name="A question",
            budget=dc.Budget(effort=2.0, people=20),
            rules=("Duration <= Age",) if number % 2 else (),
        )
        for number, target in enumerate(targets)
    ]


@cache
def policy() -> dc.Policy:
    """An audited one for a few people."""
    sample, model = dc.load_sample("german_credit_10"), trained("logistic")
    group = sample.table[model(sample.table) > 0.5].head(120)
    design, audited = dc.split(group, share=0.4, seed=1)
    target = dc.Target.threshold(model(design), 0.5, 0.5, "below")
    reference = sample.table.drop(audited.index)
    problem = dc.Problem(design, sample.schema, model, sample.actions, target, dc.Bounds(0.1, 0.1), reference=reference)
    learnt = dc.learn_policy(problem, dc.Settings(seed=0))
    return learnt.with_audit(dc.audit(learnt, audited))


def other_rows(people: pd.DataFrame) -> list[pd.DataFrame]:
    """What another method made of the first forty, in the three forms that are read."""
    shorter = people.head(40).drop(columns="Risk").assign(Duration=people["Duration"].head(40) // 2)
    turned = shorter.assign(Row=range(1, 41)).iloc[::-1]
    lines = pd.DataFrame({"Row": range(1, 41), "Person": people.index[:40], "Feature": "Duration", "After": shorter["Duration"]})
    return [shorter, turned, lines]


def targets() -> tuple[str, ...]:
    wished = np.linspace(0.05, 0.6, 40).round(4)
    shares = np.linspace(0, 1, 11)
    pairs = "\n".join(f"{share:.2f},{0.05 + share / 2:.3f}" for share in shares)
    return "score\n" + "\n".join(map(str, wished)), "probability,value\n" + pairs
