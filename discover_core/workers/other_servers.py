"""Which of the servers that share a store are gone. No clock decides it: clocks differ, jump and are set back."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from ..store.servers import ServerRow

SILENT = 4  # looks without a new heartbeat after which a server on another computer is gone
HELD_UP = 120  # and one here, whose process is there: the computer may have slept
HERE: set[str] = set()  # the servers of this process


class OtherServers:
    def __init__(self, host: str, pid: int) -> None:
        self.host, self.pid = host, pid
        self._silent: dict[str, tuple[float, int]] = {}  # the last heartbeat, and how many looks found no other

    def gone(self, servers: Iterable[ServerRow]) -> set[str]:
        """Those of them that are gone, to be asked with every heartbeat."""
        silent, gone = {}, set()
        for server in servers:
            heartbeat, looks = self._silent.get(server.id, (server.heartbeat, -1))
            looks = looks + 1 if heartbeat == server.heartbeat else 0
            silent[server.id] = (server.heartbeat, looks)
            here = server.host == self.host and os.name == "posix" and server.pid is not None
            if server.id not in HERE and ((here and self._ended(server)) or looks >= (HELD_UP if here else SILENT)):
                gone.add(server.id)
        self._silent = silent
        return gone

    def _ended(self, server: ServerRow) -> bool:
        """A process of this computer that is not there, or is this one, or waits only for somebody to learn that it has ended."""
        if server.pid is None or server.pid == self.pid or _zombie(server.pid):
            return True
        try:
            os.kill(server.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False  # somebody else's process: it lives
        return False


def _zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False  # it is not there, or the system does not say
