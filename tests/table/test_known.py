"""A public table is recognised by its columns, and only then."""

import numpy as np
import pandas as pd
import pytest

from discover_core.problem.column_rules import known_rules
from discover_core.table.known import FOLDER, known_tables, ready_schema, recognise
from discover_core.table.schema import Column

KNOWN = {known.name: known for known in known_tables()}
UPLOADED = {"heloc": 24, "cardio": 13, "hotel_booking": 32}  # with the outcome


def made_up(name: str, rows: int = 60) -> pd.DataFrame:
    """Rows like those of a known table: its levels where it has some, otherwise whole numbers."""
    random = np.random.default_rng(0)
    table = {}
    for column, given in KNOWN[name].columns.items():
        values = given.get("levels") or (["a", "b", "c"] if given["role"] == "nominal" else list(range(50)))
        table[column] = random.choice(values, rows)
    return pd.DataFrame(table)


def test_every_definition_is_complete_and_every_file_is_there():
    fields = set(Column.__dataclass_fields__)
    assert {known.name for known in known_tables() if known.file is None} == set(UPLOADED)
    for known in known_tables():
        assert (FOLDER / f"{known.name}.json").exists()
        assert known.path is None or known.path.exists()
        assert known.outcome in known.columns
        assert known.positive in known.columns[known.outcome]["levels"]
        for given in known.columns.values():
            assert {"role", "label"} <= set(given) <= fields


@pytest.mark.parametrize("name", UPLOADED)
def test_an_upload_of_a_table_we_may_not_ship_gets_its_ready_schema(name):
    table = made_up(name)
    assert table.shape[1] == UPLOADED[name]
    known = recognise(table)
    assert known == KNOWN[name]
    schema = ready_schema(table, known)
    assert (schema.outcome, schema.positive) == (known.outcome, known.positive)
    assert [column.name for column in schema] == list(table.columns)
    assert len(schema.prepare(table)) == len(table)
    assert schema[schema.feature_names[0]].reason.startswith("Known from ")


def test_heloc_codes_are_missing_values_not_numbers():
    table = made_up("heloc")
    table.loc[:9, "ExternalRiskEstimate"] = [-7, -8, -9, -9, -9, -9, -9, -9, -9, -9]
    column = ready_schema(table, KNOWN["heloc"])["ExternalRiskEstimate"]
    assert (column.missing, column.missing_codes) == (10, (-7, -8, -9))
    assert column.low is not None
    assert column.low >= 0


def test_cardio_and_hotel_keep_out_what_must_not_be_used():
    cardio = ready_schema(made_up("cardio"), KNOWN["cardio"])
    assert cardio["id"].role == "excluded"
    assert (cardio["age"].unit, cardio["age"].action) == ("days", "locked")
    assert (cardio["gluc"].role, cardio["gluc"].levels) == ("ordinal", (1, 2, 3))
    hotel = ready_schema(made_up("hotel_booking"), KNOWN["hotel_booking"])
    for name in ("reservation_status", "reservation_status_date"):
        assert hotel[name].role == "excluded"
        assert "outcome" in hotel[name].reason


def test_a_few_more_columns_and_stray_blanks_do_not_matter():
    table = made_up("cardio").rename(columns={"age": " age ", "cardio": "cardio "})
    table["bmi"] = np.linspace(18, 40, len(table))
    schema = ready_schema(table, KNOWN["cardio"])
    assert recognise(table) == KNOWN["cardio"]
    assert schema.outcome == "cardio "
    assert schema[" age "].action == "locked"
    assert not schema["bmi"].reason.startswith("Known")


@pytest.mark.parametrize("name", list(KNOWN))
def test_a_few_columns_less_do_not_matter(name):
    table, known = made_up(name), KNOWN[name]
    spare = [column for column in known.columns if column != known.outcome]
    for column in spare:
        assert recognise(table.drop(columns=column)) == known, column
    for column in spare[::5]:
        assert ready_schema(table.drop(columns=column), known).outcome == known.outcome
    assert recognise(table.drop(columns=spare[:2])) == known
    assert recognise(table.drop(columns=known.outcome)) is None
    assert recognise(table.drop(columns=spare[:4])) is not known


def test_hotel_without_its_first_column_still_keeps_out_what_follows_from_the_outcome():
    table = made_up("hotel_booking").drop(columns="hotel")
    schema = ready_schema(table, recognise(table))
    assert {"reservation_status", "reservation_status_date"}.isdisjoint(schema.feature_names)
    assert (schema.outcome, schema.positive) == ("is_canceled", 1)


def test_other_tables_are_not_recognised():
    table = made_up("cardio")
    assert recognise(pd.DataFrame({"a": [1], "b": [2]})) is None
    assert recognise(table.drop(columns=["gluc", "smoke", "alco"])) is None
    assert recognise(table.assign(**{f"extra {i}": 1 for i in range(10)})) is None


def test_values_the_definition_does_not_list_are_kept():
    table = made_up("cardio")
    table.loc[0, "gluc"] = 4
    assert ready_schema(table, KNOWN["cardio"])["gluc"].levels == (1, 2, 3, 4)


def test_another_coding_of_the_same_columns_falls_back_to_its_own_values():
    table = made_up("cardio").replace({"cardio": {0: "healthy", 1: "ill"}})
    schema = ready_schema(table, KNOWN["cardio"])
    assert schema["cardio"].levels == ("healthy", "ill")
    assert schema.positive == "ill"


def test_the_rules_of_a_known_table_fit_its_columns_and_leave_out_what_is_not_there():
    for known in known_tables():
        assert known_rules(known, ready_schema(made_up(known.name), known)) == known.rules
    heloc = KNOWN["heloc"]
    assert len(heloc.rules) == 8
    table = made_up("heloc").drop(columns="AverageMInFile").rename(columns={"NumInqLast6M": " NumInqLast6M "})
    assert known_rules(heloc, ready_schema(table, heloc)) == tuple(r for r in heloc.rules if "AverageMInFile" not in r)
