"""Parameters and constants: shapes, types, and where the bytes are."""

from tests.ir.build import FLOATS, PRECISION, WIRES, add, const, data, layer, net, parameter, port, result, sum_of

NUMERIC = (
    "bf16",
    "f16",
    "f32",
    "f64",
    "f8e4m3",
    "f8e5m2",
    "f8e8m0",
    "f4e2m1",
    "nf4",
    "i4",
    "i8",
    "i16",
    "i32",
    "i64",
    "u1",
    "u2",
    "u3",
    "u4",
    "u6",
    "u8",
    "u16",
    "u32",
    "u64",
)
SHAPES = (
    "2,3",
    "2, 3",
    "[2,3]",
    "[ 2 , 3 ]",
    " 2,3 ",
    "2,3,",
    ",2,3",
    "2,,3",
    "",
    "[]",
    " ",
    "[",
    "[2,3",
    "2,3]",
    "...",
    "[...]",
    " ... ",
    "...,3",
    "2,...",
    "?,3",
    "-1,3",
    "1..8,3",
    "..8,3",
    "1..,3",
    "..,3",
    "1 .. 8,3",
    "2..2,3",
    "0..,3",
    "0,3",
    "2;3",
    "2 3",
    "a,b",
    "+2,3",
    "-2,3",
    "-0,3",
    "02,3",
    "0x10",
    "1.5",
    "1..?",
    "?..4",
    "(2)",
    "8..1",
    "3..-1",
    "-1..3",
    "1...3",
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551617",
    "9" * 40,
    "1..9223372036854775807",
    "1..9223372036854775806",
    "{2,3}",
    "2,3;",
    "\t2,\n3",
    "*,3",
    "None",
    "٢,3",
)
TYPES = (
    *NUMERIC,
    "boolean",
    "string",
    "dynamic",
    "undefined",
    "F32",
    "Boolean",
    "BF16",
    "Dynamic",
    "UNDEFINED",
    "FP32",
    "FP16",
    "BOOL",
    "BIN",
    " f32",
    "f32 ",
    "float32",
    "float",
    "f8",
    "int8",
    "",
    "U4",
    "Nf4",
)

PARAMETER = {
    "no-data": sum_of(a=parameter(inside="")),
    "data-empty": sum_of(a=parameter(inside="<data/>")),
    "no-shape": sum_of(a=parameter(shape=None)),
    "no-element_type": sum_of(a=parameter(element_type=None)),
    "no-output": sum_of(a=parameter(outputs=[port(9)][:0])),
    "two-outputs": sum_of(a=parameter(outputs=[port(0), port(1)])),
    "types-differ": sum_of(b=parameter(1, "b", element_type="f16")),
    "one-type-dynamic": sum_of(b=parameter(1, "b", element_type="dynamic")),
    "shapes-clash": sum_of(b=parameter(1, "b", "4,3")),
    **{
        f"add-of-{name}": sum_of(a=parameter(element_type=name), b=parameter(1, "b", element_type=name))
        for name in (*NUMERIC, "boolean", "string", "dynamic")
    },
    **{f"shape={text!r}": net([parameter(shape=text), result(1)], [(0, 0, 1, 0)]) for text in SHAPES},
    **{
        f"element_type={text!r}": net(
            [parameter(inside=data(shape="2,3", element_type=text), outputs=[port(0, precision="FP32")]), result(1)],
            [(0, 0, 1, 0)],
        )
        for text in TYPES
    },
    "port-dims-differ": sum_of(a=parameter(outputs=[port(0, [5])])),
    "port-precision-differs": sum_of(a=parameter(outputs=[port(0, precision="I64")])),
    "port-id-5": sum_of(a=parameter(outputs=[port(5)]), wires=[(0, 5, 2, 0), *WIRES[1:]]),
    "old-layout-attribute": sum_of(a=parameter(inside=data(shape="2,3", element_type="f32", layout="NC"))),
    "names-alike": sum_of(b=parameter(1, "a")),
    "with-an-input": sum_of(
        a=layer(0, "a", "Parameter", inside=data(shape="2,3", element_type="f32"), inputs=[port(0)], outputs=[port(1)]),
        wires=[(0, 1, 2, 0), *WIRES[1:]],
    ),
}


