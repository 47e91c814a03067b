"""What names tell: which column is an identifier or the outcome, and which value is the risk."""

from __future__ import annotations

import re

from .schema import Column, Level, Schema

IDENTIFIER = re.compile(r"(^|[^a-z])(id|uuid|guid|key|index|identifier|number|num|no|nr|account|code)$", re.I)
PERSON = re.compile(
    r"(^|[^a-z])(name|surname|fullname|username|client|customer|person|patient|applicant|member|employee|user|kund\w*|e-?mail)"
    r"([^a-z]|$)",
    re.I,
)
POSTCODE = re.compile(r"(^|[^a-z])(zip|zipcode|postcode|postal\w*|plz)([^a-z]|$)", re.I)
OUTCOMES = re.compile(
    r"^(target|outcome|label|class|y|risk|response|result|churn\w*|.*default.*|is_\w+|.*recid.*|approv\w*|accept\w*"
    r"|reject\w*|fraud\w*|cancel\w*|attrition|cardio|diagnosis|ausfall)$",
    re.I,
)
ADVERSE = ("bad", "yes", "true", "y", "default", "high", "positive", ">50k", "churned", "risky", "ja", "oui", "sí", "si")


def _spaced(name: str) -> str:
    """CamelCase in separate words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.strip())


def is_identifier(name: str) -> bool:
    return bool(IDENTIFIER.search(_spaced(name)))


def is_person(name: str) -> bool:
    """Whether a column so called may say who somebody is."""
    return bool(PERSON.search(_spaced(name)))


def is_postcode(name: str) -> bool:
    return bool(POSTCODE.search(_spaced(name)))


def suggest_outcome(schema: Schema) -> str | None:
    """The column most likely to be the outcome: named like one, two-valued rather than not, late rather than early."""
    named = [c for c in schema if OUTCOMES.match(c.name.strip()) and c.role != "excluded"]
    named += [c for c in schema if c.name.strip().lower() == "income" and c.categorical]
    return (
        max(enumerate(named), key=lambda item: (len(item[1].levels) == 2, item[1].categorical, item[0]))[1].name
        if named
        else None
    )


def adverse_level(column: Column) -> Level | None:
    """The level of a two-valued outcome that reads like the risk; its last one otherwise; None for more values."""
    if not column.categorical or len(column.levels) > 2:
        return None
    for level in column.levels:
        if str(level).strip().strip(".").lower() in ADVERSE:
            return level
    return column.levels[-1]
