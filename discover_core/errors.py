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


class InputError(ValueError):
    """Something the user gave cannot be used. The message is one sentence that says what, where and what to do."""


def said(error: BaseException) -> str:
    """What a library complained about, in one line that may be shown: no stack trace and no path of the server."""
    text = " ".join(_PATH.sub("…", str(error).split("Stack trace")[0]).split())
    return (text if len(text) <= LONGEST else text[: LONGEST - 1] + "…") or type(error).__name__
