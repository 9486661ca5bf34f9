"""Models of sums only, and the hypothesis strategy that draws them."""

import numpy as np
from hypothesis import strategies as st

from addison import Tensor, read_model
from addison.spec.broadcast import Clash, merge
from addison.spec.conversion import preserves
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape
from tests.ir.build import PRECISION, add, const, data, layer, net, parameter, port, result
from tests.same_bits import DTYPES, array_of, code_dtype
from tests.strategies import special_codes


def model_of(name, inputs, sums, outputs, constants=(), declared=None):
    """A model of one element type. ``inputs`` are shapes, ``sums`` are (a, b) or (a, b, rule, axis), values numbered
    inputs first; ``constants`` maps an input to the array it is in the file, ``declared`` replaces inputs' shapes."""
    precision = PRECISION.get(name, name.upper())
    layers, wires, weights = [], [], b""
    constants = dict(constants)
    for i, shape in enumerate(inputs):
        text = ",".join(map(str, shape)) if declared is None else declared[i]
        if i in constants:
            bytes_ = constants[i].tobytes()
            layers.append(const(i, name, text, len(weights), len(bytes_), name=f"x{i}"))
            weights += bytes_
        else:
            layers.append(parameter(i, f"x{i}", text, name))
    first = len(inputs)
    for k, (a, b, *how) in enumerate(sums):
        rule, axis = how or ("numpy", None)
        attributes = data(auto_broadcast=rule, axis=axis if rule == "pdpd" else None)
        layers.append(add(first + k, f"sum{k}", inside=attributes, outputs=[port(2, (), precision)]))
        wires += [(value, 2 if value >= first else 0, first + k, side) for side, value in enumerate((a, b))]
    for k, value in enumerate(outputs):
        number = first + len(sums) + k
        layers.append(result(number, f"r{k}", output_names=f"y{k}"))
        wires.append((value, 2 if value >= first else 0, number, 0))
    return read_model(net(layers, wires).encode(), weights)


def mixed_model(inputs, nodes, outputs, constants=(), declared=None):
    """A model of several types. ``inputs`` are (type, shape); ``nodes`` are (a, b), sums, and (a, type), Converts, of
    values numbered inputs first; ``declared`` are the types that the file gives the inputs."""
    types = [name for name, _ in inputs]
    layers, wires, weights = [], [], b""
    constants = dict(constants)
    for i, (name, shape) in enumerate(inputs):
        text = ",".join(map(str, shape))
        if i in constants:
            bytes_ = Tensor.from_numpy(constants[i]).data.tobytes()
            layers.append(const(i, name, text, len(weights), len(bytes_), name=f"x{i}"))
            weights += bytes_
        else:
            layers.append(parameter(i, f"x{i}", text, name if declared is None else declared[i]))
    first = len(inputs)

    def port_of(value):
        return 0 if value < first else 2

    for number, (a, b) in enumerate(nodes, first):
        types.append(b if isinstance(b, str) else types[a])
        out = [port(2, (), PRECISION.get(types[-1], types[-1].upper()))]
        if isinstance(b, str):
            kind = {"inside": data(destination_type=b), "inputs": [port(0)], "outputs": out}
            layers.append(layer(number, f"node{number}", "Convert", **kind))
            wires.append((a, port_of(a), number, 0))
        else:
            layers.append(add(number, f"node{number}", outputs=out))
            wires += [(a, port_of(a), number, 0), (b, port_of(b), number, 1)]
    for k, value in enumerate(outputs):
        number = first + len(nodes) + k
        layers.append(result(number, f"r{k}", output_names=f"y{k}"))
        wires.append((value, port_of(value), number, 0))
    return read_model(net(layers, wires).encode(), weights)


def left(count):
    """The sums ``((x0 + x1) + x2) + ...`` of so many inputs."""
    return [(0, 1), *((count + i, i + 2) for i in range(count - 2))]


def values_of(name, shape, seed=0):
    """Elements of any bits, special ones among them."""
    random = np.random.default_rng(seed)
    size = int(np.prod(shape))
    codes = random.integers(0, 256, size * code_dtype(name).itemsize, np.uint8).view(code_dtype(name))
    special = np.array(special_codes(name), code_dtype(name))
    codes = np.where(random.random(size) < 0.2, random.choice(special, size), codes)
    return array_of(name, codes.astype(code_dtype(name)).reshape(shape))


@st.composite
def graphs(draw, largest_rank=4, largest_size=6, most_sums=12):
    """Arguments of ``model_of`` after the name: inputs, sums and outputs, with every rule and any tree or chain."""
    full = draw(st.lists(st.integers(0, largest_size), max_size=largest_rank))
    inputs = []
    for _ in range(draw(st.integers(1, 5))):
        shape = [1 if draw(st.integers(0, 3)) == 0 else size for size in full]
        inputs.append(tuple(shape[draw(st.integers(0, len(shape))) if draw(st.booleans()) else 0 :]))
    shapes = list(inputs)
    sums = []
    for _ in range(draw(st.integers(1, most_sums))):
        # often the newest value, so that chains come about
        a, b = (len(shapes) - 1 if draw(st.booleans()) else draw(st.integers(0, len(shapes) - 1)) for _ in range(2))
        rule = draw(st.sampled_from(["numpy", "numpy", "none", "pdpd"]))
        axis = draw(st.integers(-1, len(shapes[a]))) if rule == "pdpd" else -1
        merged = merge(Shape(*shapes[a]), Shape(*shapes[b]), rule, axis)
        if isinstance(merged, Clash):
            rule, axis = "numpy", -1
            merged = merge(Shape(*shapes[a]), Shape(*shapes[b]))
        sums.append((a, b, rule, axis))
        shapes.append(merged.shape.sizes)
    numbers = st.integers(0, len(shapes) - 1)
    outputs = [len(shapes) - 1, *draw(st.lists(numbers, max_size=3))]
    return inputs, sums, outputs


@st.composite
def mixed_graphs(draw, largest_rank=3, largest_size=4, most_nodes=10):
    """Arguments of ``mixed_model``: sums, and Converts that lose nothing."""
    full = draw(st.lists(st.integers(0, largest_size), max_size=largest_rank))
    values = []
    for _ in range(draw(st.integers(1, 4))):
        shape = [1 if draw(st.integers(0, 3)) == 0 else size for size in full]
        cut = draw(st.integers(0, len(shape)))
        values.append((draw(st.sampled_from(("f16", "bf16", "i4", "u1", "f8e4m3"))), tuple(shape[cut:])))
    inputs, nodes = list(values), []
    for _ in range(draw(st.integers(1, most_nodes))):
        a = len(values) - 1 if draw(st.booleans()) else draw(st.integers(0, len(values) - 1))
        name, shape = values[a]
        others = [i for i, (other, _) in enumerate(values) if other == name]
        if draw(st.integers(0, 3)):
            b = draw(st.sampled_from(others))
            merged = merge(Shape(*shape), Shape(*values[b][1]))
            nodes.append((a, b))
            values.append((name, merged.shape.sizes))
        else:
            target = draw(
                st.sampled_from([to for to in WIDER if to == name or preserves(ELEMENTS[name], ELEMENTS[to])])
            )
            nodes.append((a, target))
            values.append((target, shape))
    numbers = st.integers(0, len(values) - 1)
    return inputs, nodes, [len(values) - 1, *draw(st.lists(numbers, max_size=3))]


WIDER = ("f16", "bf16", "f32", "f64", "i4", "i8", "i32", "u1", "u8", "i16", "f8e4m3")
NAMES = tuple(DTYPES)
