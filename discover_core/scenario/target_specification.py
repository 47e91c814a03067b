"""The target of a scenario file: its kind and the fields of that kind."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..errors import InputError
from ..problem.targets import KINDS, TargetSpecification
from .json_schema import build, plain


def specification_to_dict(specification: TargetSpecification) -> dict[str, Any]:
    return {"kind": specification.kind, **plain(asdict(specification))}


def specification_from_dict(data: Any) -> TargetSpecification:
    if not isinstance(data, dict) or "kind" not in data:
        raise InputError(f"The target of the scenario needs a “kind”: use one of {', '.join(KINDS)}.")
    kind = data["kind"]
    if not isinstance(kind, str) or kind not in KINDS:
        raise InputError(f"There is no target of the kind “{kind}”: use one of {', '.join(KINDS)}.")
    return build(KINDS[kind], {name: value for name, value in data.items() if name != "kind"}, f"{kind} target")
