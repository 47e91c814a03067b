"""Model files with one thing changed that a native library would have believed: seeded, by format."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import onnx

from .small_models import boosters, estimators, light, networks

ODD = (-(2**31), -(10**6), -2, -1, 0, 1, 2, 7, 10**3, 10**6, 10**9, 2**31 - 1, 2**31, 2**63 - 1)
ODD_FLOATS = (float("nan"), float("inf"), -1.0, 1e308, 1e-320, 2.0**31)


def paths(content: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in nested dictionaries and lists; of a long list of numbers the list only."""
    if here:
        yield here
    if isinstance(content, dict):
        for key, value in content.items():
            yield from paths(value, (*here, key))
    elif isinstance(content, list):
        for place, value in enumerate(content[:6]):
            if isinstance(value, dict):
                yield from paths(value, (*here, place))


def spoilt_text(data: bytes, draw: random.Random) -> bytes:
    """Cut off, or with some bits the other way round."""
    if draw.random() < 0.3:
        return data[: draw.randrange(1, len(data))]
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 3, 20))):
        changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def spoil_list(values: list[Any], draw: random.Random) -> None:
    """One value another, one more, fewer, or in another order."""
    if not values:
        values.append(draw.choice(ODD))
        return
    act, place = draw.random(), draw.randrange(len(values))
    if act < 0.7:
        floats = isinstance(values[place], float) and draw.random() < 0.7
        values[place] = draw.choice(ODD_FLOATS) if floats else draw.choice((*ODD, place, len(values), len(values) - 1))
    elif act < 0.8:
        values.append(draw.choice(ODD))
    elif act < 0.9:
        del values[place:]
    else:
        draw.shuffle(values)


def spoil_tree(content: Any, draw: random.Random) -> None:
    """One thing of nested content changed, taken away or exchanged, more often where numbers are."""
    found = list(paths(content))
    lists = [p for p in found if isinstance(at(content, p), list)]
    path = draw.choice(lists if draw.random() < 0.6 and lists else found)
    owner, key = at(content, path[:-1]), path[-1]
    value, act = owner[key], draw.random()
    if act < 0.1 and isinstance(owner, dict):
        del owner[key]
    elif act < 0.2:
        other = draw.choice(found)
        owner[key] = at(content, other)
    elif isinstance(value, list) and not any(isinstance(v, dict) for v in value):
        spoil_list(value, draw)
    elif isinstance(value, list):
        value.insert(draw.randrange(len(value) + 1), draw.choice(value)) if draw.random() < 0.5 else value.pop()
    elif isinstance(value, str) and re.fullmatch(r"-?[\d.]+", value):
        owner[key] = str(draw.choice(ODD))
    elif isinstance(value, int | float):
        owner[key] = draw.choice(ODD)
    elif draw.random() < 0.3:
        owner[key] = draw.choice((None, [], {}, "", 3, -1))
    else:
        spoil_tree(content, draw)


