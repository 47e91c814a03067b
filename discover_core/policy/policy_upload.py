"""A policy that somebody uploads: its ZIP, or `policy.json` with its model's file. Nothing of it is trusted, nor put on disk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ..errors import InputError
from ..models.load import load_model
from ..scenario.json_file import parse_json
from ..scenario.json_schema import build
from ..table.archive import METHODS, open_archive
from ..table.limits import MAX_BYTES, MAX_COLUMNS, megabytes
from ..table.schema import Schema
from .model_identity import ModelIdentity
from .policy import Policy
from .policy_file import MOST, policy_from_dict

UNPACKED = 400 * 2**20  # bytes of all files of an archive
FILES = 20  # of an archive, or chosen at once
CHOSEN = MOST + MAX_BYTES  # bytes of all files that are chosen at once: a policy and its model, however they come
WORDS = 300  # characters of a group's words
LONGEST = 100  # characters of a name that is told before anything is checked


def check_sizes(sizes: Sequence[int]) -> None:
    """An InputError if files of so many bytes are more than one policy, before anybody copies them."""
    choose = "choose the ZIP of the Policy view, or one policy.json with its model's file"
    if len(sizes) > FILES:
        raise InputError(f"These are {len(sizes):,} files, more than the {FILES} that can be chosen at once: {choose}.")
    if sum(sizes) > CHOSEN:
        raise InputError(f"These files have {megabytes(sum(sizes))}, more than {megabytes(CHOSEN)} together: {choose}.")


def uploaded_policy(files: Mapping[str, bytes]) -> Policy:
    """The policy in these files."""
    data, files = policy_data(files)
    name = ModelIdentity.of_dict(data).file
    if name is None:
        raise InputError("The policy names no model file, so it can be applied from Python only, with its model.")
    if name not in files:
        raise InputError(f"The policy's model “{name[:100]}” is missing: choose both files, or the ZIP of the Policy view.")
    return policy_from_dict(data, load_model(files[name], build(Schema, data.get("schema"), "schema"), name))


@dataclass(frozen=True)
class PolicyHead:
    """What is known of a policy before its model is opened, from a file that nobody has checked."""

    people: int | None
    model: str
    columns: tuple[str, ...]
    group: str

    @classmethod
    def of(cls, files: Mapping[str, bytes]) -> Self:
        data, _ = policy_data(files)
        schema, design, model, group = (_part(data, name) for name in ("schema", "design", "model", "group"))
        columns, learnt = schema.get("columns"), design.get("people")
        names = [str(one.get("name")) for one in columns if isinstance(one, dict)] if isinstance(columns, list) else []
        needed = tuple(name[:LONGEST] for name in names[:MAX_COLUMNS] if name != schema.get("outcome"))
        whom = str(group.get("words", ""))[:WORDS]
        return cls(learnt if isinstance(learnt, int) else None, str(model.get("title", ""))[:LONGEST], needed, whom)


def policy_data(files: Mapping[str, bytes]) -> tuple[dict[str, Any], dict[str, bytes]]:
    """What is in `policy.json`, not yet checked, and all files by their names without folders."""
    found: dict[str, bytes] = {}
    for name, content in files.items():
        found |= _archive(content) if name.lower().endswith(".zip") else {_base(name): content}
    problem: InputError | None = None
    for name, content in found.items():
        if name.lower().endswith(".json"):
            try:
                data = parse_json(content, name, MOST)
            except InputError as error:  # it may be the model
                problem = problem or error
                continue
            if isinstance(data, dict) and "cut" in data and "version" in data:
                return data, found
    none = "There is no policy in this: choose the ZIP of the Policy view, or a policy.json with its model's file."
    raise InputError(none if problem is None else f"{none} {problem}") from problem


def _archive(content: bytes) -> dict[str, bytes]:
    try:
        with open_archive(content) as archive:
            parts = [part for part in archive.infolist() if not part.is_dir()]
            if len(parts) > FILES or sum(part.file_size for part in parts) > UNPACKED:
                raise InputError("This ZIP holds more than a policy: choose the one of the Policy view.")
            if any(part.compress_type not in METHODS for part in parts):
                raise InputError("This ZIP is packed in another way than ours: choose the one of the Policy view.")
            return {_base(part.filename): archive.read(part) for part in parts}
    except InputError:
        raise
    except Exception as error:  # a damaged archive fails in any of a dozen ways
        raise InputError("This ZIP is damaged: download it again from the Policy view.") from error


def _part(data: dict[str, Any], name: str) -> dict[str, Any]:
    part = data.get(name)
    return part if isinstance(part, dict) else {}


def _base(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]
