"""Files made to cost much: each is small, or grows in one direction, and costs no more than in proportion.

Nothing is timed. What was once quadratic here would take minutes, or all memory, and is seen by that.
"""

import json

import pytest

from addison.diagnostics import Severity
from addison.inference.graph import infer_graphs
from addison.ir.reader import examine
from addison.ir.report import LONGEST_FIELD, MOST_FINDINGS
from tests.ir.build import add, const, data, net, parameter, port, result, sum_of

LONG = "n" * 900_000
INTO = "<layers><layer id='0' name='x' type='If' version='o'><body>"


def root(inside):
    return f'<net version="11">{inside}</net>'


def layers(*inside, edges=""):
    return root(f"<layers>{''.join(inside)}</layers><edges>{edges}</edges>")


def edge(from_layer, from_port, to_layer, to_port):
    return f'<edge from-layer="{from_layer}" from-port="{from_port}" to-layer="{to_layer}" to-port="{to_port}"/>'


def bare(number, name="x", inside=""):
    return f'<layer id="{number}" name="{name}" type="X" version="o">{inside}</layer>'


def attributes(count):
    return " ".join(f'a{i:x}=""' for i in range(count))


# Each case: a file, and the codes of what is found in it.
CASES = {
    # tags that never end, and places to look for in them
    "a name that never ends": ("<net><" + "a" * 1_000_000, {"F101", "F104"}),
    "a value that never ends": ("<net><a b='" + "c" * 1_000_000, {"F101", "F104"}),
    "attributes that never end": ("<net><a " + "b='c' " * 150_000, {"F101", "F104"}),
    "blanks that never end": ("<net><a" + " " * 1_000_000, {"F101", "F104"}),
    "quotes that never end": ("<net><a " + "'\"" * 400_000, {"F101", "F104"}),
    "nothing but <": ("<net>" + "<" * 1_000_000, {"F101", "F104"}),
    "nothing but &": ("<net>" + "&" * 1_000_000, {"F101", "F104"}),
    # one long thing that many findings are about
    "many faults in one long port": (
        layers(
            bare(
                0,
                inside=f'<output><port id="0" precision="FP32" names="{LONG}">'
                f"{'<dim>z</dim>' * 12_000}</port></output>",
            )
        ),
        {"F109", "F199"},
    ),
    "one id many times, the first name long": (layers(bare(0, LONG), *[bare(0)] * 12_000), {"G101", "F199"}),
    "bad edges to a layer with a long name": (layers(bare(0, LONG), edges=edge(0, 5, 0, 6) * 6_000), {"G103", "F199"}),
    "bad edges to a layer with many ports": (
        layers(
            bare(
                0,
                inside="<output>" + "".join(f'<port id="{i}" precision="FP32"/>' for i in range(20_000)) + "</output>",
            ),
            edges=edge(0, 99_999, 0, 0) * 5_001,
        ),
        {"G103", "F199"},
    ),
    "unconnected inputs of a long name": (
        layers(bare(0, LONG, "<input>" + "".join(f'<port id="{i}"/>' for i in range(12_000)) + "</input>")),
        {"G107", "F199"},
    ),
    "one port id many times": (
        layers(bare(0, LONG, "<input>" + "<port id='0'/>" * 12_000 + "</input>")),
        {"G110", "F199"},
    ),
    "an opset of a long name": (sum_of(add_layer=add(version=LONG)), {"G108"}),
    # counts
    "100,000 attributes in a tag": (f"<net {attributes(100_000)}/>", {"F103"}),
    "a million attributes in a tag": (f"<net {attributes(1_000_000)}/>", {"F103"}),
    "a million attributes in a file": (root(f"<a {attributes(200)}/>" * 5_000), set()),
    "300,000 elements that mean nothing": (root("<a/>" * 300_000), set()),
    "100,000 attributes of one layer": (
        layers(bare(0, inside="<rt_info>" + '<attribute name="a" version="0"/>' * 100_000 + "</rt_info>")),
        set(),
    ),
    "100,000 edges to nowhere": (root("<layers/><edges>" + edge(1, 0, 2, 0) * 100_000 + "</edges>"), {"G102", "F199"}),
    "20,000 constants without a file": (layers(*(const(i, size=4, shape="") for i in range(20_000))), {"W101"}),
    "10,000 inputs at the boundary": (
        net([parameter(i, element_type="f16") for i in range(11_000)], version=10),
        {"F113", "F199"},
    ),
    "100,000 dims in a port": (
        layers(
            bare(0, inside='<output><port id="0" precision="FP32">' + "<dim>1</dim>" * 100_000 + "</port></output>")
        ),
        {"F103"},
    ),
    "4,000 cycles": (
        net(
            [add(i, f"a{i}") for i in range(4_000)],
            [
                wire
                for i in range(0, 4_000, 2)
                for wire in ((i, 2, i + 1, 0), (i + 1, 2, i, 0), (i, 2, i + 1, 1), (i + 1, 2, i, 1))
            ],
        ),
        {"G105"},
    ),
    "one layer that feeds 10,000": (
        net(
            [parameter(), *(add(i, "a") for i in range(1, 10_000))],
            [wire for i in range(1, 10_000) for wire in ((0, 0, i, 0), (0, 0, i, 1))],
        ),
        set(),
    ),
    # depth
    "bodies in bodies, 60 deep": (root(INTO * 60 + "</body></layer></layers>" * 60), set()),
    "bodies in bodies, 90 deep": (root(INTO * 90), {"F103"}),
    "layers in layers, 300 deep": ("<net version='11'><layers>" + "<layer id='0'>" * 300, {"F103"}),
    "many bodies and many back edges": (
        layers(bare(0, inside=f"<back_edges>{'<edge/>' * 20_000}</back_edges>{'<body/>' * 9_000}")),
        {"F114"},
    ),
    # things that multiply
    "a long path of metadata, many ends": (
        root(f"<rt_info><{LONG}>" + '<a value=""/>' * 20_000 + f"</{LONG}></rt_info>"),
        set(),
    ),
    "a deep path of metadata": (
        root("<rt_info>" + f"<{'k' * 9000}>" * 250 + f"</{'k' * 9000}>" * 250 + "</rt_info>"),
        set(),
    ),
    # long texts
    "shapes of commas": (sum_of(a=parameter(shape="," * 900_000), b=const(shape="," * 900_000)), {"F112"}),
    "a shape of digits": (sum_of(a=parameter(shape="9" * 900_000)), {"F112"}),
    "a constant of digits": (
        sum_of(b=const(shape="9" * 200_000, offset="9" * 200_000, size="9" * 200_000)),
        {"F112", "F108"},
    ),
    "zeros before a number": (sum_of(b=const(shape="2,3", offset="0" * 400_000, size="0" * 400_000 + "24")), {"W101"}),
    "1,000 dims whose product overflows": (sum_of(b=const(shape=",".join(["9223372036854775806"] * 1000))), {"F112"}),
    "a parameter of 1,000 large dims": (
        net([parameter(shape=",".join(["9223372036854775806"] * 1000)), result(1)], [(0, 0, 1, 0)]),
        set(),
    ),
    "an axis of digits": (sum_of(add_layer=add(inside=data(auto_broadcast="pdpd", axis="9" * 900_000))), {"A102"}),
    "a rule of rules": (sum_of(add_layer=add(inside=data(auto_broadcast="numpy" * 100_000))), {"A101"}),
    "attributes nearly right": (sum_of(add_layer=add(inside=f"<data {'auto_broadcast' * 50_000}='1'/>")), set()),
    "an id of digits": (layers(bare("9" * 900_000)), {"F108"}),
    "edges of digits": (layers(edges=edge(*["9" * 100_000] * 4)), {"F108"}),
    "a version of digits": (f'<net version="{"1" * 900_000}"/>', {"F104"}),
    "a dim of digits": (sum_of(add_layer=add(outputs=[port(2, ["9" * 3_000_000])])), {"F109"}),
    "a dim of blanks": (sum_of(add_layer=add(outputs=[port(2, [" " * 3_000_000])])), {"F109"}),
    "a dim of parts": (sum_of(add_layer=add(outputs=[port(2, ["1 " * 1_000_000])])), {"F110"}),
    "a dim of references": (
        layers(
            bare(0, inside='<output><port id="0" precision="FP32"><dim>' + "&#49;" * 500_000 + "</dim></port></output>")
        ),
        {"F109"},
    ),
    "names of commas": (sum_of(add_layer=add(outputs=[port(2, names="," * 900_000)])), set()),
    "a name of escaped commas": (sum_of(add_layer=add(outputs=[port(2, names="\\," * 450_000)])), set()),
    "a root of a long name": (f"<{'a' * 900_000}/>", {"F105"}),
    "an encoding of a long name": (f'<?xml version="1.0" encoding="{"a" * 900_000}"?><net/>', {"F101"}),
    "ten million characters between tags": (root("x" * 10_000_000), set()),
    "300,000 comments": (root("<!---->" * 300_000), set()),
    "a million references": (root("&lt;" * 1_000_000), set()),
}


