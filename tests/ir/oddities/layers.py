"""A layer's attributes, the Add's <data>, and ports."""

from tests.ir.build import AXIS, WIRES, add, bent, data, net, parameter, port, result, sum_of, tag

ADD = 'id="2" name="add" type="Add" version="opset1"'
OPSETS = (
    "",
    *(f"opset{n}" for n in range(19)),
    "OPSET1",
    "Opset1",
    "opset01",
    " opset1",
    "opset",
    "extension",
    "experimental",
    "util",
    "ie_internal_opset",
    "v1",
)


def _renumbered(number: object) -> str:
    return sum_of(
        add_layer=add(number),
        wires=[
            tuple(number if (key, part) in ((0, 2), (2, 2)) else part for key, part in enumerate(wire))
            for wire in WIRES
        ],
    )


LAYER = {
    **{
        f"no-{name}": bent(f' {name}="{value}"', "", bent(ADD, ADD))
        for name, value in (("type", "Add"), ("name", "add"))
    },
    "no-id": bent(ADD, 'name="add" type="Add" version="opset1"'),
    "no-version": bent(ADD, 'id="2" name="add" type="Add"'),
    **{
        f"id={number!r}": _renumbered(number)
        for number in (
            "x2",
            "2x",
            "2 ",
            " 2",
            "+2",
            "-2",
            "02",
            "0002",
            "",
            "2.0",
            "0x2",
            "٢",
            "2147483648",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "18446744073709551618",
            "9" * 60,
        )
    },
    "ids-sparse": net(
        [parameter(10), parameter(20, "b"), add(7), result(99)], [(10, 0, 7, 0), (20, 0, 7, 1), (7, 2, 99, 0)]
    ),
    "order-reversed": net([result(), add(), parameter(1, "b"), parameter()], WIRES),
    "id-taken-by-two-adds": sum_of(more=[add(2, "again", inside=data(auto_broadcast="none"))]),
    "id-taken-by-two-parameters": net(
        [parameter(), parameter(0, "b"), add(), result()], [(0, 0, 2, 0), (0, 0, 2, 1), (2, 2, 3, 0)]
    ),
    "name-empty": bent('name="add"', 'name=""'),
    "name-taken": bent('name="add"', 'name="a"'),
    "name-of-60000": bent('name="add"', f'name="{"n" * 60000}"'),
    **{
        f"type={kind!r}": bent('type="Add"', f'type="{kind}"')
        for kind in ("add", "ADD", "aDD", "Eltwise", "Addd", "Sum", "", " Add", "Add ")
    },
    **{f"version={version!r}": bent(ADD, ADD.replace("opset1", version)) for version in OPSETS},
    **{
        f"parameter-version={version!r}": sum_of(a=parameter(version=version))
        for version in ("", "opset0", "opset16", "opset17", "extension")
    },
    **{
        f"parameter-type={kind!r}": bent('type="Parameter"', f'type="{kind}"')
        for kind in ("parameter", "PARAMETER", "Input", "Placeholder")
    },
    **{f"result-type={kind!r}": bent('type="Result"', f'type="{kind}"') for kind in ("result", "Output")},
    "old-precision-attribute": bent(ADD, ADD + ' precision="FP32"'),
    "attributes-in-another-order": bent(ADD, 'version="opset1" type="Add" name="add" id="2"'),
    "unknown-element": sum_of(add_layer=add(tail="<blobs><x/></blobs>")),
    "layer-inside-a-layer": sum_of(add_layer=add(tail=parameter(8, "h"))),
    "rt-info-unknown": sum_of(add_layer=add(tail=tag("rt_info", {}, '<attribute name="bogus" version="7" z="1"/>'))),
    "rt-info-known": sum_of(
        add_layer=add(tail=tag("rt_info", {}, '<attribute name="fused_names" version="0" value="x"/>'))
    ),
    "rt-info-twice": sum_of(
        add_layer=add(tail=tag("rt_info", {}, '<attribute name="fused_names" version="0" value="x"/>' * 2))
    ),
    "rt-info-without-name": sum_of(add_layer=add(tail=tag("rt_info", {}, '<attribute version="0" value="x"/>'))),
}


