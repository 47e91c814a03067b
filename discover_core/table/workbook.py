"""What the first sheet of a workbook needs from its other parts: where it is, its shared texts, which styles are dates."""

from __future__ import annotations

import datetime as dt
import posixpath
import zipfile
from dataclasses import dataclass, field

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format  # type: ignore[import-untyped]
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH  # type: ignore[import-untyped]

from .archive import BOOK, part_of
from .bounded_xml import Unusual, Walk

MAX_STYLES = 100_000
MAX_TEXTS = 20_000_000
LONGEST_FORMAT = 255  # characters


@dataclass
class Workbook:
    """`texts` are those that cells share, with their `sizes` in bytes; `dates` and `durations` are styles by their place."""

    archive: zipfile.ZipFile
    shown: str
    sheet: str = ""
    epoch: dt.datetime = WINDOWS_EPOCH
    texts: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    dates: set[int] = field(default_factory=set)
    durations: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        parts = self._relations()
        names = set(self.archive.namelist())
        for link in self._sheets():
            kind, target = parts.get(link, ("", ""))
            if kind == "worksheet" and target in names:
                self.sheet = target
                break
        else:
            raise Unusual("no sheet")
        for kind, target in parts.values():
            if target in names and kind == "sharedStrings":
                self._read_texts(target)
            elif target in names and kind == "styles":
                self._read_styles(target)

    def _relations(self) -> dict[str, tuple[str, str]]:
        """Kind and name of every part that the workbook names, by the link it is named with."""
        found: dict[str, tuple[str, str]] = {}

        def start(name: str, given: dict[str, str]) -> None:
            if name == "Relationship" and given.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join("/xl", given.get("Target", ""))).lstrip("/")
                found[given.get("Id", "")] = (given.get("Type", "").rpartition("/")[2], target)

        Walk(start, _nothing, _nothing).whole(part_of(self.archive, "xl/_rels/workbook.xml.rels", self.shown))
        return found

    def _sheets(self) -> list[str]:
        """The links to the sheets, in their order."""
        links: list[str] = []

        def start(name: str, given: dict[str, str]) -> None:
            if name == "workbookPr" and given.get("date1904") in ("1", "true"):
                self.epoch = MAC_EPOCH
            elif name == "sheet":
                links.extend(value for key, value in given.items() if key.endswith(" id"))

        Walk(start, _nothing, _nothing).whole(part_of(self.archive, BOOK, self.shown))
        return links

    def _read_texts(self, part: str) -> None:
        pieces: list[str] = []
        inside = spoken = False  # in a text, in how one is pronounced

        def start(name: str, given: dict[str, str]) -> None:
            nonlocal inside, spoken
            inside = name == "t" and not spoken
            spoken = spoken or name == "rPh"

        def text(data: str) -> None:
            if inside:
                pieces.append(data)

        def end(name: str) -> None:
            nonlocal inside, spoken
            inside = False
            if name == "rPh":
                spoken = False
            elif name == "si":
                joined = "".join(pieces).replace("_x005F_", "_")  # how an underscore is kept from beginning an escape
                pieces.clear()
                self.texts.append(joined)
                self.sizes.append(len(joined) if joined.isascii() else len(joined.encode()))
                if len(self.texts) > MAX_TEXTS:
                    raise Unusual("too many texts")

        Walk(start, end, text).whole(part_of(self.archive, part, self.shown))

    def _read_styles(self, part: str) -> None:
        formats: dict[str, str] = {str(key): code for key, code in BUILTIN_FORMATS.items()}
        used: list[str] = []
        cells = False  # in the list of what cells look like

        def start(name: str, given: dict[str, str]) -> None:
            nonlocal cells
            if name == "numFmt" and len(formats) < MAX_STYLES:
                formats[given.get("numFmtId", "")] = given.get("formatCode", "")[:LONGEST_FORMAT]
            elif name == "cellXfs":
                cells = True
            elif name == "xf" and cells:
                used.append(given.get("numFmtId", "0"))
                if len(used) > MAX_STYLES:
                    raise Unusual("too many styles")

        def end(name: str) -> None:
            nonlocal cells
            cells = cells and name != "cellXfs"

        Walk(start, end, _nothing).whole(part_of(self.archive, part, self.shown))
        dates = {key for key, code in formats.items() if is_date_format(code)}
        durations = {key for key in dates if is_timedelta_format(formats[key])}
        self.dates = {place for place, key in enumerate(used) if key in dates}
        self.durations = {place for place, key in enumerate(used) if key in durations}


def _nothing(*_: object) -> None:
    """What is passed over."""