def _beside(constant: str, weights: bytes = FLOATS, shape: str = "2,3") -> tuple[str, bytes]:
    """The constant as b of the Add."""
    return sum_of(a=parameter(shape=shape), b=constant), weights


def _alone(element_type: str, shape: str, size: int, weights: bytes = FLOATS) -> tuple[str, bytes]:
    """A constant straight into a Result: no type is refused for the Add's sake."""
    precision = PRECISION.get(element_type, element_type.upper())
    return net([const(0, element_type, shape, 0, size, precision=precision), result(1)], [(0, 0, 1, 0)]), weights


BITS = {"u1": 1, "u2": 2, "u3": 3, "i4": 4, "u4": 4, "nf4": 4, "f4e2m1": 4, "u6": 6}
GROUPED = {"u3": 3, "u6": 3}  # elements stand in groups of three bytes


def _sub_byte() -> dict[str, tuple[str, bytes]]:
    cases = {}
    for name, bits in BITS.items():
        for count in (1, 3, 4, 5, 8, 9):
            exact = -(-count * bits // 8)
            for size in sorted({exact - 1, exact, -(-exact // 3) * 3 if name in GROUPED else exact + 1}):
                cases[f"{count}-of-{name}-in-{size}"] = _alone(name, str(count), size, bytes(range(0x11, 0x31)))
    return cases


def _offsets(*numbers: object) -> dict[str, tuple[str, bytes]]:
    return {f"offset={number!r}": _beside(const(offset=number)) for number in numbers}


def _sizes(*numbers: object) -> dict[str, tuple[str, bytes]]:
    return {f"size={number!r}": _beside(const(size=number)) for number in numbers}


CONST = {
    **_offsets(
        0,
        3,
        40,
        41,
        64,
        65,
        1 << 40,
        2**64 - 24,
        2**64 - 8,
        2**64,
        2**64 + 8,
        2**63,
        -8,
        "",
        "x",
        " 8",
        "+8",
        "8 ",
        "08",
        "8.0",
        "0x8",
        "8;",
    ),
    **_sizes(24, 20, 23, 28, 0, 64, 65, 2**64 - 8, 2**64, 2**64 + 24, -24, "", "24 ", "24x", "0x18"),
    **{
        f"no-{name}": _beside(const(**{name: None}, precision="FP32"))
        for name in ("element_type", "shape", "offset", "size")
    },
    "no-data": _beside(const(inside="")),
    "offset-plus-size-wraps": _beside(const(offset=2**64 - 8, size=32)),
    "offset-wraps-size-huge": _beside(const(offset=24, size=2**64 - 8)),
    "no-weights": _beside(const(), b""),
    "weights-one-byte-short": _beside(const(), bytes(23)),
    "weights-exact": _beside(const(), bytes(24)),
    "scalar": _beside(const(shape="", size=4)),
    "scalar-with-a-dim": _beside(const(shape="", size=4).replace("/></output>", "><dim>1</dim></port></output>")),
    "zero-size": _beside(const(shape="0, 3", size=0), shape="1,3"),
    "zero-size-with-size-1": _beside(const(shape="0, 3", size=1), shape="1,3"),
    "zero-size-at-the-end": _beside(const(shape="0, 3", offset=64, size=0), shape="1,3"),
    "zero-size-past-the-end": _beside(const(shape="0, 3", offset=65, size=0), shape="1,3"),
    "zero-size-no-weights": _beside(const(shape="0, 3", size=0), b"", "1,3"),
    "zero-size-size-1-no-weights": _beside(const(shape="0, 3", size=1), b"", "1,3"),
    "zero-size-size-huge": _beside(const(shape="0, 3", size=2**64 - 1), shape="1,3"),
    **{
        f"shape={text!r}": _beside(const(shape=text))
        for text in (
            "2,3",
            "2, 3",
            " 2 , 3 ",
            "[2,3]",
            "2,3,",
            ",2,3",
            "2,,3",
            "?,3",
            "-1,3",
            "-2,-3",
            "-2,3",
            "6",
            "2x3",
            "2x,3",
            "2,3x",
            "2;3",
            "2 3",
            "+2,3",
            "02,3",
            "0x2,3",
            "2.0,3",
            "x",
            "...",
            "[]",
            "3000000000,3000000000",
            "4294967296,4294967296,4294967296",
            "9223372036854775807",
            "18446744073709551615,2",
            "2,3,18446744073709551616",
            "4294967296,4294967296,0",
            "9" * 30,
        )
    },
    **{
        f"element_type={text!r}": _beside(const(element_type=text, precision="FP32"))
        for text in ("FP32", "F32", "dynamic", "undefined", "float", "", " f32", "Dynamic")
    },
    **{f"one-of-{name}": _alone(name, "1", 8) for name in (*NUMERIC, "boolean")},
    "string": _alone("string", "1", 32),
    "string-of-none": _alone("string", "0", 0),
    **_sub_byte(),
    "two-share-bytes": (net([const(0), const(1, offset=8, name="d"), add(), result()], WIRES), FLOATS),
    "two-types-of-one-place": (
        net(
            [
                const(0, "i32", "3", 4, 12),
                const(1, "i32", "3", 4, 12, name="d"),
                add(outputs=[port(2, precision="I32")]),
                result(),
            ],
            WIRES,
        ),
        FLOATS,
    ),
    "odd-offsets": (
        net([const(0, "i32", "1", 1, 4), const(1, "i32", "1", 5, 4, name="d"), add(), result()], WIRES),
        bytes(range(9)),
    ),
    "type-Constant": _beside(const(kind="Constant")),
    "type-constant": _beside(const(kind="constant")),
    "type-const": _beside(const(kind="const")),
    "value-attribute": _beside(const(inside=data(element_type="f32", shape="2,3", value="abcdefghijklmnopqrstuvwx"))),
    "value-attribute-short": _beside(const(inside=data(element_type="f32", shape="2,3", value="abc"))),
    "value-beside-offset": _beside(const(inside=data(element_type="f32", shape="2,3", offset=0, size=24, value="abc"))),
    "port-precision-differs": _beside(const(precision="I64")),
    "with-an-input": _beside(const().replace("<output>", "<input>" + port(7) + "</input><output>")),
    "convert-f16-to-f32": (
        net(
            [
                const(0, "f16", "2, 3", 0, 12),
                layer(1, "x", "Convert", inside=data(destination_type="f32"), inputs=[port(0)], outputs=[port(1)]),
                add(),
                result(),
            ],
            [(0, 0, 1, 0), (1, 1, 2, 0), (1, 1, 2, 1), WIRES[2]],
        ),
        FLOATS,
    ),
}


def _converted(to: str | None, version: str = "opset1") -> str:
    return net(
        [
            parameter(),
            layer(
                1,
                "x",
                "Convert",
                version=version,
                inside=data(destination_type=to),
                inputs=[port(0)],
                outputs=[port(1)],
            ),
            result(3),
        ],
        [(0, 0, 1, 0), (1, 1, 3, 0)],
    )


CONVERT = {
    **{
        f"destination_type={text!r}": _converted(text)
        for text in ("f16", "F16", "FP16", "boolean", "u1", "string", "dynamic", "", "i4", "nf4")
    },
    "no-destination_type": _converted(None),
    **{f"version={version!r}": _converted("f16", version) for version in ("opset16", "opset17", "opset0")},
}

GROUPS = {"parameter": PARAMETER, "const": CONST, "convert": CONVERT}
