"""What `make run` starts: the app, the first page's libraries loaded before the first visitor comes.

`streamlit run app.py` serves it as well; then the first visitor waits for them.
"""

import sys
import time
from importlib import import_module
from pathlib import Path
from threading import Thread

FIRST_PAGE = ("discover_core.workers.runner", "discover_core.outcome.summary", "discover_core.table.known")
PAUSE = 3.0  # seconds left to a visitor who is waiting already: the page itself loads the rest once it is drawn


def main() -> None:
    for name in FIRST_PAGE:
        import_module(name)

    from streamlit.runtime import Runtime, RuntimeState
    from streamlit.web import cli

    def load_the_rest() -> None:
        while not Runtime.exists():  # parts of pages are made known to it
            time.sleep(0.1)
        time.sleep(PAUSE)
        if Runtime.instance().state is not RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED:
            from ui.app.preload import preload

            preload()

    Thread(target=load_the_rest, daemon=True).start()
    sys.argv = ["streamlit", "run", str(Path(__file__).with_name("app.py")), *sys.argv[1:]]
    cli.main(prog_name="streamlit")


if __name__ == "__main__":  # worker processes import this file under another name
    main()
