"""A store with a run that was solved, its files, and whatever else tests want in it."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import discover_core as dc
from discover_core.scenario.question import Question
from discover_core.scenario.sources import TableFile
from discover_core.store.files import data_files
from discover_core.store.store import Store
from discover_core.workers.runner import Runner

from ..workers.scenarios import german, until


def solved(store: Store, *questions: Question) -> list[str]:
    """The ids of these runs, once they are finished."""
    runner = Runner(store, ThreadPoolExecutor(1))
    ids = [runner.start(question) for question in questions]
    for run_id in ids:
        assert until(store, run_id, lambda run: run.over).state == "finished"
    runner.close()
    return ids


def uploaded(marker: str, iterations: int = 3) -> Question:
    """A question about a table of one's own, whose people, levels and names all hold the marker."""
    table = dc.load_sample("german_credit").table.head(300).assign(Client=[f"{marker} {i}" for i in range(300)])
    name = data_files().put(table.to_csv(index=False).encode(), "loans.csv")
    data_files().table(name)  # so that it has its copy
    asked = german(iterations, family="logistic")
    scenario = replace(asked, data=TableFile(name), cohort=replace(asked.cohort, sample=30), people=None)
    return Question(f"{marker} run", scenario, data_title=f"{marker}.csv", model_title="Logistic")


def change(path: Path, statement: str, *values: object) -> None:
    """Change the database behind the program's back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)
