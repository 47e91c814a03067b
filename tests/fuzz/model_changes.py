"""Changes of ONNX and LightGBM files that know what is where in them."""

from __future__ import annotations

import re
from itertools import pairwise
from random import Random

import onnx

from .values import LITERALS, NUMBERS, TEXTS

SIZES = re.compile(rb"^tree_sizes=.*$", re.MULTILINE)
WHOLE = (0, -1, -2, 1, 7, 2**31 - 1, 2**40, -(2**63))


def changed_onnx(data: bytes, rng: Random) -> tuple[bytes, str]:
    """A number, a name, a type or a part of the network is another."""
    network = onnx.load_from_string(data)
    graph, done = network.graph, []
    for _ in range(rng.choice((1, 1, 3))):
        node = rng.choice(graph.node)
        way = rng.choice(("attribute",) * 4 + ("weights", "names", "node", "type", "shape"))
        if way == "attribute" and node.attribute:
            way = _attribute(rng.choice(node.attribute), rng)
        elif way == "weights" and graph.initializer:
            _weights(rng.choice(graph.initializer), rng)
        elif way == "names":
            names = rng.choice((node.input, node.output))
            if names:
                names[rng.randrange(len(names))] = rng.choice((*node.input, *node.output, "", "nowhere", "x" * 10_000))
        elif way == "node":
            graph.node.remove(node)
            if rng.random() < 0.5 or not graph.node:
                graph.node.extend([node, node])
        elif way == "type":
            node.op_type = rng.choice(("Loop", "If", "Scan", "Reshape", "Tile", "MatMul", "Nothing", "Cast", "StringNormalizer"))
        elif way == "shape":
            _shape(rng.choice((*graph.input, *graph.output)).type.tensor_type, rng)
        done.append(f"{way} of {node.op_type}")
    return network.SerializeToString(), ", ".join(done)


def _attribute(attribute: onnx.AttributeProto, rng: Random) -> str:
    if attribute.ints:
        for _ in range(rng.choice((1, 3))):
            attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice((*WHOLE, rng.randrange(20)))
        if rng.random() < 0.2:
            del attribute.ints[len(attribute.ints) // 2 :]
    elif attribute.floats:
        attribute.floats[rng.randrange(len(attribute.floats))] = rng.choice((1e38, float("nan"), float("-inf"), 0.0))
    elif attribute.strings:
        attribute.strings[rng.randrange(len(attribute.strings))] = rng.choice(TEXTS).encode("utf-8", "surrogatepass")
    elif attribute.type == onnx.AttributeProto.INT:
        attribute.i = rng.choice(WHOLE)
    else:
        attribute.s = rng.choice((b"", b"SOFTMAX", b"LOGISTIC", b"\xff\xfe"))
    return attribute.name


def _weights(tensor: onnx.TensorProto, rng: Random) -> None:
    way = rng.randrange(4)
    if way == 0 and tensor.dims:
        tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(WHOLE)
    elif way == 1:
        tensor.data_type = rng.randrange(24)
    elif way == 2:
        tensor.raw_data = tensor.raw_data[: len(tensor.raw_data) // 2]
    else:
        tensor.float_data.extend([float(rng.choice(NUMBERS[:5]))] * 3)


def _shape(kind: onnx.TypeProto.Tensor, rng: Random) -> None:
    kind.elem_type = rng.choice((1, 2, 7, 8, 11, 99))
    for size in kind.shape.dim:
        size.dim_value = rng.choice(WHOLE)


def changed_lightgbm(data: bytes, rng: Random) -> tuple[bytes, str]:
    """A line, or a number in it, is another, and often the sizes that the header gives are made to fit again."""
    lines, done = data.split(b"\n"), []
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.choice([i for i, line in enumerate(lines) if b"=" in line])
        name, _, value = lines[at].partition(b"=")
        items = value.split(b" ")
        way = rng.choice(("number",) * 4 + ("longer", "shorter", "gone", "twice", "word"))
        if way == "number":
            items[rng.randrange(len(items))] = rng.choice((*LITERALS, str(rng.randrange(-6, 9)))).encode()
        elif way == "longer":
            items += items * rng.choice((1, 400))
        elif way == "shorter":
            del items[len(items) // 2 :]
        elif way == "word":
            items[rng.randrange(len(items))] = rng.choice(TEXTS).encode("utf-8", "surrogatepass")
        lines[at] = name + b"=" + b" ".join(items)
        if way == "gone":
            del lines[at]
        elif way == "twice":
            lines.insert(at, lines[at])
        done.append(f"{way} {name.decode('utf-8', 'replace')[:30]}")
    content = b"\n".join(lines)
    return (fitting(content) if rng.random() < 0.8 else content), ", ".join(done)


def fitting(data: bytes) -> bytes:
    """With the sizes of its trees as they are now."""
    ends = data.find(b"\nend of trees")
    places = [found.start() + 1 for found in re.finditer(rb"\nTree=", data[:ends])] + [ends + 1]
    sizes = b" ".join(b"%d" % (stop - start) for start, stop in pairwise(places))
    return SIZES.sub(b"tree_sizes=" + sizes, data, count=1)
