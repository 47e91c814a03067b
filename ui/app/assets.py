"""Where the files are that pages are drawn with."""

from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "assets"
