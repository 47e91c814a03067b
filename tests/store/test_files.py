"""Files by their content: put once, got back, swept when nobody needs them, wherever they are."""

import os
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.scenario.sources import Folder, ModelCopy, ModelFile, TableFile, TrainedModel
from discover_core.store.erase import needed_files
from discover_core.store.files import CONTENT_NAME, FolderFiles, content_name, data_files, sweep
from discover_core.store.saved_scenarios import SavedScenarios
from discover_core.store.store import Store
from discover_core.store.table_files import read_once
from discover_core.store.tables import RUNS
from discover_core.workers.runner import Runner

from ..workers.scenarios import german, until


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path / "home"))
    return Store()


def test_a_file_is_there_once_under_a_name_of_our_own(store):
    files = data_files()
    name = files.put(b"a,b\n1,2\n", "../../etc/loans.csv")
    assert files.put(b"a,b\n1,2\n", "other.CSV") == name
    assert "/" not in name
    assert name.endswith(".csv")
    assert files.put(b"x", "table.csv.gz").endswith(".csv.gz")
    assert "." not in files.put(b"y", "odd.<script>")
    assert files.get(name).read_bytes() == b"a,b\n1,2\n"
    files.delete(name)
    files.delete(name)
    with pytest.raises(dc.InputError, match="is not in"):
        files.get(name)


@given(st.binary(), st.text(), st.text())
def test_the_name_of_a_file_is_found_again_in_any_text(content, name, around):
    assert CONTENT_NAME.fullmatch(content_name(content, name))
    text = f'{around}"{content_name(content, name)}"{around}'
    assert content_name(content, name) in {found.group() for found in CONTENT_NAME.finditer(text)}


@pytest.mark.parametrize("kind", [Folder, FolderFiles])
def test_no_name_leads_out_of_the_folder(tmp_path, kind):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret").write_text("secret")
    (inside / "link").symlink_to(tmp_path / "secret")
    for name in ("link", "../secret"):
        with pytest.raises(dc.InputError, match="link out of"):
            kind(inside).get(name)


def test_what_nobody_needs_goes_after_a_week(store):
    files = data_files()
    for content in (b"x", b"y"):
        files.put(content, "x.csv")
    table, model, copy, lost = (files.put(content, "z.csv") for content in (b"z", b"model", b"copy", b"lost"))
    scenario = replace(german(), data=TableFile(table), model=ModelFile(model))
    SavedScenarios(store).save(Question("z", scenario))
    store.add(Question("run", german(), model_copy=ModelCopy(ModelFile(copy))), "server")
    unreadable = store.add(Question("unreadable", replace(german(), data=TableFile(lost))), "server")
    with store.writing() as connection:
        odd = RUNS.c.scenario.concat("of another version")
        connection.execute(RUNS.update().where(RUNS.c.id == unreadable).values(scenario=odd))
    for name in files.untouched(-60):
        os.utime(files.get(name), (time.time() - 8 * 24 * 3600,) * 2)
    fresh, again = files.put(b"fresh", "fresh.csv"), files.put(b"y", "y.csv")
    assert sweep(files, needed_files(store)) == 1
    assert set(files.untouched(-60)) == {table, model, copy, lost, fresh, again}


@dataclass(frozen=True)
class Elsewhere:
    """Files that are not in the data folder, brought here when somebody wants them."""

    cache: Path
    there: dict[str, bytes] = field(default_factory=dict)

    def put(self, content: bytes, name: str) -> str:
        self.there[content_name(content, name)] = content
        return content_name(content, name)

    def get(self, name: str) -> Path:
        (self.cache / name).write_bytes(self.there[name])
        return self.cache / name

    def table(self, name: str) -> pd.DataFrame:
        return read_once(self.get(name))

    def delete(self, name: str) -> None:
        del self.there[name]

    def untouched(self, seconds: float) -> list[str]:
        return list(self.there)


def test_a_run_takes_its_files_from_wherever_the_runner_says(tmp_path, store):
    files = Elsewhere(tmp_path)
    table = dc.load_sample("german_credit").table.to_csv(index=False).encode()
    old = files.put(b"old", "old.csv")
    runner = Runner(store, ThreadPoolExecutor(1), files)
    assert old not in files.there
    source = TableFile(files.put(table, "loans.csv"))
    run_id = runner.start(Question("elsewhere", replace(german(3), data=source, model=TrainedModel("logistic"))))
    run = until(store, run_id, lambda run: run.over)
    runner.close()
    assert (run.state, run.done) == ("finished", 3)
    assert list(data_files().untouched(-60)) == []


def test_files_reach_a_worker_in_another_process(store):
    assert pickle.loads(pickle.dumps(data_files())) == data_files()
