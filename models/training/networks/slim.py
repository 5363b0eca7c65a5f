"""Leave steps out of quantised networks that change no answer by more than a rounding."""

from __future__ import annotations

import numpy as np
import onnx

from kibitz.models.session import ANY_SIZE, LEVELS

LOOKS = ("reader", "glyph", "small_glyph")
"""Networks whose looks the board network sees."""
FEATURES = "features"
WIDE = "/wide"
"""Ends the names of numbers that are kept in 16 bits, once they are widened."""
AXES = ["n", "channels", "features_height", "features_width"]


def slim(model: onnx.ModelProto, name: str) -> None:
    """All of this file, as far as it is for this network; once done, nothing more to do."""
    plain_start(model)
    one_rounding(model)
    bytes_in(model)
    if name in ANY_SIZE:
        any_size(model)
    if name in LOOKS:
        features_out(model)
    halve(model)
    _tidy(model)
    onnx.checker.check_model(model)


def features_out(model: onnx.ModelProto) -> None:
    """Give what the last layer takes as a second output, in bytes where it is in bytes.

    The board network sees it of all squares together.
    """
    graph = model.graph
    if any(output.name == FEATURES for output in graph.output):
        return
    made_by = {out: n for n in graph.node for out in n.output}
    (head,) = (
        n
        for n in graph.node
        if n.op_type in ("Conv", "Gemm") and any("head" in name for name in n.input[1:])
    )
    name, kind = head.input[0], onnx.TensorProto.FLOAT
    while made_by[name].op_type in ("Flatten", "DequantizeLinear"):
        name = made_by[name].input[0]
        kind = onnx.TensorProto.UINT8 if "Quantize" in made_by[name].op_type else kind
    for node in graph.node:
        for names in (node.input, node.output):
            for k, it in enumerate(names):
                names[k] = FEATURES if it == name else it
    graph.output.append(onnx.helper.make_tensor_value_info(FEATURES, kind, AXES))


def halve(model: onnx.ModelProto) -> None:
    """Keep the numbers of fully connected layers in 16 bits each; a runtime widens them once."""
    graph = model.graph
    wide = {i.name: i for i in graph.initializer if i.data_type == onnx.TensorProto.FLOAT}
    for node in [n for n in graph.node if n.op_type == "Gemm" and n.input[1] in wide]:
        kept = wide[node.input[1]]
        half = onnx.numpy_helper.to_array(kept).astype(np.float16)
        kept.CopyFrom(onnx.numpy_helper.from_array(half, kept.name))
        node.input[1] = kept.name + WIDE
        widened = onnx.helper.make_node(
            "Cast", [kept.name], [node.input[1]], name=node.input[1], to=onnx.TensorProto.FLOAT
        )
        graph.node.insert(list(graph.node).index(node), widened)


def plain_start(model: onnx.ModelProto) -> None:
    """Write `nets.Normalise` with fewer steps over the whole picture: the same numbers, sooner.

    (x / 255 - mean) / (spread + 0.02) is (x - mean) * (1 / (spread + 5.1)) of the bytes themselves,
    and a square is a product.
    """
    nodes = {n.name.removeprefix("/norm/"): n for n in model.graph.node}
    wanted = ("Cast", "Div", "ReduceMean", "Sub", "Pow", "Add", "Div_1")
    if any(w not in nodes for w in wanted):
        return
    cast, div, mean, sub, power, add, last = (nodes[w] for w in wanted)
    mean.input[0] = sub.input[0] = cast.output[0]
    power.op_type, power.input[1] = "Mul", power.input[0]
    add.input[1] = "/norm/floor"
    floor = onnx.numpy_helper.from_array(np.array(0.02 * 255, np.float32), "/norm/floor")
    model.graph.initializer.append(floor)
    one_over = onnx.helper.make_node("Reciprocal", [add.output[0]], ["/norm/one_over"])
    model.graph.node.insert(list(model.graph.node).index(last), one_over)
    last.op_type, last.input[1] = "Mul", "/norm/one_over"
    model.graph.node.remove(div)


