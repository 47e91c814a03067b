"""A real model that waits while somebody holds it: a model call that takes as long as a test wants."""

import math
import os
import pickle
import time
from pathlib import Path

from sklearn.linear_model import LogisticRegression

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.scenario.sources import ModelCopy, ModelFile
from discover_core.store.files import data_files
from discover_core.workers.processes import Processes
from discover_core.workers.runner import Runner

COLUMNS = ["Duration", "Credit amount", "Age"]
PICKLES = "DISCOVER_ALLOW_PICKLE"


def allow_pickles():
    os.environ[PICKLES] = "1"  # the processes are forked from one that was started before the test


def allowing(fn, *args):
    allow_pickles()
    return fn(*args)


class HoldableProcesses(Processes):
    """Processes that may open a held model."""

    def submit(self, fn, /, *args):
        return super().submit(allowing, fn, *args)


class HeldModel(LogisticRegression):
    def predict_proba(self, table):
        self.calls_ = getattr(self, "calls_", 0) + 1
        folder = Path(self.folder_)
        while self.calls_ >= held_from(folder):
            (folder / "held").touch()
            time.sleep(0.01)
        return super().predict_proba(table)


def held_from(folder: Path) -> float:
    """The number of the first call that waits."""
    try:
        return int((folder / "hold").read_text())
    except FileNotFoundError:
        return math.inf


class Hold:
    """A held model in the data folder, and the hand that holds it."""

    def __init__(self, folder: Path) -> None:
        sample = dc.load_sample("german_credit")
        folder.mkdir()
        self.folder = folder
        model = HeldModel(max_iter=10_000).fit(sample.table[COLUMNS], sample.table[sample.schema.outcome])
        model.folder_ = str(folder)
        self.source = ModelFile(data_files().put(pickle.dumps(model), "model.pkl"), output=str(sample.schema.positive))

    def at(self, call: int) -> None:
        """From now on a worker's model waits in this call: the third one scores the group, the fourth its first iteration."""
        (self.folder / "next").write_text(str(call))
        (self.folder / "next").replace(self.folder / "hold")

    def wait(self, seconds=300.0) -> None:
        """Return once a call waits."""
        end = time.monotonic() + seconds
        while not (self.folder / "held").exists():
            assert time.monotonic() < end, "the model was not called"
            time.sleep(0.01)

    def release(self) -> None:
        (self.folder / "hold").unlink(missing_ok=True)


def held_run(runner: Runner, folder: Path, scenario: dc.Scenario, call: int) -> tuple[Hold, Question, str]:
    """A question that a held model answers, and the id of its run, which waits in this call."""
    hold = Hold(folder / "model")
    hold.at(call)
    asked = Question("held", scenario, model_copy=ModelCopy(hold.source))
    run_id = runner.start(asked)
    hold.wait()
    return hold, asked, run_id
