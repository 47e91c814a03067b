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
_TECHNICAL = re.compile(
    r"""<[^<>]*\bobject\ at\ [^<>]*>?
    | <class\ [^<>]*>?
    | (?<![\w'"])b(?P<quote>['"]).*?((?<!\\)(?P=quote)|$)  # bytes, perhaps cut off
    | \bat\ 0x[0-9a-fA-F]+ | \b0x[0-9a-fA-F]{6,}
    | \[Errno\ -?\d+\]\ ?
    """,
    re.VERBOSE | re.DOTALL,
)
LONGEST = 200
HALF = re.compile("[\ud800-\udfff]")
UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")  # control characters, and what turns the writing around
NAME, FEWER, SENTENCE = 100, 30, 400  # characters of a name that a sentence repeats; fewer where it gets longer than this
MOST = 500  # characters of a sentence
QUOTED = re.compile(f"(?<=“)[^“”]{{{FEWER + 1},}}(?=”)")


def sound(text: str) -> str:
    """The text with a mark in place of each half of a character, which no page, file or database can hold."""
    return HALF.sub("\N{REPLACEMENT CHARACTER}", text)


def short(text: str, most: int = NAME) -> str:
    """The text in one line; of a long one the beginning and the end."""
    line = " ".join(UNSEEN.sub(" ", sound(text)).split())
    return line if len(line) <= most else f"{line[: most - most // 3 - 1]}…{line[-(most // 3) :]}"


class InputError(ValueError):
    """Something the user gave cannot be used. The message is one sentence that says what, where and what to do.

    Whatever the user's names hold, it stays one line; long names are cut where it quotes them, and what is still too long in its
    middle.
    """

    def __init__(self, *said: object) -> None:
        super().__init__(*(_line(part) if isinstance(part, str) else part for part in said))


def _line(sentence: str) -> str:
    line = QUOTED.sub(lambda found: short(found.group()), UNSEEN.sub(" ", sound(sentence)))
    if len(line) > SENTENCE:
        line = QUOTED.sub(lambda found: short(found.group(), FEWER), line)
    return line if len(line) <= MOST else short(line, MOST)


def said(error: BaseException) -> str:
    """What a library complained about, in one line that may be shown: no stack trace, no path of the server, no full stop.

    What only its programmers could read, such as an object's address or bytes, is left out."""
    text = _TECHNICAL.sub(lambda found: "" if found[0][0] == "[" else "…", _PATH.sub("…", str(error).split("Stack trace")[0]))
    text = " ".join(UNSEEN.sub(" ", sound(text)).split()).rstrip(".")
    return (text if len(text) <= LONGEST else text[: LONGEST - 1] + "…") or type(error).__name__