def _with(*inside: str) -> str:
    return sum_of(add_layer=add(inside="".join(inside)))


DATA = {
    "none-at-all": _with(),
    "empty": _with("<data/>"),
    "open-and-closed": _with('<data auto_broadcast="numpy"></data>'),
    "with-a-child": _with('<data auto_broadcast="numpy"><x/></data>'),
    **{
        f"auto_broadcast={word!r}": _with(data(auto_broadcast=word))
        for word in (
            "numpy",
            "NUMPY",
            "Numpy",
            "none",
            "None",
            "NONE",
            "explicit",
            "EXPLICIT",
            "pdpd",
            "PDPD",
            "",
            " numpy",
            "numpy ",
            "bidirectional",
            "bogus",
            "1",
            "true",
            "ſnumpy",
            "null",
        )
    },
    **{
        f"axis={axis!r}": _with(data(auto_broadcast="pdpd", axis=axis))
        for axis in (
            "-1",
            "0",
            " 0",
            "0 ",
            "+0",
            "-0",
            "00",
            "0.9",
            "0x1",
            "",
            "abc",
            "-",
            "-2",
            "1",
            "99999999999",
            "4294967296",
            "18446744073709551616",
            "9" * 50,
        )
    },
    "axis-under-numpy": _with(data(auto_broadcast="numpy", axis=1)),
    "axis-nonsense-under-numpy": _with(data(auto_broadcast="numpy", axis="abc")),
    "axis-under-none": _with(data(auto_broadcast="none", axis=0)),
    "axis-without-rule": _with(data(axis=0)),
    "axis-called-axis": _with('<data auto_broadcast="pdpd" axis="0"/>'),
    "axis-called-auto_broadcast_axis": _with('<data auto_broadcast="pdpd" auto_broadcast_axis="0"/>'),
    "axis-in-other-case": _with(f'<data auto_broadcast="pdpd" {AXIS.upper()}="0"/>'),
    "misspelt-attribute": _with('<data auto_broadcst="none"/>'),
    "attribute-in-other-case": _with('<data Auto_Broadcast="none"/>'),
    "more-attributes": _with('<data auto_broadcast="numpy" foo="1"/>'),
    "two-data": _with(data(auto_broadcast="numpy"), data(auto_broadcast="none")),
    "first-data-empty": _with("<data/>", data(auto_broadcast="none")),
    "Data": _with('<Data auto_broadcast="none"/>'),
    "data-after-ports": sum_of(add_layer=add(inside="", tail=data(auto_broadcast="none"))),
    "data-in-an-unknown-element": _with("<x>", data(auto_broadcast="none"), "</x>"),
    "attribute-twice": _with('<data auto_broadcast="numpy" auto_broadcast="none"/>'),
    "three-rules-differ": sum_of(add_layer=add(inside=data(auto_broadcast="none")), b=parameter(1, "b", "2,1")),
}


def _ports(inputs: list[str] | None = None, outputs: list[str] | None = None, **how: object) -> str:
    return sum_of(add_layer=add(inputs=inputs, outputs=outputs), **how)


DIMS = (
    "-1",
    "0",
    "-2",
    "?",
    "1..8",
    "",
    "x",
    "3x",
    "2.5",
    " 3 ",
    "+3",
    "03",
    "0x3",
    "3 3",
    "-",
    "-0",
    "٣",
    "9" * 20,
    "9223372036854775806",
    "9223372036854775807",
    "9223372036854775808",
    "1e3",
    "3<!-- c -->3",
    "<b>3</b>",
)
PRECISIONS = (
    "BF16",
    "FP16",
    "FP32",
    "FP64",
    "I4",
    "I8",
    "I16",
    "I32",
    "I64",
    "BIN",
    "bin",
    "U1",
    "u1",
    "U2",
    "U3",
    "U4",
    "U6",
    "U8",
    "U16",
    "U32",
    "U64",
    "BOOL",
    "boolean",
    "NF4",
    "F4E2M1",
    "F8E4M3",
    "F8E5M2",
    "F8E8M0",
    "STRING",
    "string",
    "UNSPECIFIED",
    "undefined",
    "dynamic",
    "",
    "f32",
    "f16",
    "f64",
    "bf16",
    "nf4",
    "F32",
    "fp32",
    "Fp32",
    "Bool",
    "bool",
    "BOOLEAN",
    "MIXED",
    "Q78",
    "FP8",
    "FOO",
    " FP32",
    "DYNAMIC",
    "UNDEFINED",
    "F16",
    "F64",
    "BIN1",
)

