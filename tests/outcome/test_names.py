"""What people are called, from the scenario to the store, the plan and the result folder; what was made before still opens."""

import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pytest

import discover_core as dc
from discover_core import __main__ as command
from discover_core.outcome.list_of_changes import changes_table, plan_excel, plan_json, plan_table, search
from discover_core.outcome.run_outcome import RunOutcome
from discover_core.scenario.question import Question
from discover_core.scenario.sources import TableFile
from discover_core.solver.search import layout_of
from discover_core.store.array_codec import pack, unpack
from discover_core.store.files import data_files
from discover_core.store.step_codec import pack_head, unpack_head
from discover_core.store.store import Store
from discover_core.table.people import people_names
from discover_core.table.write import to_csv
from discover_core.workers.runner import Runner

from ..workers.scenarios import german as demo
from ..workers.scenarios import until

NASTY = ["=cmd()", "<b>Ann</b>", "Ann", "Ann", None, "x" * 500, "@x", "line\nbreak", "Zoë 你"]


def ids(count: int) -> list[str | None]:
    return [NASTY[i] if i < len(NASTY) else f"C-{i:05}" for i in range(count)]


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """A question about a table with a column of odd ids, as a file in the data folder, and what its group is called."""
    sample = dc.load_sample("german_credit")
    table = sample.table.assign(Client=ids(len(sample.table)))
    schema = dc.Schema((*sample.schema.columns, dc.Column("Client", "excluded")), sample.schema.outcome, sample.schema.positive)
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISCOVER_HOME", str(home))
        content = io.BytesIO()
        table.to_parquet(content)
        source = TableFile(data_files().put(content.getvalue(), "loans.parquet"))
        actions = dc.Actionability.from_dict(sample.actions.to_dict(), schema)
        cohort = dc.Cohort()
        scenario = replace(
            demo(12, family="logistic"), data=source, schema=schema, actions=actions, cohort=cohort, people="Client"
        )
        yield scenario, table


@pytest.fixture(scope="module")
def found(asked):
    runner = Runner(Store(), ThreadPoolExecutor(1))
    run_id = runner.start(Question("named", asked[0]))
    until(runner.store, run_id, lambda run: run.over)
    yield RunOutcome.open(runner.store, run_id)
    runner.close()


def test_a_run_keeps_the_names_and_every_file_of_the_plan_has_them(asked, found):
    table = asked[1]
    assert found.names == people_names(table.iloc[found.group.rows], "Client")
    assert found.names[:5] == ["=cmd()", "<b>Ann</b>", "Ann (row 3)", "Ann (row 4)", "Row 5"]
    plan, changes, told = plan_table(found), changes_table(found), json.loads(plan_json(found))["people"]
    assert len(plan) > 0
    for lines in (plan, changes):
        assert list(lines["Person"]) == [found.names[place] for place in lines.index]
        assert list(lines["Row"]) == [found.group.rows[place] + 1 for place in lines.index]
    assert [(who["person"], who["row"]) for who in told] == list(zip(plan["Person"], plan["Row"], strict=True))
    somebody = plan.iloc[0]
    assert search(found, found.by_effort, somebody["Person"].upper())[0]
    assert search(found, found.by_effort, str(somebody["Row"]))[0]


def test_no_name_acts_as_a_formula(found):
    named = replace(found, group=replace(found.group, named=True, names=[f"=1+{i}" for i in range(len(found.names))]))
    for lines in (plan_table(named), changes_table(named)):
        back = pd.read_csv(io.BytesIO(to_csv(lines)), encoding="utf-8-sig")
        assert list(back["Person"]) == [f"'{name}" for name in lines["Person"]]
    book = openpyxl.load_workbook(io.BytesIO(plan_excel(named)))
    cells = [cell for sheet in book for line in sheet.iter_rows() for cell in line]
    assert any(str(cell.value).startswith("'=1+") for cell in cells)
    assert not any(cell.data_type == "f" for cell in cells)


@pytest.mark.parametrize("people", [None, "Client"])
def test_a_head_comes_back_and_one_of_before_has_row_numbers(asked, people):
    problem = Question("", asked[0]).problem(data_files())
    data = pack_head(problem, layout_of(problem, asked[0].settings), people)
    head, rows = unpack_head(data), [f"Row {row + 1}" for row in problem.rows.index]
    assert head.names == (rows if people is None else people_names(problem.rows, people))
    of_before = unpack_head(pack(**{name: part for name, part in unpack(data).items() if name != "named"}))
    assert of_before.names == rows
    assert np.array_equal(of_before.cells, head.cells)


def test_the_result_folder_names_people(german, tmp_path, capsys):
    sample = dc.load_sample("german_credit_10")
    sample.table.assign(Client=ids(len(sample.table))).to_csv(tmp_path / "loans.csv", index=False)
    parts = german.to_dict()
    parts["data"] = {"file": "loans.csv"}
    parts["schema"]["columns"].append(dc.Column("Client", "excluded").to_dict())
    (tmp_path / "s.json").write_text(json.dumps({**parts, "people": "Client", "name": "Ours"}))
    assert command.main(["solve", str(tmp_path / "s.json"), "--quiet"]) in (0, 3)
    outputs = pd.read_csv(tmp_path / "s-result" / "outputs.csv", encoding="utf-8-sig")
    names = people_names(dc.read_table(tmp_path / "loans.csv").iloc[outputs["row"]], "Client")
    assert list(outputs.columns) == ["row", "person", "before", "after"]
    assert list(outputs["person"]) == [f"'{name}" if name[0] in "=@" else name for name in names]
    again = dc.Scenario.read(tmp_path / "s-result" / "settings.json")
    assert (again.people, again.name) == ("Client", "Ours")
    capsys.readouterr()

    sample.table.to_csv(tmp_path / "loans.csv", index=False)
    assert command.main(["solve", str(tmp_path / "s.json"), "--out", str(tmp_path / "other")]) == 2
    assert capsys.readouterr().err.startswith("The table has no column “Client” to call people by")
    assert not (tmp_path / "other").exists()


def test_a_scenario_of_before_opens_and_is_written_as_it_was(german):
    parts = german.to_dict()
    assert not {"people", "name"} & set(parts)
    assert dc.Scenario.from_dict({**parts, "people": None, "name": ""}).to_dict() == parts
    named = replace(german, people="Age", name="Ours")
    assert dc.Scenario.from_dict(json.loads(json.dumps(named.to_dict()))).to_dict() == named.to_dict()
    assert {**parts, "people": "Age", "name": "Ours"} == named.to_dict()
    assert replace(named, name="Theirs") == named != replace(named, people=None)
