"""What the processes do that open stores at the same moment; light, for each of them loads it."""

from collections.abc import Sequence

from discover_core.store.migrations import version
from discover_core.store.store import Store


def open_stores(urls: Sequence[str], barrier, answers) -> None:
    """Open one after the other, each when everybody is ready to; the version found, or what went wrong."""
    said = []
    for url in urls:
        barrier.wait(300)
        try:
            with Store(url).engine.connect() as connection:
                said.append(version(connection))
        except Exception as error:
            said.append(repr(error))
    answers.put(said)
