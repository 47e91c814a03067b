"""What a search finds goes back into the user's column in its own type and notation, and is read as what was found."""

import datetime

import numpy as np
import pandas as pd
import pytest

from discover_core.table.prepare import prepare_column
from discover_core.table.raw_cells import with_values
from discover_core.table.schema import Column

DAY = pd.Timedelta(days=1)
NOTATIONS = {
    "iso": (["2021-03-05", "2021-12-26"], False, "2022-01-07"),
    "day first": (["05.03.2021", "26.12.2021"], True, "07.01.2022"),
    "month first": (["3/5/2021", "12/26/2021"], False, "1/7/2022"),
    "no zeros": (["5-3-2021", "26-12-2021"], True, "7-1-2022"),
    "two digits": (["05/03/21", "26/12/21"], True, "07/01/22"),
    "year first with slashes": (["2021/03/05", None], False, "2022/01/07"),
    "minutes": (["2021-03-05 14:30", "2021-03-06 00:00"], False, "2022-01-07 00:00"),
    "a zone": (["2021-03-05T14:30:05Z", "2021-03-06T00:00:00Z"], False, "2022-01-07T00:00:00Z"),
    "words": (["5 March 2021", "26 December 2021"], True, "2022-01-07"),
}


def date(dayfirst=False):
    return Column("Since", "numeric", low=0, high=30_000, step=1, fill=18_000, date=True, dayfirst=dayfirst)


def read(series, column):
    return np.asarray(prepare_column(series, column)[0], dtype=np.float64)


def put(series, column, *found):
    """These values in place of the first ones, and how all are read then."""
    changed = np.arange(len(series)) < len(found)
    wanted = read(series, column)
    wanted[changed] = found
    out = with_values(series, column, changed, wanted)
    assert read(out, column) == pytest.approx(wanted, abs=1e-9)
    assert out.index.equals(series.index)
    return out


@pytest.mark.parametrize("kind", NOTATIONS)
def test_a_date_is_written_as_its_column_writes_dates(kind):
    texts, dayfirst, wanted = NOTATIONS[kind]
    series, column, new = pd.Series(texts, index=[7, 3]), date(dayfirst), (pd.Timestamp("2022-01-07") - pd.Timestamp(0)) / DAY
    assert put(series, column, new).tolist()[0] == wanted
    part = put(series, column, new + 0.25)  # a time of day is written where there is one
    assert "06:00" in part.iloc[0]
    assert put(series, column, new, new).tolist() == [wanted, wanted]


def test_years_that_two_digits_cannot_say_have_four():
    series = pd.Series(["05/03/21", "26/12/21"])
    assert put(series, date(True), 10_000).iloc[0] == "19/05/1997"


@pytest.mark.parametrize("days", [18_712, 18_712.25, 18_712 + 1 / 86_400_000, -3.5])
@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_a_column_of_times_stays_one(unit, zone, days):
    series = pd.Series(pd.to_datetime(["2021-03-05", None, "2020-07-01"]).as_unit(unit)).dt.tz_localize(zone)
    out = put(series, date(), days, days)
    assert getattr(out.dtype, "tz", None) == getattr(series.dtype, "tz", None)
    assert out.iloc[0].tz_localize(None) == pd.Timestamp(0) + pd.Timedelta(microseconds=round(days * 86_400_000_000))
    assert days != 18_712 or out.dtype == series.dtype


def test_durations_and_python_dates_keep_their_type():
    length = Column("Length", "numeric", low=0, high=90, fill=1)
    out = put(pd.Series(pd.to_timedelta([3, 4], unit="D")), length, 2.5)
    assert out.iloc[0] == pd.Timedelta(days=2.5)
    for first in (datetime.date(2021, 3, 5), datetime.datetime(2021, 3, 5, tzinfo=datetime.UTC), pd.Timestamp("2021-03-05")):
        cells = put(pd.Series([first, None], dtype=object), date(), 18_720)
        assert isinstance(cells.iloc[0], type(first))
        assert str(cells.iloc[0]).startswith("2021-04-03")


def test_a_gap_and_categories_of_dates_are_written_alike():
    assert put(pd.Series([None, "05.03.2021"]), date(True), 18_720).iloc[0] == "03.04.2021"
    assert put(pd.Series([None, None], dtype=object), date(True), 18_720).iloc[0] == "2021-04-03"
    categories = pd.Series(["05.03.2021", "26.12.2021"], dtype="category")
    assert put(categories, date(True), 18_720).tolist() == ["03.04.2021", "26.12.2021"]
    assert put(pd.Series([18_000, 18_001]), date(), 18_720).tolist() == [18_720, 18_001]
