"""Text columns into numbers: 1234.5, 1,234.5, 1.234,5 and 1 234,5, but never a code such as 007."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from joblib import cpu_count

# What pandas reads as missing, and the question mark of the UCI data sets.
MISSING_TEXTS = (
    *("", "?", "NA", "N/A", "n/a", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None", "<NA>"),
    *("#N/A", "#N/A N/A", "#NA", "1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
_SPACES = "[ \u00a0\u202f]"
_EXACT = 2**53  # above it a float no longer tells whole numbers apart
_LOOKS_NUMERIC = re.compile(
    rf"[+-]?(?=.*[0-9])(?:[0-9.,]|{_SPACES}[0-9]{{3}})+(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?", re.IGNORECASE
)
_WHOLE = re.compile("-?[0-9]{1,18}")
_PLAIN = re.compile("-?[0-9]*[.]?[0-9]+(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Notation:
    """How thousands are grouped and decimals marked, as regular expressions."""

    group: str
    decimal: str

    @property
    def pattern(self) -> str:
        grouped = f"[1-9][0-9]{{0,2}}(?:{self.group}[0-9]{{3}})+"
        return f"^[+-]?(?:(?:{grouped}|[0-9]+)(?:{self.decimal}[0-9]+)?|{self.decimal}[0-9]+)(?:[eE][+-]?[0-9]+)?$"


POINT = Notation(",", "[.]")  # 1,234.5
COMMA = Notation("[.]", ",")  # 1.234,5
SPACE_POINT = Notation(_SPACES, "[.]")  # 1 234.5
SPACE_COMMA = Notation(_SPACES, ",")  # 1 234,5


def looks_numeric(text: str) -> bool:
    """A number in some notation, or close to one: a quick test before the exact ones."""
    return _LOOKS_NUMERIC.fullmatch(text.strip()) is not None


def plain_type(values: list[str]) -> Any:
    """The Arrow type that a sample of cells suggests."""
    values = [value for value in map(str.strip, values) if value not in MISSING_TEXTS]
    if values and all(map(_WHOLE.fullmatch, values)):
        return pa.int64()
    return pa.float64() if values and all(map(_PLAIN.fullmatch, values)) else pa.string()


def is_exact(number: Any) -> bool:
    """Whether a float column can hold all these numbers without confusing two of them."""
    ends = pc.min_max(number).as_py()
    return bool(max(abs(ends["min"] or 0), abs(ends["max"] or 0)) < _EXACT)


def to_numbers(texts: list[Any], delimiter: str) -> list[Any]:
    """Each Arrow text column as whole numbers, floats or booleans if all its values are such, else as it is.

    What one column proves about the file's decimal mark decides the columns that could be read both ways.
    """
    with ThreadPoolExecutor(cpu_count()) as pool:  # DISCOVER_THREADS counts, too
        columns = list(pool.map(_first_look, texts))
    odd = {i: (text, _notations(text)) for i, (text, number) in enumerate(columns) if number is None and text is not None}
    proves_comma = delimiter != "," and any(
        not {POINT, SPACE_POINT} & fits and {COMMA, SPACE_COMMA} & fits and _contains(text, ",") for text, fits in odd.values()
    )
    floats = {i: text for i, (text, number) in enumerate(columns) if number is not None and text is not None}
    grouped = {i for i, text in floats.items() if _all_match(text, COMMA.pattern)} if odd and delimiter != "," else set()
    proves_point = len(grouped) < len(floats) or any(
        fits & {POINT, SPACE_POINT} and not fits & {COMMA, SPACE_COMMA} for _, fits in odd.values()
    )

    out = [text if number is None else number for text, (_, number) in zip(texts, columns, strict=True)]
    for i, (text, fits) in odd.items():
        notation = _choose(text, fits, delimiter, proves_comma, proves_point)
        number = None if notation is None else _read(text, notation)
        out[i] = texts[i] if number is None else number
    if proves_comma and not proves_point:
        for i in grouped:  # 1.234 is a thousand here
            number = _read(floats[i], COMMA)
            out[i] = out[i] if number is None else number
    return out


def _first_look(text: Any) -> tuple[Any, Any]:
    """(None, number): settled; (text, float): a number with a point; (text, None): an odd notation; (None, None): text."""
    if text.null_count == len(text):
        return None, pa.chunked_array([pa.nulls(len(text), pa.float64())])
    sample = _sample(text)
    if sample and all(value.lower() in ("true", "false") for value in sample):
        return None, _booleans(text)
    if not all(looks_numeric(value) for value in sample if value.strip() not in MISSING_TEXTS):
        return None, None
    pointed = any("." in value for value in sample)
    number = _cast(text, pointed)
    if number is None:
        text = _without_missing(pc.utf8_trim_whitespace(text))
        number = _cast(text, pointed)
    if _is_code(text, number):
        return None, None
    return (None, number) if number is not None and pa.types.is_integer(number.type) else (text, number)


def _cast(text: Any, pointed: bool = False) -> Any:
    """Whole numbers, unless a decimal point was seen already, else floats, else None."""
    for kind in (pa.float64(),) if pointed else (pa.int64(), pa.float64()):
        try:
            return text.cast(kind)
        except pa.ArrowInvalid:
            continue
    return None


def _is_code(text: Any, number: Any) -> bool:
    """Digits that are a name, not an amount: a leading zero, or more digits than a number keeps."""
    zero = pc.and_(pc.and_not(pc.starts_with(text, "0"), pc.starts_with(text, "0.")), pc.greater(pc.binary_length(text), 1))
    if pc.any(zero).as_py() and _contains(text.filter(zero), "^0[0-9xX]"):
        return True
    if number is None:
        return False
    if is_exact(number):
        return False
    if pa.types.is_integer(number.type):
        return bool(number.null_count)  # missing values would make it a float
    return _contains(text, "^[+-]?[0-9]{16,}$")


def _booleans(text: Any) -> Any:
    if text.null_count or pc.min(pc.binary_length(text)).as_py() < 4:
        return None
    try:
        return text.cast(pa.bool_())
    except pa.ArrowInvalid:
        return None


def _notations(text: Any) -> set[Notation]:
    return {notation for notation in (POINT, COMMA, SPACE_POINT, SPACE_COMMA) if _all_match(text, notation.pattern)}


def _choose(text: Any, fits: set[Notation], delimiter: str, proves_comma: bool, proves_point: bool) -> Notation | None:
    """The notation to read a column in, given what the rest of the file proves; None leaves it as text."""
    if delimiter == "," and POINT in fits:
        fits = fits - {COMMA, SPACE_COMMA}
    if POINT in fits and COMMA in fits:  # only values such as 1,234
        return COMMA if proves_comma or (delimiter == ";" and not proves_point) else POINT
    if POINT in fits:
        return POINT
    if COMMA in fits:  # 1.234.567 alone may be a version or an address
        return COMMA if proves_comma or _mostly_contains(text, ",") else None
    spaced = next((notation for notation in (SPACE_POINT, SPACE_COMMA) if notation in fits), None)
    if spaced is None or proves_comma or _contains(text, "[.,\u00a0\u202f]"):
        return spaced
    lengths = pc.min_max(pc.binary_length(text)).as_py()
    return spaced if lengths["min"] != lengths["max"] else None  # 110 001, 560 034: a postcode


def _read(text: Any, notation: Notation) -> Any:
    digits = pc.replace_substring_regex(text, notation.group, "")
    number = _cast(pc.replace_substring(digits, ",", "."))
    return None if number is None or _is_code(digits, number) else number


def _contains(text: Any, pattern: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(text, pattern)).as_py())


def _mostly_contains(text: Any, sign: str) -> bool:
    """Most values have it: 1,50 and 2,25 are decimals, but 1,5 among whole numbers may be two answers."""
    return bool((pc.mean(pc.match_substring(text, sign)).as_py() or 0) > 0.5)


def _all_match(text: Any, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(text, pattern)).as_py())


def blank_to_missing(text: Any) -> Any:
    """Missing where only blanks surround one of the texts that mean missing; other values keep their blanks."""
    padded = any(value != value.strip() for value in _sample(text))
    return _without_missing(text) if padded else text


def _without_missing(text: Any) -> Any:
    empty = pc.is_in(pc.utf8_trim_whitespace(text), value_set=pa.array(MISSING_TEXTS, pa.string()))
    return pc.if_else(empty, pa.scalar(None, pa.string()), text) if pc.any(empty).as_py() else text


def _sample(text: Any) -> list[str]:
    return [value for chunk in text.chunks for value in chunk.slice(0, 100).to_pylist() if value is not None]
