"""The `discover` command, for a tree that is not installed: `python -m discover_dashboard serve`."""

import sys

from .command import main

if __name__ == "__main__":
    sys.exit(main())
