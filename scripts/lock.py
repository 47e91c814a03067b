"""Write requirements.lock and requirements-dev.lock: exact versions of everything that the ranges in requirements*.txt ask for.

What is locked stays as it is where the ranges allow it; delete the lock files first to get the newest. The versions are worked
out for every platform at once, with markers where platforms differ, so that one file serves Linux, macOS and Windows.
"""

import subprocess
import sys

from install import lock_of, uv_environment

FLAGS = (
    "--universal",
    "--python-version",
    "3.11",
    "--no-annotate",
    "--custom-compile-command",
    "make lock",
)


def main() -> int:
    for requirements, others in (("requirements.txt", ()), ("requirements-dev.txt", ("-c", lock_of("requirements.txt")))):
        uv = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", *FLAGS, *others, requirements, "-o", lock_of(requirements)]
        if code := subprocess.run(uv, env=uv_environment(), check=False).returncode:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
