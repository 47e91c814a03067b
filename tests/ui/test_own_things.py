"""What is mine on the pages: only its maker deletes a saved scenario, everything of mine goes at once, damage has a way out."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from discover_core.scenario.question import Question
from discover_core.store.data_folder import data_folder
from discover_core.store.files import data_files
from discover_core.store.saved_scenarios import SavedScenarios, maker_of
from discover_core.store.store import Store
from tests.store.stored import change, solved, uploaded
from tests.workers.scenarios import german
from ui.app import maker, open_files, tab_runs

APP = Path(__file__).resolve().parents[2] / "app.py"
MINE, THEIRS = "a" * 32, "b" * 32


@pytest.fixture
def store(tmp_path, monkeypatch) -> Store:
    monkeypatch.setenv("DISCOVER_HOME", str(tmp_path))
    tab_runs.runner.clear()
    yield Store()
    tab_runs.runner().close()
    tab_runs.runner.clear()


def visit(*runs: str, address: str | None = None) -> AppTest:
    """A tab of a browser that knows these runs, on Overview."""
    page = AppTest.from_file(str(APP), default_timeout=120)
    page.session_state["runs_told"], page.session_state["maker_secret"] = list(runs), MINE
    if address is not None:
        page.query_params["run"] = address
    page.run()
    assert not page.exception
    return page


def keys(page: AppTest) -> set[str]:
    return {button.key for button in page.button}


def test_only_its_maker_may_delete_a_scenario_and_anybody_open_it(store):
    saved = SavedScenarios(store)
    mine, theirs, old = (
        saved.save(Question(name, german()), maker=who and maker_of(who)).id
        for name, who in (("mine", MINE), ("theirs", THEIRS), ("old", None))
    )
    page = visit()
    assert {f"open-overview-{item}" for item in (mine, theirs, old)} <= keys(page)
    assert {key for key in keys(page) if key.startswith("delete-overview")} == {
        f"delete-overview-{mine}",
        f"delete-overview-{old}",
    }
    page.button(key=f"delete-overview-{mine}").click().run()
    page.button(key=f"sure-overview-{mine}").click().run()
    assert {item.id for item in saved.all()} == {theirs, old}


def test_everything_of_mine_goes_and_nothing_else(store):
    saved, asked, others = SavedScenarios(store), uploaded("Zaphod"), uploaded("Ford")
    mine, theirs = solved(store, asked, others)
    saved.save(asked, maker=maker_of(MINE))
    kept = saved.save(others, maker=maker_of(THEIRS)).id
    brought = data_files().put(b"never asked", "table.csv")
    page = visit(mine)
    assert "deletes **1 run**" in next(text.value for text in page.markdown if "This deletes" in text.value)
    page.session_state["brought"] = frozenset({brought})
    page.button(key="sure-everything").click().run()
    assert not page.exception
    assert page.session_state["message"][1] == "Everything of yours was deleted."
    assert store.run(mine) is None
    assert store.run(theirs).state == "finished"
    assert [item.id for item in saved.all()] == [kept]
    left = b"".join(path.read_bytes() for path in data_folder().rglob("*") if path.is_file())
    assert b"Zaphod" not in left
    assert b"never asked" not in left
    assert b"Ford" in left
    assert "sure-everything" not in keys(page)


def test_a_run_at_work_is_stopped_and_goes_too(store):
    page = visit()
    run_id = tab_runs.runner().start(Question("long", german(4000, family="logistic")))
    page.session_state["runs_told"] = [run_id]
    page.run()
    page.button(key="sure-everything").click().run()
    assert not page.exception
    assert store.run(run_id) is None
    assert store.steps(run_id) == []


@pytest.mark.parametrize(("column", "value"), [("scenario", "{"), ("head", b"no head")])
def test_a_damaged_run_has_a_page_that_says_so(store, column, value):
    bad, good = solved(store, *(Question(name, german(3, family="logistic")) for name in ("bad", "good")))
    change(data_folder() / "runs.sqlite3", f"UPDATE runs SET {column} = ? WHERE id = ?", value, bad)
    page = visit(bad, good)
    assert {f"delete-earlier-{run}" for run in (bad, good)} | {f"show-run-{good}"} <= keys(page)
    if column != "head":  # which a list does not read
        assert f"show-run-{bad}" not in keys(page)
        assert any("damaged" in text.value for text in page.markdown)
    for where in ("results", "solve"):
        page = visit(address=bad)
        page.switch_page(f"pages/{where}.py").run()
        assert not page.exception
        assert "damaged" in page.error[0].value or "cannot be read any more" in page.error[0].value
    page.button(key="delete-damaged").click().run()
    page.button(key="sure-damaged").click().run()
    assert not page.exception
    assert store.run(bad) is None


def test_files_are_held_as_long_as_a_tab_has_them_open(monkeypatch):
    monkeypatch.setattr(open_files.st, "session_state", {})

    class Work:
        pass

    name, work = f"{'c' * 40}.csv", Work()
    open_files.hold(work, "a", open_files.names_in({"file": name}))
    assert name in open_files.held()
    assert open_files.brought() == {name}
    del work
    assert name not in open_files.held()
    work = Work()
    open_files.hold(work, "b", frozenset({name}))
    open_files.let_go({"b"})
    assert name not in open_files.held()


@pytest.mark.parametrize("given", [None, 7, "", "a" * 31, "A" * 32, ["a" * 32], f"{'a' * 31}'", "a" * 33])
def test_what_cannot_be_a_secret_is_not_taken(monkeypatch, given):
    monkeypatch.setattr(maker.st, "session_state", {"maker_secret": MINE})
    maker.heard(given)
    assert maker.secret() == MINE
    maker.heard(THEIRS)
    assert maker.secret() == THEIRS


def test_who_is_signed_in_is_the_maker_in_any_browser(monkeypatch):
    class User:
        def to_dict(self):
            return {"is_logged_in": True, "iss": "https://id.example", "sub": "ann"}

    monkeypatch.setattr(maker.st, "session_state", {"maker_secret": MINE})
    here = maker.maker()
    assert here == maker_of(MINE)
    monkeypatch.setattr(maker.st, "user", User())
    signed_in = maker.maker()
    maker.heard(THEIRS)
    assert signed_in == maker.maker() != here
