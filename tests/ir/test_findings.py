"""Every kind of finding of the reader: its code, the place it points at, the numbers it carries."""

from typing import NamedTuple

import pytest

from addison.diagnostics import Code, Severity
from addison.errors import InvalidModel
from addison.ir import codes, operations
from addison.ir.assembly import VERSIONS
from addison.ir.reader import examine, read_model
from tests.ir.build import AXIS, FLOATS, WIRES, add, bent, const, data, layer, net, parameter, port, result, sum_of
from tests.ir.marks import in_lines, unmarked

INFERRED = ("TYPES_DIFFER", "NOT_NUMERIC", "DECLARED_TYPE", "DECLARED_SHAPE", "SHAPES_CLASH", "UNUSED_SILENCE")
LARGEST_SIZE = 2**63 - 2
LARGEST_SHAPE_RANK = 1024


class Row(NamedTuple):
    """A file with the place marked, and the finding's fields; ``alone``: nothing else is found."""

    code: Code
    xml: str
    fields: dict[str, object]
    weights: bytes = b""
    alone: bool = True


def attribute(name, value):
    """The Add with this attribute beside a good rule."""
    return sum_of(add_layer=add(inside=f'<data auto_broadcast="pdpd" {AXIS}="0" «{name}»="{value}"/>'))


def constant(**attributes):
    return sum_of(b=const(**attributes))


def tag_of(text, opening):
    """The first tag that starts so, marked."""
    start = text.index(opening)
    stop = text.index(">", start) + 1
    return f"{text[:start]}«{text[start:stop]}»{text[stop:]}"


def last_tag_of(text, opening):
    start = text.rindex(opening)
    stop = text.index(">", start) + 1
    return f"{text[:start]}«{text[start:stop]}»{text[stop:]}"


NO_ID = bent('id="2" name="add"', 'name="add"', sum_of(wires=[]))
UNCONNECTED = bent(
    '«<port id="1" precision="FP32"/>»',
    '«<port id="1" precision="FP32"/>»',
    sum_of(add_layer=add(inputs=[port(0), "«" + port(1) + "»"]), wires=[WIRES[0], WIRES[2]]),
)
CYCLE = net(
    [parameter(), "«<layer" + add(1, "x")[6:], add(2, "y"), result()],
    [(0, 0, 1, 0), (2, 2, 1, 1), (0, 0, 2, 0), (1, 2, 2, 1), (2, 2, 3, 0)],
)

