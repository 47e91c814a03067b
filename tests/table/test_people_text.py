"""People named in a line of text: whoever is called by what the pages show is found again."""

from hypothesis import given
from hypothesis import strategies as st

from discover_core.table.people_text import known_as, people_in

ROWS = st.lists(st.integers(0, 10**6), min_size=1, max_size=20, unique=True)


@given(ROWS, st.data())
def test_rows_are_found_by_number_or_by_word(rows, data):
    known = known_as(rows)
    some = data.draw(st.lists(st.sampled_from(rows), max_size=8, unique=True))
    said = [data.draw(st.sampled_from([f"Row {row + 1}", f" row  {row + 1}", str(row + 1)])) for row in some]
    assert people_in(data.draw(st.sampled_from([", ", ";", "\n", " ,"])).join(said), known) == (tuple(some), [])


@given(st.lists(st.from_regex(r"[A-Z][a-z]{1,5}(, [A-Z][a-z]{1,5}){0,2}", fullmatch=True), min_size=1, max_size=8, unique=True))
def test_each_name_alone_is_found_commas_and_all(names):
    known = known_as(range(len(names)), names)
    for row, name in enumerate(names):
        assert people_in(name.upper(), known) == ((row,), [])


def test_whoever_is_unknown_is_told_and_the_others_are_kept():
    known = known_as([4, 9], ["Smith, John", "1005"])
    assert people_in("smith , john, 1005,, Nobody, 7", known) == ((4, 9), ["Nobody", "7"])
    assert people_in("row 5; row 6", known) == ((4,), ["row 6"])
    assert people_in("5", known) == ((), ["5"])  # where people have names, a number is a name
    assert people_in(" , ;", known) == ((), [])