def bytes_in(model: onnx.ModelProto) -> None:
    """Let the first convolution take patches as the integers that they are.

    (x - 128) / 32 is what a byte stands for, so that nothing needs to be worked out of it first.
    Written as one step, because a runtime moves the transposition in between otherwise.
    """
    graph = model.graph
    made_by = {out: n for n in graph.node for out in n.output}
    values = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    first = next((n for n in graph.node if n.op_type == "QuantizeLinear"), None)
    chain, step = [], first
    while step is not None and step.op_type in ("QuantizeLinear", "Div", "Sub", "Cast"):
        chain.append(step)
        step = made_by.get(step.input[0])
    if first is None or [n.op_type for n in chain] != ["QuantizeLinear", "Div", "Sub", "Cast"]:
        return
    (dequantised,) = _readers(model, first.output[0])
    (convolution,) = _readers(model, dequantised.output[0])
    after = _readers(model, convolution.output[0])
    if after[0].op_type == "Relu":  # bytes without a sign cut off what is negative themselves
        after += _readers(model, after[0].output[0])
    rounding = after[-1]
    weights, bias = (made_by[x] for x in convolution.input[1:])
    # A bias is counted in steps of the input times steps of the weights.
    per_step = np.float32(1 / LEVELS)
    scale = values[weights.input[1]]
    counted = np.rint(values[bias.input[0]] * values[bias.input[1]] / (scale * per_step))
    for name, value in (
        ("per_step", per_step),
        ("middle", np.uint8(128)),
        ("first_bias", counted.astype(np.int32)),
    ):
        graph.initializer.append(onnx.numpy_helper.from_array(np.array(value), name))
    at_once = onnx.helper.make_node(
        "QLinearConv",
        [
            *(chain[-1].input[0], "per_step", "middle"),
            *weights.input[:3],
            *rounding.input[1:3],
            "first_bias",
        ],
        [rounding.output[0]],
        name=convolution.name,
    )
    at_once.attribute.extend(convolution.attribute)
    graph.node.insert(list(graph.node).index(convolution), at_once)
    for node in [*chain, dequantised, weights, bias, convolution, *after]:
        graph.node.remove(node)


def one_rounding(model: onnx.ModelProto) -> None:
    """Round once between two convolutions: after the ReLU, and not before it too.

    A convolution, its ReLU and the rounding that follows are then done at one go, and what is
    positive has all 256 steps to itself.
    """
    graph = model.graph
    made_by = {out: n for n in graph.node for out in n.output}
    for relu in [n for n in graph.node if n.op_type == "Relu"]:
        back = made_by.get(relu.input[0])
        if back is None or back.op_type != "DequantizeLinear":
            continue
        there = made_by[back.input[0]]
        convolution = made_by[there.input[0]]
        alone = all(len(_readers(model, n.output[0])) == 1 for n in (there, back))
        rounded = all(n.op_type == "QuantizeLinear" for n in _readers(model, relu.output[0]))
        if convolution.op_type == "Conv" and alone and rounded:
            relu.input[0] = convolution.output[0]
            graph.node.remove(there)
            graph.node.remove(back)


def any_size(model: onnx.ModelProto) -> None:
    """Let pictures of other sizes in: a net without a fully connected layer takes them all."""
    value_in, value_out = model.graph.input[0], model.graph.output[0]
    for value, axes, names in ((value_in, (1, 2), "hw"), (value_out, (2, 3), ("h4", "w4"))):
        for axis, label in zip(axes, names, strict=True):
            value.type.tensor_type.shape.dim[axis].dim_param = label
    del model.graph.value_info[:]


def _readers(model: onnx.ModelProto, value: str) -> list[onnx.NodeProto]:
    return [n for n in model.graph.node if value in n.input]


def _tidy(model: onnx.ModelProto) -> None:
    """Remove what no step uses any more."""
    told = {v.name for v in model.graph.output}
    used: set[str] = set()
    for node in reversed(list(model.graph.node)):
        if told.isdisjoint(node.output) and used.isdisjoint(node.output):
            model.graph.node.remove(node)
        else:
            used.update(node.input)
    for spare in [i for i in model.graph.initializer if i.name not in used]:
        model.graph.initializer.remove(spare)
