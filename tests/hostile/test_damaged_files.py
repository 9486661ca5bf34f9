"""A small file cut at every byte, with every bit turned, with bytes of another: never anything but findings or an
error of this package, and the same answer however the file is handed over."""

import random

import pytest

from addison.diagnostics import Diagnostic, Severity
from addison.errors import AddisonError
from addison.inference.graph import infer_graphs
from addison.ir.reader import examine, read_model
from tests.ir.build import AXIS, FLOATS, add, const, data, layer, net, parameter, port, result, tag

BODY = (
    "<port_map><input external_port_id='0' internal_layer_id='0'/></port_map><back_edges>"
    "<edge from-layer='1' to-layer='0'/></back_edges><body><layers>"
    + parameter(0, "x")
    + result(1, "y")
    + '</layers><edges><edge from-layer="0" from-port="0" to-layer="1" '
    'to-port="0"/></edges></body>'
)
SMALL = (
    net(
        [
            parameter(shape="?,1..8"),
            const(1, "u3", "2", 1, 3, name="ç"),
            add(2, inside=data(auto_broadcast="pdpd", axis=0), outputs=[port(2, [-1, 3], names=r"p\,q,z")]),
            layer(7, "loop", "Loop", inside=BODY, inputs=[port(0)], outputs=[port(1)]),
            result(3, output_names="out"),
        ],
        [(0, 0, 2, 0), (1, 0, 2, 1), (2, 2, 7, 0), (7, 1, 3, 0)],
        tail=tag("rt_info", {}, '<k value="v"/>'),
    )
    .replace("><", ">\n<")
    .encode()
)


def outcome(xml, weights=FLOATS):
    """What comes of a file: findings that can be shown, or a model; anything else is let out, and fails the test."""
    model, findings = examine(xml, weights)
    for one in findings:
        assert isinstance(one, Diagnostic)
        assert str(one)
        assert one.at is None or 1 <= one.at.line <= xml.count(b"\n") + 1
        assert one.at is None or 0 <= one.at.start <= len(xml)
    assert model is not None or any(one.severity is Severity.ERROR for one in findings)
    return model, findings


def test_the_file_itself_is_sound():
    model, findings = outcome(SMALL)
    assert AXIS.encode() in SMALL
    assert findings == ()
    assert [one.name for one in model.layers] == ["a", "ç", "add", "loop", "r"]
    assert [one.name for one in model.layers[3].bodies[0].graph.layers] == ["x", "y"]


def test_cut_at_every_byte():
    whole = len(SMALL.rstrip())
    for length in range(len(SMALL)):
        model, findings = outcome(SMALL[:length])
        assert model is None or length >= whole
        assert len(findings) >= 1
        assert findings[-1].code in ("F101", "F105")


def test_every_bit_turned():
    errors = warnings = sound = 0
    for position in range(len(SMALL)):
        for bit in range(8):
            turned = bytearray(SMALL)
            turned[position] ^= 1 << bit
            model, findings = outcome(bytes(turned))
            worst = max((one.severity for one in findings), default=None)
            errors += worst is Severity.ERROR
            warnings += worst is Severity.WARNING
            sound += not findings
            assert model is None or len(model.layers) <= 6
    assert errors > 3 * sound > 0  # most bits are seen; those of names are not
    assert warnings > 0


def test_every_bit_turned_in_the_middle_of_utf_16():
    wide = SMALL.decode().replace('"1.0"', '"1.0" encoding="utf-16"', 1).encode("utf-16")
    for position in range(0, len(wide), 7):
        turned = bytearray(wide)
        turned[position] ^= 1 << position % 8
        examine(bytes(turned), FLOATS)


@pytest.mark.parametrize("seed", range(4))
def test_pieces_in_another_order(seed):
    """Lines doubled, left out and exchanged: sound XML now and then, and a graph that makes no sense."""
    chance = random.Random(seed)
    lines = SMALL.splitlines(keepends=True)
    for _ in range(400):
        shuffled = list(lines)
        for _ in range(chance.randint(1, 4)):
            at, other = chance.randrange(len(shuffled)), chance.randrange(len(shuffled))
            how = chance.randrange(3)
            if how == 0:
                shuffled[at], shuffled[other] = shuffled[other], shuffled[at]
            elif how == 1:
                shuffled.insert(at, shuffled[other])
            else:
                del shuffled[at]
        xml = b"".join(shuffled)
        model, _ = outcome(xml)
        if model is not None:
            infer_graphs(model)


@pytest.mark.parametrize("seed", range(4))
def test_attributes_with_other_values(seed):
    """Sound XML whose numbers, types and names are other ones."""
    chance = random.Random(seed)
    words = [
        "",
        "0",
        "1",
        "-1",
        "2",
        "7",
        "18446744073709551615",
        "9" * 50,
        "x",
        "?",
        "...",
        "2,3",
        "0",
        "f32",
        "FP32",
        "pdpd",
        "none",
        "Const",
        "Add",
        "Parameter",
        "Result",
        "Convert",
        "Assign",
        "opset1",
        "opset16",
        "é",
        "\\,",
        "1..",
        "&#10;",
        "u6",
        "dynamic",
        "string",
        "boolean",
        "a" * 300,
    ]
    parts = SMALL.decode().split('"')
    for _ in range(600):
        changed = list(parts)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(1, len(parts), 2)] = chance.choice(words)
        xml = '"'.join(changed).encode()
        model, _ = outcome(xml)
        if model is not None:
            infer_graphs(model)


@pytest.mark.parametrize("length", range(len(FLOATS) + 1))
def test_weights_of_any_length(length):
    model, findings = outcome(SMALL, FLOATS[:length])
    assert {one.code for one in findings} == (set() if length >= 4 else {"W102"})
    assert length < 4 or bytes(model.layers[1].operation.data) == FLOATS[1:4]


def test_a_file_and_its_bytes_are_read_alike(tmp_path):
    chance = random.Random(0)
    (tmp_path / "m.bin").write_bytes(FLOATS)
    for _ in range(50):
        turned = bytearray(SMALL)
        turned[chance.randrange(len(SMALL))] ^= 1 << chance.randrange(8)
        (tmp_path / "m.xml").write_bytes(turned)
        _, from_bytes = examine(bytes(turned), FLOATS)
        _, from_file = examine(tmp_path / "m.xml")
        assert [(one.code, one.says, one.fields, one.at and one.at.start) for one in from_bytes] == [
            (one.code, one.says, one.fields, one.at and one.at.start) for one in from_file
        ]


def test_an_error_is_always_of_the_family():
    for length in range(0, len(SMALL), 11):
        with pytest.raises(AddisonError):
            read_model(SMALL[:length], FLOATS)
