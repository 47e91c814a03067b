"""What the build backend asks while it makes a wheel: which packages it needs, and which files of the tree go where in it."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

APP = ("app.py", "pages", "ui", "assets", "static/README.md", ".streamlit/config.toml")
PLACES = {"sample_data": "discover_core/sample_data"} | {part: f"discover_dashboard/{part}" for part in APP}


class Requirements(MetadataHookInterface):
    """The dependencies are the lines of requirements.txt."""

    def update(self, metadata: dict[str, Any]) -> None:
        lines = Path(self.root, "requirements.txt").read_text(encoding="utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line and not line.startswith("#")]


class Copies(BuildHookInterface[Any]):
    """A wheel carries copies of the app and the samples; an editable installation finds them in the tree."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable":
            build_data["force_include"].update({str(Path(self.root, part)): place for part, place in PLACES.items()})