def at(content: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        content = content[key]
    return content


def xgboost_json(draw: random.Random) -> bytes:
    data = bytes(draw.choice(boosters()).save_raw("json"))
    if draw.random() < 0.1:
        return spoilt_text(data, draw)
    content = json.loads(data)
    spoil_tree(content, draw)
    text = json.dumps(content)
    if draw.random() < 0.08:
        key = draw.choice(("left_children", "trees", "num_class", "tree_info", "split_indices"))
        text = text.replace(f'"{key}":', f'"{key}": {draw.choice(("[1, 2, 3]", "7", chr(34) + "9" + chr(34)))}, "{key}":', 1)
    return text.encode()


def xgboost_ubj(draw: random.Random) -> bytes:
    return spoilt_ubj(bytes(draw.choice(boosters()).save_raw("ubj")), draw)


def spoilt_ubj(data: bytes, draw: random.Random) -> bytes:
    act = draw.random()
    if act < 0.15:
        return spoilt_text(data, draw)
    changed = bytearray(data)
    if act < 0.2:
        return data[:1] + b"L" + struct.pack(">q", 1) + b"x" + b"[" * draw.choice((50, 5_000, 500_000)) + data[1:]
    if act < 0.3:  # what a container says of its size
        place = draw.choice([m.end() for m in re.finditer(rb"#L", data)])
        changed[place : place + 8] = struct.pack(">q", draw.choice(ODD))
    elif act < 0.5:  # a number that is written as text
        found = [m for m in re.finditer(rb"SL\0\0\0\0\0\0\0(.)([0-9]+)", data, re.S) if m[1][0] == len(m[2])]
        hit, new = draw.choice(found), str(draw.choice(ODD)).encode()
        changed[hit.start() : hit.end()] = b"SL" + struct.pack(">q", len(new)) + new
    else:
        found = [m for m in re.finditer(rb"\[\$([lUdL])#L(.{8})", data, re.S) if m[2] != bytes(8)]
        hit = draw.choice(found)
        size = {b"l": 4, b"U": 1, b"d": 4, b"L": 8}[hit[1]]
        place = hit.end() + size * draw.randrange(struct.unpack(">q", hit[2])[0])
        number = draw.choice(ODD)
        new = (
            struct.pack(">f", draw.choice(ODD_FLOATS[:3])) if hit[1] == b"d" else (number % 2 ** (8 * size)).to_bytes(size, "big")
        )
        changed[place : place + size] = new
    return bytes(changed)


def lightgbm_text(draw: random.Random) -> bytes:
    text = draw.choice(light())
    return spoilt_text(text.encode(), draw) if draw.random() < 0.1 else spoilt_light(text, draw).encode()


def spoilt_light(text: str, draw: random.Random) -> str:
    lines = text.split("\n\n\nend of trees")[0].split("\n")
    rest = text[len("\n".join(lines)) :]
    numbered = [i for i, line in enumerate(lines) if "=" in line and not line.startswith(("feature_names", "Tree"))]
    place = draw.choice(numbered)
    name, value = lines[place].split("=", 1)
    act = draw.random()
    if act < 0.2:
        del lines[place]
    elif act < 0.3:
        lines.insert(place, lines[draw.choice(numbered)])
    elif act < 0.4:
        lines[place] = f"{name}={lines[draw.choice(numbered)].split('=', 1)[1]}"
    else:
        parts: list[Any] = value.split(" ")
        spoil_list(parts, draw)
        lines[place] = f"{name}={' '.join(map(str, parts))}"
    body = "\n".join(lines)
    if draw.random() < 0.85 and "tree_sizes=" in body:  # so that the trees are found where they are
        chunks = re.split(r"(?=^Tree=)", body + "\n\n\n", flags=re.M)[1:]
        body = re.sub(r"tree_sizes=.*", "tree_sizes=" + " ".join(str(len(chunk)) for chunk in chunks), body, count=1)
    return body + rest


def skops_file(draw: random.Random) -> bytes:
    data = draw.choice(estimators())
    if draw.random() < 0.05:
        return spoilt_text(data, draw)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    arrays = [name for name in files if name.endswith(".npy")]
    boosted = [name for name in files if name.endswith(".bin")]
    if boosted and draw.random() < 0.7:
        files[boosted[0]] = spoilt_ubj(files[boosted[0]], draw)
    elif arrays and draw.random() < 0.75 and b"num_leaves=" not in files["schema.json"]:
        wide = [name for name in arrays if b"left" in files[name][:400]] or arrays  # the nodes of trees
        name = draw.choice(wide if draw.random() < 0.7 else arrays)
        files[name] = spoilt_array(files[name], draw)
    else:
        content = json.loads(files["schema.json"])
        spoil_schema(content, draw)
        files["schema.json"] = json.dumps(content).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, part in files.items():
            archive.writestr(name, part)
    return buffer.getvalue()


def spoil_schema(content: Any, draw: random.Random) -> None:
    """A number that skops keeps in its own file, or a LightGBM model there."""
    found = [at(content, path) for path in paths(content)]
    found = [node for node in found if isinstance(node, dict) and node.get("__loader__") == "JsonNode"]
    models = [node for node in found if "num_leaves=" in node["content"]]
    if models:
        models[0]["content"] = json.dumps(spoilt_light(json.loads(models[0]["content"]), draw))
        return
    numbers = [node for node in found if re.fullmatch(r"-?\d+", node["content"])]
    draw.choice(numbers)["content"] = str(draw.choice(ODD))


def spoilt_array(data: bytes, draw: random.Random) -> bytes:
    values = np.load(io.BytesIO(data), allow_pickle=False)
    act = draw.random()
    if act < 0.15 and values.ndim:
        values = values[: draw.randrange(len(values) + 1)] if draw.random() < 0.6 else np.concatenate([values, values[:1]])
    elif values.size:
        flat = values.reshape(-1)
        for _ in range(draw.choice((1, 3, 8))):
            place = draw.randrange(flat.size)
            part: Any = flat
            if flat.dtype.names:
                part = flat[draw.choice([name for name in flat.dtype.names if name != "gain"])]
            with np.errstate(all="ignore"):
                new = draw.choice(ODD_FLOATS) if part.dtype.kind == "f" else draw.choice((*ODD, place, len(flat)))
                part[place : place + 1] = np.array([new], dtype=object if part.dtype.kind == "U" else None).astype(part.dtype)
        values = flat.reshape(values.shape)
    buffer = io.BytesIO()
    np.save(buffer, values, allow_pickle=False)
    return buffer.getvalue()


def onnx_file(draw: random.Random) -> bytes:
    data = draw.choice(networks())
    if draw.random() < 0.12:
        return spoilt_text(data, draw)
    model = onnx.load_from_string(data)
    attributes = [(node, a) for node in model.graph.node for a in node.attribute]
    act = draw.random()
    if act < 0.15 and model.graph.initializer:
        tensor = draw.choice(model.graph.initializer)
        if draw.random() < 0.5 and len(tensor.dims):
            tensor.dims[draw.randrange(len(tensor.dims))] = draw.choice(ODD)
        elif tensor.raw_data:
            tensor.raw_data = tensor.raw_data[: draw.randrange(len(tensor.raw_data))]
        elif tensor.int64_data:
            tensor.int64_data[0] = draw.choice(ODD)
        return bytes(model.SerializeToString())
    node, attribute = draw.choice(attributes)
    if act < 0.25:
        node.attribute.remove(attribute)
    elif attribute.ints:
        numbers = list(attribute.ints)
        spoil_list(numbers, draw)
        del attribute.ints[:]
        attribute.ints.extend(int(n) for n in numbers)
    elif attribute.floats:
        values = list(attribute.floats)
        spoil_list(values, draw)
        del attribute.floats[:]
        attribute.floats.extend(float(n) for n in values)
    elif attribute.strings:
        words: list[Any] = list(attribute.strings)
        words.append(b"BRANCH_GT") if draw.random() < 0.3 else words.pop()
        draw.shuffle(words)
        del attribute.strings[:]
        attribute.strings.extend(words)
    else:
        attribute.i = draw.choice(ODD)
    return bytes(model.SerializeToString())


FORMATS: dict[str, Callable[[random.Random], bytes]] = {
    "json": xgboost_json,
    "ubj": xgboost_ubj,
    "txt": lightgbm_text,
    "skops": skops_file,
    "onnx": onnx_file,
}


def mutated(form: str, seed: int) -> bytes:
    return FORMATS[form](random.Random(f"{form} {seed}"))
