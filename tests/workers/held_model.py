"""A real model that waits while somebody holds it: a model call that takes as long as a test wants."""

import math
import pickle
import time
from pathlib import Path

from sklearn.linear_model import LogisticRegression

import discover_core as dc
from discover_core.scenario.sources import ModelFile
from discover_core.store.files import data_files

COLUMNS = ["Duration", "Credit amount", "Age"]


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

    def wait(self, seconds=40.0) -> None:
        """Return once a call waits."""
        end = time.monotonic() + seconds
        while not (self.folder / "held").exists():
            assert time.monotonic() < end, "the model was not called"
            time.sleep(0.01)

    def release(self) -> None:
        (self.folder / "hold").unlink(missing_ok=True)