PORT = {
    "no-input": sum_of(add_layer=add(inputs=[])),
    "no-output": sum_of(add_layer=add(outputs=[])),
    "no-ports": sum_of(add_layer=add(inputs=[], outputs=[])),
    "input-dims-wrong": _ports([port(0, [9, 9]), port(1, [9])]),
    "output-dims-wrong": _ports(outputs=[port(2, [1, 2])]),
    **{f"dim={dim!r}": bent("DIM", dim, _ports(outputs=[port(2, [2, "DIM"])])) for dim in DIMS},
    **{f"input-dim={dim!r}": bent("DIM", dim, _ports([port(0, [2, "DIM"]), port(1)])) for dim in ("x", "-2", "1..8")},
    **{f"precision={word!r}": _ports(outputs=[port(2, precision=word)]) for word in PRECISIONS},
    "precision-missing": _ports(outputs=[port(2, precision=None)]),
    "precision-bogus-on-inputs": _ports([port(0, precision="FOO"), port(1, precision="FOO")]),
    "precision-missing-on-inputs": _ports([port(0, precision=None), port(1, precision=None)]),
    "ids-5-7-9": _ports([port(5), port(7)], [port(9)], wires=[(0, 0, 2, 5), (1, 0, 2, 7), (2, 9, 3, 0)]),
    "ids-in-other-order": sum_of(b=parameter(1, "b", "3"), add_layer=add(inputs=[port(1), port(0)])),
    "output-id-restarts": _ports(outputs=[port(0)], wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 0, 3, 0)]),
    "id-missing": _ports([tag("port", {}), port(1)]),
    **{
        f"id={number!r}": _ports([port(number), port(1)])
        for number in ("x", "", " 0", "+0", "0 ", "00", "-0", "-1", "4294967296", "18446744073709551616")
    },
    "same-input-id-twice": _ports([port(0), port(0)]),
    "same-output-id-twice": _ports(outputs=[port(2), port(2)]),
    "two-outputs": _ports(outputs=[port(2), port(3)]),
    "three-inputs-two-edges": _ports([port(0), port(1), port(5)]),
    "three-inputs-three-edges": _ports([port(0), port(1), port(5)], wires=[*WIRES, (0, 0, 2, 5)]),
    "one-input": _ports([port(0)], wires=[WIRES[0], WIRES[2]]),
    "two-input-elements": sum_of(add_layer=add(inputs=[port(0)], tail=tag("input", {}, port(1)))),
    **{
        f"names={text!r}": _ports(outputs=[port(2, names=text)])
        for text in (
            "x",
            "x,y",
            "y,x",
            r"x\,y,z",
            "",
            ",",
            "x,",
            ",x",
            "x,,y",
            " x , y ",
            "x,x",
            r"x\\,y",
            "x\\",
            r"\,",
            r"\\,",
            r"x\y",
            r"x\\\,y",
            "a b",
            "größe",
            "a,b",
        )
    },
    "name-of-another-tensor": _ports(outputs=[port(2, names="a")]),
    "names-on-an-input": _ports([tag("port", {"id": 0, "names": "q"}), port(1)]),
    "rt-info": _ports(
        outputs=[
            bent("/>", '><rt_info><attribute name="layout" version="0" layout="[N,C]"/></rt_info></port>', port(2))
        ]
    ),
    "unknown-element": _ports(outputs=[bent("/>", "><x/></port>", port(2))]),
    "port-outside-input": sum_of(add_layer=add(tail=port(9))),
    "same-name-on-two-inputs": sum_of(
        a=parameter(outputs=[port(0, names="t")]), b=parameter(1, "b", outputs=[port(0, names="t")])
    ),
}

GROUPS = {"layer": LAYER, "data": DATA, "port": PORT}
