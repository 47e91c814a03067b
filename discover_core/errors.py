"""The one error a user can cause and a user can read."""

import re

_PATH = re.compile(
    r"""file://\S+
    | (?<=['"“‘`])/[^'"”’`]+(?=['"”’`])    # quoted, perhaps with blanks
    | (?<![\w/.])/(?!/)[^\s'"”’`()<>,;:]+  # not the slashes of and/or, ./here and https://
    | \b[A-Za-z]:\\[^\s'"”’`()<>,;]+
    """,
    re.VERBOSE,
)
LONGEST = 200
HALF = re.compile("[\ud800-\udfff]")


def sound(text: str) -> str:
    """The text with a mark in place of each half of a character, which no page, file or database can hold."""
    return HALF.sub("\N{REPLACEMENT CHARACTER}", text)


class InputError(ValueError):
    """Something the user gave cannot be used. The message is one sentence that says what, where and what to do."""

    def __init__(self, *said: object) -> None:
        super().__init__(*(sound(part) if isinstance(part, str) else part for part in said))


def said(error: BaseException) -> str:
    """What a library complained about, in one line that may be shown: no stack trace and no path of the server."""
    text = " ".join(_PATH.sub("…", str(error).split("Stack trace")[0]).split())
    return (text if len(text) <= LONGEST else text[: LONGEST - 1] + "…") or type(error).__name__
