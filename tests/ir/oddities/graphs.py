"""Edges, and the Results they end in."""

from tests.ir.build import WIRES, add, bent, const, layer, net, parameter, port, result, sum_of

TO_A, TO_B, OUT = WIRES

EDGE = {
    "to-b-missing": sum_of(wires=[TO_A, OUT]),
    "to-a-missing": sum_of(wires=[TO_B, OUT]),
    "to-both-missing": sum_of(wires=[OUT]),
    "to-result-missing": sum_of(wires=[TO_A, TO_B]),
    "none": sum_of(wires=[]),
    "from-unknown-layer": sum_of(wires=[(9, 0, 2, 0), TO_B, OUT]),
    "to-unknown-layer": sum_of(wires=[*WIRES, (2, 2, 9, 0)]),
    "between-unknown-layers": sum_of(wires=[*WIRES, (8, 2, 9, 0)]),
    "from-unknown-port": sum_of(wires=[(0, 4, 2, 0), TO_B, OUT]),
    "to-unknown-port": sum_of(wires=[(0, 0, 2, 6), TO_B, OUT]),
    "one-more-to-unknown-port": sum_of(wires=[*WIRES, (0, 0, 2, 6)]),
    "from-an-input-port": sum_of(wires=[TO_A, TO_B, (2, 0, 3, 0)]),
    "to-an-output-port": sum_of(wires=[TO_A, (1, 0, 2, 2), OUT]),
    "verbatim-twice": sum_of(wires=[*WIRES, TO_A]),
    "two-into-one-port": sum_of(wires=[*WIRES, (1, 0, 2, 0)]),
    "two-into-a-result": sum_of(wires=[*WIRES, (0, 0, 3, 0)]),
    "a-plus-a": net([parameter(), add(), result()], [TO_A, (0, 0, 2, 1), OUT]),
    "self-loop": sum_of(wires=[(2, 2, 2, 0), TO_B, OUT]),
    "dead-self-loop": sum_of(more=[add(4, "dead")], wires=[*WIRES, (4, 2, 4, 0), (4, 2, 4, 1)]),
    "cycle-of-two": net(
        [parameter(), add(1, "x"), add(2, "y"), result()], [(0, 0, 1, 0), (2, 2, 1, 1), (0, 0, 2, 0), (1, 2, 2, 1), OUT]
    ),
    "into-a-parameter": sum_of(wires=[*WIRES, (2, 2, 0, 0)]),
    "out-of-a-result": sum_of(more=[add(4, "more")], wires=[*WIRES, (3, 0, 4, 0), (0, 0, 4, 1)]),
    **{
        f"no-{name}": bent(f' {name}="0"', "", sum_of(wires=[(0, 0, 2, 0), TO_B, OUT]))
        for name in ("from-layer", "from-port", "to-port")
    },
    "no-to-layer": bent(' to-layer="3"', ""),
    **{
        f"from-port={text!r}": bent('from-port="0"', f'from-port="{text}"', sum_of())
        for text in ("q", "", " 0", "+0", "0 ", "00", "-1", "0.0", "4294967296")
    },
    "order-shuffled": sum_of(wires=WIRES[::-1]),
    "attributes-in-other-order": bent(
        '<edge from-layer="2" from-port="2" to-layer="3" to-port="0"/>',
        '<edge to-port="0" to-layer="3" from-port="2" from-layer="2"/>',
    ),
    "more-attributes": bent("<edge ", '<edge x="1" '),
    "Edge": bent("<edge ", "<Edge "),
    "dead-add": sum_of(more=[add(4, "dead")], wires=[*WIRES, (0, 0, 4, 0), (1, 0, 4, 1)]),
    "dead-add-unconnected": sum_of(more=[add(4, "dead")]),
    "dead-add-of-differing-types": sum_of(
        more=[parameter(5, "h", element_type="f16"), add(4, "dead")], wires=[*WIRES, (0, 0, 4, 0), (5, 0, 4, 1)]
    ),
    "dead-add-of-unknown-rule": sum_of(
        more=[add(4, "dead", inside='<data auto_broadcast="x"/>')], wires=[*WIRES, (0, 0, 4, 0), (1, 0, 4, 1)]
    ),
    "dead-constant-out-of-range": sum_of(more=[const(4)]),
    "dead-unknown-type": sum_of(more=[layer(4, "dead", "Nonsense")]),
    "live-unknown-type": sum_of(add_layer=add(kind="Nonsense")),
    "unconnected-parameter": sum_of(more=[parameter(5, "u", "4")]),
    "parameter-never-used": sum_of(wires=[TO_A, (0, 0, 2, 1), OUT]),
    "dead-constant": (sum_of(more=[const(4)]), bytes(24)),
    "dead-result-port": sum_of(more=[result(4, "r2")]),
}

RESULT = {
    "none": net([parameter(), parameter(1, "b"), add()], WIRES[:2]),
    "two-of-one-add": sum_of(more=[result(4, "r2")], wires=[*WIRES, (2, 2, 4, 0)]),
    "two-of-one-name": sum_of(more=[result(4, "r")], wires=[*WIRES, (2, 2, 4, 0)]),
    "order-is-the-files": net(
        [parameter(), parameter(1, "b"), add(outputs=[port(2, names="s")]), result(9, "z"), result(3, "r")],
        [*WIRES, (0, 0, 9, 0)],
    ),
    "of-a-parameter": net([parameter(), result(1)], [(0, 0, 1, 0)]),
    "of-a-constant": (net([const(0), result(1)], [(0, 0, 1, 0)]), bytes(24)),
    **{
        f"output_names={text!r}": sum_of(add_layer=add(outputs=[port(2, names="s")]), r=result(output_names=text))
        for text in ("o1,o2", "o", "", "s", r"a\,b,c", ",", "o,o")
    },
    "output_names-v10": sum_of(add_layer=add(outputs=[port(2, names="s")]), r=result(output_names="o1,o2"), version=10),
    "output_names-on-an-add": sum_of(add_layer=add(output_names="o")),
    "output_names-of-two": sum_of(
        add_layer=add(outputs=[port(2, names="s")]),
        r=result(output_names="x"),
        more=[result(4, "r2", output_names="y")],
        wires=[*WIRES, (2, 2, 4, 0)],
    ),
    "with-data": sum_of(r=result(inside='<data foo="1"/>')),
    "port-contents-wrong": sum_of(r=result(inputs=[port(0, [7], "I8")])),
    "without-input": sum_of(r=result(inputs=[])),
    "with-an-output": sum_of(r=layer(3, "r", "Result", inputs=[port(0)], outputs=[port(1)])),
    "with-two-inputs": sum_of(r=result(inputs=[port(0), port(1)]), wires=[*WIRES, (0, 0, 3, 1)]),
    "result-of-a-result": sum_of(
        r=layer(3, "r", "Result", inputs=[port(0)], outputs=[port(1)]),
        more=[result(4, "r2")],
        wires=[*WIRES, (3, 1, 4, 0)],
    ),
}

GROUPS = {"edge": EDGE, "result": RESULT}