ROWS = [
    Row(codes.XML_SYNTAX, bent("</net>", "</«n»ut>"), {"reason": "mismatched tag"}),
    Row(codes.XML_SYNTAX, bent("</net>", "</net>«t»ext"), {"reason": "junk after document element"}),
    Row(codes.XML_SYNTAX, bent('name="add"', 'name="add" «n»ame="b"'), {"reason": "duplicate attribute"}),
    Row(codes.XML_SYNTAX, bent("<layers>", "<layers>«&»nbsp;"), {"reason": "undefined entity"}),
    Row(codes.XML_SYNTAX, bent("<layers>", "<layers>«&»#01;"), {"reason": "reference to invalid character number"}),
    Row(
        codes.XML_SYNTAX,
        bent('<?xml version="1.0"?>', '«<?xml version="1.0" encoding="windows-1251"?>»'),
        {
            "reason": "unknown encoding",
            "found": "windows-1251",
            "wanted": ("utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "us-ascii"),
        },
    ),
    Row(codes.DOCTYPE, bent("<net ", "«<!DOCTYPE net>»<net "), {"found": "net"}),
    Row(
        codes.LIMIT,
        bent("<layers>", "«<layers " + " ".join(f'a{i}=""' for i in range(257)) + ">»"),
        {"limit": 256, "found": 257},
    ),
    Row(
        codes.LIMIT,
        sum_of(add_layer=add(outputs=[last_tag_of(port(2, "1" * 1025), "<port")])),
        {"limit": 1024, "found": 1025},
    ),
    Row(codes.IR_VERSION, sum_of(version="«12»"), {"found": "12", "wanted": VERSIONS}),
    Row(codes.IR_VERSION, sum_of(version="«7»"), {"found": "7", "wanted": VERSIONS}),
    Row(codes.IR_VERSION, tag_of(sum_of(version=None), "<net"), {"found": None, "wanted": VERSIONS}),
    Row(codes.NOT_IR, "«<graph a='>'>»</graph>", {"found": "graph", "wanted": "net"}),
    Row(codes.PRE_PROCESS, sum_of(tail="«<pre-process reference-layer-name='a'>»</pre-process>"), {"layer": "a"}),
    Row(codes.MISSING_ATTRIBUTE, tag_of(NO_ID, '<layer name="add"'), {"found": None, "wanted": "id"}, alone=False),
    Row(
        codes.MISSING_ATTRIBUTE, tag_of(bent(' type="Result"', ""), '<layer id="3"'), {"found": None, "wanted": "type"}
    ),
    Row(
        codes.MISSING_ATTRIBUTE,
        sum_of(b=last_tag_of(const(size=None), "<data")),
        {"found": None, "wanted": "size", "layer": "c"},
    ),
    Row(codes.MISSING_ATTRIBUTE, sum_of(a=tag_of(parameter(inside=""), "<layer")), {"layer": "a"}),
    Row(
        codes.MISSING_ATTRIBUTE,
        tag_of(bent('to-port="1"', ""), '<edge from-layer="1"'),
        {"found": None, "wanted": "to-port"},
        alone=False,
    ),
    Row(codes.BAD_NUMBER, sum_of(wires=[*WIRES[:2], (2, 2, 3, "«0x0»")]), {"found": "0x0"}, alone=False),
    Row(
        codes.BAD_NUMBER,
        sum_of(more=[layer("«9223372036854775808»", "big", "Nothing")]),
        {"found": "9223372036854775808"},
    ),
    Row(codes.BAD_NUMBER, constant(offset="«18446744073709551616»"), {"found": "18446744073709551616", "layer": "c"}),
    Row(codes.BAD_DIM, sum_of(add_layer=add(outputs=[tag_of(port(2, [2, "x"]), "<port")])), {"found": "x"}),
    Row(
        codes.SLOPPY_DIM,
        sum_of(add_layer=add(outputs=[tag_of(port(2, [2, "3x"]), "<port")])),
        {"found": "3x", "read": 3},
    ),
    Row(codes.BAD_TYPE, sum_of(add_layer=add(outputs=[port(2, precision="«F32»")])), {"found": "F32"}),
    Row(
        codes.BAD_TYPE,
        sum_of(a=parameter(inside=data(shape="2", element_type="«FP32»"))),
        {"found": "FP32", "layer": "a"},
    ),
    Row(codes.BAD_TYPE, constant(element_type="«dynamic»", precision="FP32"), {"found": "dynamic", "layer": "c"}),
    Row(codes.BAD_SHAPE, sum_of(a=parameter(shape="«2,,3»")), {"found": "2,,3", "layer": "a"}),
    Row(codes.BAD_SHAPE, constant(shape="«[2,3]»"), {"found": "[2,3]", "layer": "c"}),
    Row(
        codes.BAD_SHAPE,
        constant(shape="«" + ",".join("1" * 1025) + "»"),
        {"found": 1025, "limit": LARGEST_SHAPE_RANK, "layer": "c"},
    ),
    Row(
        codes.BAD_SHAPE,
        constant(shape="«4294967296,4294967296»"),
        {"found": "18446744073709551616", "limit": LARGEST_SIZE, "layer": "c"},
    ),
    Row(
        codes.V10_BOUNDARY,
        net([tag_of(parameter(element_type="f16"), "<layer"), result(1)], [(0, 0, 1, 0)], version=10),
        {"layer": "a", "element_type": "f16"},
    ),
    Row(codes.REPEATED, sum_of(tail="«<edges>»</edges>"), {"found": "edges"}),
    Row(codes.NO_PRECISION, sum_of(add_layer=add(outputs=[tag_of(port(2, precision=None), "<port")])), {"found": None}),
    Row(codes.NO_PRECISION, sum_of(add_layer=add(outputs=['<port id="2" precision="«»"/>'])), {"found": ""}),
    Row(codes.DUPLICATE_ID, sum_of(more=[layer("«2»", "again", "Nothing")]), {"id": 2, "layer": "again"}),
    Row(codes.DANGLING_EDGE, sum_of(wires=[*WIRES, (2, 2, "«9»", 0)]), {"id": 9}),
    Row(codes.UNKNOWN_PORT, sum_of(wires=[*WIRES, (0, 0, 2, "«6»")]), {"layer": "add", "found": 6, "wanted": (0, 1)}),
    Row(codes.DUPLICATE_EDGE, sum_of(wires=[*WIRES, (1, 0, 2, "«0»")]), {"layer": "add", "port": 0}),
    Row(
        codes.CYCLE,
        CYCLE.replace('name="x" type="Add" version="opset1">', 'name="x" type="Add" version="opset1">»'),
        {"layers": (1, 2)},
    ),
    Row(codes.UNCONNECTED, UNCONNECTED, {"layer": "add", "input": 1}),
    Row(
        codes.UNCONNECTED_DEAD,
        sum_of(more=[layer(4, "dead", "Nothing", inputs=["«" + port(0) + "»"])]),
        {"layer": "dead", "input": 0},
    ),
    Row(
        codes.WRONG_OPSET,
        sum_of(add_layer=add(version="«opset17»")),
        {"layer": "add", "found": "opset17", "wanted": operations.OPSETS},
    ),
    Row(codes.CONSTANT_TYPE, constant(kind="«Constant»"), {"layer": "c", "found": "Constant", "wanted": "Const"}),
    Row(
        codes.DUPLICATE_PORT,
        sum_of(add_layer=add(inputs=[port(0), port(1), port("«1»")])),
        {"layer": "add", "id": 1},
        alone=False,
    ),
    Row(
        codes.PORT_COUNT,
        sum_of(r=tag_of(result(inputs=[port(0), port(1)]), "<layer"), wires=[*WIRES, (0, 0, 3, 1)]),
        {"layer": "r", "found": 2, "wanted": 1},
    ),
    Row(codes.NO_WEIGHTS, sum_of(b=tag_of(const(), "<layer")), {"found": 1}),
    Row(
        codes.OUT_OF_RANGE,
        constant(offset="«48»"),
        {"layer": "c", "offset": 48, "size": 24, "found": 64, "wanted": 72},
        FLOATS,
    ),
    Row(codes.TOO_SMALL, constant(size="«20»"), {"layer": "c", "found": 20, "wanted": 24}, FLOATS),
    Row(
        codes.INLINE_VALUE,
        sum_of(b=const(inside='<data element_type="f32" shape="" value="«abcd»"/>')),
        {"layer": "c"},
        FLOATS,
    ),
    Row(codes.LARGER, constant(size="«25»"), {"layer": "c", "found": 25, "wanted": 24}, FLOATS),
    Row(
        codes.UNKNOWN_RULE,
        sum_of(add_layer=add(inside='<data auto_broadcast="«numpi»"/>')),
        {"layer": "add", "found": "numpi", "wanted": ("none", "explicit", "numpy", "pdpd")},
    ),
    Row(
        codes.BAD_AXIS,
        sum_of(add_layer=add(inside=data(auto_broadcast="pdpd", axis="«one»"))),
        {"layer": "add", "found": "one"},
    ),
    Row(
        codes.MISSPELT,
        attribute("auto_broadcst", "none"),
        {"layer": "add", "found": "auto_broadcst", "wanted": "auto_broadcast"},
    ),
    Row(codes.IGNORED_AXIS, attribute("axis", "1"), {"layer": "add", "found": "axis", "wanted": AXIS}),
    Row(codes.NO_AXIS, sum_of(add_layer=add(inside=data(auto_broadcast="«pdpd»"))), {"layer": "add", "wanted": AXIS}),
    Row(
        codes.INPUT_COUNT,
        sum_of(add_layer=tag_of(add(inputs=[port(0), port(1), port(5)]), "<layer"), wires=[*WIRES, (0, 0, 2, 5)]),
        {"layer": "add", "found": 3, "wanted": 2},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.code.code} {row.fields}"[:60])
def test_the_finding_has_its_code_place_and_numbers(row):
    text, place = unmarked(in_lines(row.xml))
    _, findings = examine(text.encode(), row.weights or None)
    [finding] = [one for one in findings if one.code == row.code.code]
    assert (finding.name, finding.severity) == (row.code.name, row.code.severity)
    assert (finding.at.line, finding.at.column) == (place.line, place.column)
    assert text.encode()[finding.at.start : finding.at.stop].decode() == text[place.start : place.stop]
    assert finding.fields == row.fields
    assert str(finding) == f"<bytes>:{place.line}:{place.column}: {row.code.severity}[{row.code.code}]: {finding.says}"
    assert (findings == (finding,)) is row.alone


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.code.severity is Severity.ERROR],
    ids=lambda row: f"{row.code.code} {row.fields}"[:60],
)
def test_an_error_is_raised_with_all_findings(row):
    text, _ = unmarked(in_lines(row.xml))
    with pytest.raises(InvalidModel) as caught:
        read_model(text.encode(), row.weights or None)
    findings = caught.value.fields["findings"]
    assert row.code.code in {one.code for one in findings}
    assert findings == tuple(sorted(findings, key=lambda one: (one.at.start, one.code)))
    assert str(caught.value).startswith(str(next(one for one in findings if one.severity is Severity.ERROR)))


