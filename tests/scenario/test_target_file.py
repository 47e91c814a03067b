"""Uploaded targets: what is read, and the sentence about what is not."""

import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from discover_core.errors import InputError
from discover_core.problem.targets import Quantiles, TargetContext, Values
from discover_core.scenario.target_file import MOST, target_values

numbers = st.lists(st.floats(-1e9, 1e9, allow_nan=False, allow_subnormal=False), min_size=1, max_size=30)


def excel(table: pd.DataFrame, header: bool = True) -> bytes:
    content = io.BytesIO()
    table.to_excel(content, index=False, header=header)
    return content.getvalue()


def parquet(table: pd.DataFrame) -> bytes:
    content = io.BytesIO()
    table.to_parquet(content, index=False)
    return content.getvalue()


@given(numbers, st.booleans(), st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_a_list_of_numbers_comes_back_to_the_bit(values: list[float], header: bool, end: str):
    text = ("wished\n" if header else "") + end.join(map(repr, values))
    assert target_values(text.encode(), "wish.txt") == Values(tuple(values))


@given(numbers)
def test_the_ending_of_the_file_makes_no_difference(values: list[float]):
    table = pd.DataFrame({"score": values})
    assert target_values(parquet(table), "a.parquet") == Values(tuple(values))
    assert target_values(table.to_csv(index=False).encode("utf-8-sig"), "a.csv") == Values(tuple(values))


@pytest.mark.parametrize("header", [True, False])
def test_one_column_of_a_workbook(header: bool):
    assert target_values(excel(pd.DataFrame({"score": [0.5, 0.25]}), header), "a.xlsx") == Values((0.5, 0.25))


@pytest.mark.parametrize("text", ["0,21\n0,4\n", "Größe\n0,21\n0,4", "0.21\n\n NA \n0.4"])
def test_notations_and_blanks(text: str):
    assert target_values(text.encode("cp1252"), "a.csv") == Values((0.21, 0.4))


@given(
    st.lists(st.floats(0, 1, allow_subnormal=False), min_size=2, max_size=12),
    st.lists(st.floats(-100, 100, allow_subnormal=False), min_size=12, max_size=12),
    st.randoms(),
)
def test_quantiles_in_any_order_of_rows_make_that_distribution(p: list[float], values: list[float], random):
    p, values = sorted(p), sorted(values[: len(p)])
    rows = list(zip(p, values, strict=True))
    random.shuffle(rows)
    content = parquet(pd.DataFrame(rows, columns=["Quantile", "Value"]))
    specification = target_values(content, "a.parquet")
    assert specification == Quantiles(tuple(p), tuple(values))
    specification.target(TargetContext(np.zeros(3), lambda cohort: np.zeros(3)))  # and it can be used


@pytest.mark.parametrize(
    ("text", "probabilities"),
    [
        ("probability,value\n0.1,3\n0.9,5", (0.1, 0.9)),
        ("score;p\n3;0,1\n5;0,9", (0.1, 0.9)),
        ("percent,score\n10,3\n90,5", (0.1, 0.9)),
    ],
)
def test_names_and_scales_of_quantiles(text: str, probabilities: tuple[float, ...]):
    assert target_values(text.encode(), "a.csv") == Quantiles(probabilities, (3, 5))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"score\n", "no plain number"),
        (b"score\nNA\n", "no numbers"),
        (b"score\n0.1\nhigh\n", "“high”"),
        (b"0.1\n1.2.3\n", "no plain number"),
        (b"score\ntrue\nfalse\n", "“true”"),
        (b"score\n1e999\n", "infinite"),
        (b"a,b\n1,2\n", "“a”, “b”"),
        (b"p,value,more\n0.1,2,3\n", "“p”, “value”, “more”"),
        (b"p,value\n0.1,2\n0.9,\n", "number in every row"),
        (b"p,value\n0.1,2\n0.9,x\n", "number in every row"),
        (b"p,value\n0.1,2\n9,3\n", "between 0 and 1"),
        (b"percent,value\n10,2\n101,3\n", "between 0 and 100"),
        (b"p,value\n0.1,3\n0.9,2\n", "2 comes after 3"),
        (b"0.1,0.2\n0.3,0.4\n", "looks like data"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"PAR1 and then nonsense", "damaged"),
        (b"PK\x03\x04 nothing", "ZIP"),
        (b"\xff\xfe\xff", "bad.csv"),
        (b"1\n" * (MOST + 1), "more than"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence(content: bytes, says: str):
    with pytest.raises(InputError, match=says) as caught:
        target_values(content, "bad.csv")
    assert str(caught.value).count("bad.csv") == 1
    assert str(caught.value).endswith(".")


def test_one_text_for_all_rows_is_counted_for_each():
    packed = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000, np.int32)), ["x" * 1_000_000])
    content = io.BytesIO()
    pq.write_table(pa.table({"score": packed}), content)
    with pytest.raises(InputError, match="unpacks to more than"):
        target_values(content.getvalue(), "bad.parquet")


def test_numbers_outside_of_the_models_interval():
    with pytest.raises(InputError, match=r"from -0\.5 to 0\.2, but the model's scores lie between 0 and 1"):
        target_values(b"-0.5\n0.2\n", "a.txt", (0.0, 1.0))
    assert target_values(b"0\n1\n", "a.txt", (0.0, 1.0)) == Values((0.0, 1.0))
    assert target_values(b"-0.5\n0.2\n", "a.txt") == Values((-0.5, 0.2))


@given(st.binary(max_size=200))
def test_any_bytes_give_a_target_or_a_sentence(content: bytes):
    try:
        specification = target_values(content, "a.csv")
    except InputError:
        return
    assert np.isfinite(specification.values).all()