@pytest.mark.parametrize(("xml", "codes"), CASES.values(), ids=CASES)
def test_what_is_found_is_bounded(xml, codes):
    model, findings = examine(xml.encode())
    assert {one.code for one in findings} == codes
    assert len(findings) <= MOST_FINDINGS + 1
    assert model is not None or any(one.severity is Severity.ERROR for one in findings)
    for one in findings:
        assert len(one.says) < 400
        assert len(one.help) < 400
        assert all(len(value) <= LONGEST_FIELD for value in one.fields.values() if isinstance(value, str | tuple))
    json.dumps([dict(one.fields) for one in findings])  # no number is too long to be written


@pytest.mark.parametrize(
    "name",
    [
        "one layer that feeds 10,000",
        "a parameter of 1,000 large dims",
        "bodies in bodies, 60 deep",
        "1,000 dims whose product overflows",
        "4,000 cycles",
    ],
)
def test_shapes_are_inferred_all_the_same(name):
    model, _ = examine(CASES[name][0].encode())
    facts, _ = infer_graphs(model)
    assert facts[0][0] == ""


def test_the_path_of_the_deepest_body():
    model, _ = examine(CASES["bodies in bodies, 60 deep"][0].encode())
    assert max(path.count("/") for path, _, _ in model.walk()) == 2 * 59


def test_a_cycle_through_every_layer_of_a_grid():
    """Each of 60 rows of 60 layers takes from two of the row before; the first row takes from the last."""
    size = 60
    wires = [
        wire
        for row in range(size)
        for i in range(size)
        for wire in (
            ((row - 1) % size * size + i, 2, row * size + i, 0),
            ((row - 1) % size * size + (i + 1) % size, 2, row * size + i, 1),
        )
    ]
    _, [finding] = examine(net([add(i, f"a{i}") for i in range(size * size)], wires).encode())
    assert finding.code == "G105"
    assert len(set(finding.fields["layers"])) == len(finding.fields["layers"]) >= size
