"""Install a requirements file into the environment that runs this script: with uv when it can be had, else with pip.

First the exact versions of its lock file, which are those that were tested, and ready-made packages only. Where one of them
does not exist (another platform, a newer Python) the ranges of the requirements file decide.

uv is several times faster but does not read pip's settings, so the ones that say where packages come from are handed on.
"""

import ast
import os
import subprocess
import sys
from pathlib import Path

HANDED_ON = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}


def pip_settings() -> dict[str, str]:
    """What pip was told in its files and in PIP_* variables; the variables come last and win."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    settings: dict[str, str] = {}
    for line in sorted(listed.stdout.splitlines(), key=lambda line: line.startswith(":env:.")):
        key, _, value = line.partition("=")
        settings[key.rpartition(".")[2]] = str(ast.literal_eval(value))
    return settings


def uv_environment() -> dict[str, str]:
    """This process's environment, with pip's settings in uv's words where uv was told nothing itself."""
    environment = dict(os.environ, UV_INDEX_STRATEGY="unsafe-best-match")  # pip, too, looks at all indexes
    for key, value in pip_settings().items():
        name = HANDED_ON.get(key)
        if name:
            separator = "," if name == "UV_FIND_LINKS" else " "
            environment.setdefault(name, separator.join(value.split()) if name != "SSL_CERT_FILE" else value)
    return environment


def lock_of(requirements: str) -> str:
    """The lock file of a requirements file."""
    return str(Path(requirements).with_suffix(".lock"))


def main(requirements: str) -> int:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    uv = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--compile-bytecode", "--python", sys.executable]
    ranges = ["-r", requirements]
    exact = ["-r", lock_of(requirements), *ranges, "--only-binary", ":all:"]
    print(f"Installing {requirements} ...", flush=True)
    if subprocess.run([*pip, "install", "--quiet", "uv"], check=False).returncode == 0:
        if subprocess.run([*uv, *exact], env=uv_environment(), check=False).returncode == 0:
            return 0
        print("The versions that were tested cannot be had here; taking others that should do.", flush=True)
        if subprocess.run([*uv, *ranges], env=uv_environment(), check=False).returncode == 0:
            return 0
        print("uv could not install everything; trying again with pip, which takes a minute or two.", flush=True)
    if subprocess.run([*pip, "install", *exact], check=False).returncode == 0:
        return 0
    return subprocess.run([*pip, "install", *ranges], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