@pytest.mark.parametrize(
    "row",
    [row for row in ROWS if row.code.severity is not Severity.ERROR],
    ids=lambda row: f"{row.code.code} {row.fields}"[:60],
)
def test_a_warning_is_kept_with_the_model(row):
    text, _ = unmarked(in_lines(row.xml))
    assert [one.code for one in read_model(text.encode(), row.weights or None).findings] == [row.code.code]


def test_every_kind_of_finding_of_the_reader_has_a_row():
    named = {name: row for name, row in vars(codes).items() if isinstance(row, Code)}
    tried = {row.code.code for row in ROWS} | {codes.TOO_MANY.code, codes.UNREADABLE.code}
    assert {row.code for name, row in named.items() if name not in INFERRED} == tried


def test_codes_are_written_once():
    rows = [row for row in vars(codes).values() if isinstance(row, Code)]
    assert len({row.code for row in rows}) == len({row.name for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("text", "help"),
    [
        (sum_of(add_layer=add(inside=data(auto_broadcast="Numpi"))), "did you mean numpy?"),
        (sum_of(add_layer=add(inside=data(auto_broadcast="zzz"))), "write none, numpy or pdpd"),
        (sum_of(a=parameter(inside=data(shape="2", element_type="FP16"))), "did you mean f16?"),
        (sum_of(a=parameter(inside=data(shape="2", element_type="fp64"))), "did you mean f64?"),
        (sum_of(a=parameter(inside=data(shape="2", element_type=""))), "write f32, i8, ..."),
        (sum_of(b=const(size=20)), 'write size="24"'),
        (sum_of(wires=[WIRES[0], WIRES[2]]), 'add an <edge to-layer="2" to-port="1" ...>'),
        (sum_of(wires=[*WIRES, (0, 0, 2, 6)]), "its input ports: 0, 1"),
        (sum_of(wires=[*WIRES, (3, 0, 2, 0)]), "its output ports: none"),
    ],
)
def test_the_remedy_is_named(text, help):
    with pytest.raises(InvalidModel) as caught:
        read_model(text.encode(), FLOATS)
    assert caught.value.help == help


@pytest.mark.parametrize(
    ("text", "says", "marked"),
    [
        (sum_of(more=[layer(2, "again", "Nothing")]), "the first layer with this id", '"2" name="add"'),
        (sum_of(wires=[*WIRES, (1, 0, 2, 0)]), "the first edge into this port", '<edge from-layer="0"'),
    ],
)
def test_the_first_of_two_is_pointed_at_too(text, says, marked):
    _, findings = examine(text.encode())
    [related] = findings[0].related
    assert related.says == says
    assert related.at.start == text.index(marked) + (marked[0] == '"')


def test_all_faults_of_a_file_are_found_at_once():
    text = sum_of(a=parameter(shape="2,,3"), add_layer=add(inside=data(auto_broadcast="x")), b=const(offset="y"))
    _, findings = examine(text.encode())
    assert [one.code for one in findings] == ["F112", "F108", "A101"]
