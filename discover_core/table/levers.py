"""What names tell about levers: columns that commonly nobody can act on, locked as a suggestion that says so."""

from __future__ import annotations

import re

# Who somebody is, what names or places them, and what is past: each a whole word of a column's name.
FIXED = re.compile(
    r"ages?|sex|gender|races?|ethnic\w*|nationalit\w*|citizenship|country|native\w*|religio\w*|birth\w*|dob|marital\w*|disab\w*"
    r"|id|ids|uuid|guid|zip|zipcode|postcode|postal\w*|plz|histor\w*|previous\w*|priors?|past|former\w*|juvenile|dates?"
)
WORD = re.compile(r"[^\W\d_]+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def fixed_word(name: str) -> str | None:
    """The first word of a name that commonly means that nobody can act on the column; None when there is none.

    Words are separated by anything that is no letter, or by capitals: "age" is a word of customerAge, not of mortgage.
    """
    words = " ".join(WORD.findall(CAMEL.sub(" ", name).lower()))
    words = words.replace("past due", "due")  # it can still be paid
    return next((word for word in words.split() if FIXED.fullmatch(word)), None)


def suggestion(name: str) -> str:
    """Why a column so called begins locked; empty when it does not."""
    word = fixed_word(name)
    if word is None:
        return ""
    return f"Suggested: locked, because the name says {word}. Unlock it if a person could change it."
