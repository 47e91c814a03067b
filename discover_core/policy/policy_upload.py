"""A policy that somebody uploads: its ZIP, or `policy.json` with its model's file. Nothing of it is trusted, nor put on disk."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..models.load import load_model
from ..scenario.json_schema import build
from ..table.schema import Schema
from .model_identity import ModelIdentity
from .policy import Policy
from .policy_file import policy_from_dict

MOST = 400 * 2**20  # bytes of all files of an archive
FILES = 20  # of an archive


def uploaded_policy(files: Mapping[str, bytes]) -> Policy:
    """The policy in these files."""
    data, files = policy_data(files)
    name = ModelIdentity.of_dict(data).file
    if name is None:
        raise InputError("The policy names no model file, so it can be applied from Python only, with its model.")
    if name not in files:
        raise InputError(f"The policy's model “{name[:100]}” is missing: choose both files, or the ZIP of the Policy view.")
    return policy_from_dict(data, load_model(files[name], build(Schema, data.get("schema"), "schema"), name))


def policy_data(files: Mapping[str, bytes]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is in `policy.json`, not yet checked, and all files by their names without folders."""
    found: dict[str, bytes] = {}
    for name, content in files.items():
        found |= _archive(content) if name.lower().endswith(".zip") else {_base(name): content}
    for name, content in found.items():
        if name.lower().endswith(".json"):
            try:
                data = json.loads(content)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, dict) and "cut" in data and "version" in data:
                return data, found
    raise InputError("There is no policy in this: choose the ZIP of the Policy view, or a policy.json with its model's file.")


def _archive(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = [part for part in archive.infolist() if not part.is_dir()]
            if len(parts) > FILES or sum(part.file_size for part in parts) > MOST:
                raise InputError("This ZIP holds more than a policy: choose the one of the Policy view.")
            return {_base(part.filename): archive.read(part) for part in parts}
    except (zipfile.BadZipFile, zipfile.LargeZipFile, OSError, RuntimeError, NotImplementedError, EOFError) as error:
        raise InputError("This ZIP is damaged: download it again from the Policy view.") from error


def _base(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]
