"""Jobs of the pages get the place of a table and give back what they found: the table itself crosses no border."""

import inspect
import os
import pickle

import numpy as np
import pandas as pd
import pytest

from discover_core.models.train import train_model
from discover_core.store.table_files import same
from discover_core.table import Dataset, read_table
from discover_core.workers import page_jobs
from discover_core.workers.job import Job

ROWS = 60_000
SMALL = 50_000  # bytes


def at_home(home, function, *args, progress):
    """In the job's process, which was forked from one that was started before this test."""
    os.environ["DISCOVER_HOME"] = home
    return getattr(page_jobs, function)(*args, progress=progress)


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))

    def do(function, *args):
        """The result of a job, and the bytes that went into its process and came back."""
        job = Job(f"{__name__}:at_home", str(tmp_path / "home"), function, *args)
        assert job.wait(300) == "finished", job.error
        return job.result, len(pickle.dumps(args)), len(pickle.dumps(job.result))

    return do


@pytest.mark.slow
def test_a_large_table_is_opened_and_trained_on_without_being_sent(work, tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({f"number {i}": rng.normal(size=ROWS) for i in range(15)})
    table["town"] = rng.choice(["Ulm", "Bonn", "Köln"], ROWS)
    table["outcome"] = np.where(table["number 0"] + rng.normal(size=ROWS) > 0, "bad", "good")
    table.to_csv(tmp_path / "upload", index=False)
    raw = read_table(tmp_path / "upload", "people.csv")
    size = len(pickle.dumps(raw))

    opened, sent, returned = work("open_file", str(tmp_path / "upload"), "people.csv")
    assert size > 100 * SMALL
    assert sent < SMALL
    assert returned < SMALL
    dataset = opened.dataset()
    assert same(dataset.raw, raw)
    assert dataset.summary == Dataset.of(raw, dataset.schema, "people.csv").summary

    schema = dataset.schema.with_outcome("outcome", "bad")
    scored, sent, returned = work("train", "logistic", opened.source, schema, 3, {})
    assert sent < SMALL
    assert returned < size / 5  # the scores of everybody, but no table
    expected = train_model("logistic", raw, schema, 3)
    assert np.allclose(scored.scores, expected(raw), rtol=1e-9, atol=0)  # the number of threads may round otherwise


def test_no_job_takes_a_table():
    jobs = {
        name: job for name, job in vars(page_jobs).items() if inspect.isfunction(job) and job.__module__ == page_jobs.__name__
    }
    public = {name: job for name, job in jobs.items() if "progress" in inspect.signature(job).parameters and name[0] != "_"}
    assert {"open_file", "open_scenario", "train", "load", "load_again"} <= set(public)
    for job in public.values():
        said = " ".join(map(str, inspect.get_annotations(job).values()))
        assert "DataFrame" not in said
        assert Dataset.__name__ not in said
