"""The root, its attributes, what may stand beside the layers; encodings; what is hardly XML."""

from tests.ir.build import PROLOG, WIRES, add, bent, const, edges, layer, net, parameter, port, result, sum_of, tag

BASE = sum_of()
LAYERS = BASE[BASE.index("<layers>") : BASE.index("</layers>") + len("</layers>")]
OPEN = BASE[len(PROLOG) : BASE.index("<layers>")]


def _declared(encoding: str, name: str, codec: str = "") -> bytes:
    text = bent('name="a"', f'name="{name}"', bent('version="1.0"?', f'version="1.0" encoding="{encoding}"?'))
    return text.encode(codec or encoding)


def _attributes(count: int) -> str:
    return " ".join(f'a{i}=""' for i in range(count))


VERSIONS = (
    None,
    "",
    "0",
    "1",
    "7",
    "9",
    "010",
    "10",
    "11",
    "12",
    "99",
    "11.0",
    "11 ",
    " 11",
    "+11",
    "0x0b",
    "abc",
    "-1",
    "4294967307",
    "18446744073709551627",
    "1" * 40,
)

NET = {
    **{f"version={version!r}": sum_of(version=version) for version in VERSIONS},
    "baseline": BASE,
    "no-name": bent(' name="m"', ""),
    "more-attributes": sum_of(batch=1, foo="bar"),
    "root-Net": bent("<net ", "<Net ", bent("</net>", "</Net>")),
    "root-NET": bent("<net ", "<NET ", bent("</net>", "</NET>")),
    "root-model": bent("<net ", "<model ", bent("</net>", "</model>")),
    "root-with-prefix": bent("<net ", "<x:net xmlns:x='y' ", bent("</net>", "</x:net>")),
    "no-prolog": bent(PROLOG, ""),
    "standalone-declared": bent('"1.0"?', '"1.0" standalone="yes"?'),
    "xml-1.1": bent('"1.0"?', '"1.1"?'),
    "comment-first": bent(PROLOG, PROLOG + "<!-- first -->"),
    "long-comment-first": bent(PROLOG, PROLOG + f"<!-- {'x' * 600} -->"),
    "comments-everywhere": bent("><", "><!-- <layer/> --><"),
    "instruction-inside": bent("<layers>", "<?php echo ?><layers>"),
    "blanks-first-no-prolog": bent(PROLOG, " \n\t"),
    "blanks-before-prolog": " " + BASE,
    "blanks-after-prolog": bent(PROLOG, PROLOG + " " * 600),
    "long-name": bent('name="m"', f'name="{"m" * 600}"'),
    "doctype": bent(PROLOG, PROLOG + "<!DOCTYPE net>"),
    "doctype-with-entity": bent('name="add"', 'name="&x;"', bent(PROLOG, PROLOG + '<!DOCTYPE net [<!ENTITY x "y">]>')),
    "entities-in-name": bent('name="add"', 'name="a&lt;b&amp;&#x41;&#65;&quot;"'),
    "undefined-entity": bent('name="add"', 'name="a&nbsp;b"'),
    "bare-ampersand": bent('name="add"', 'name="a&b"'),
    "less-than-in-attribute": bent('name="add"', 'name="a<b"'),
    "control-character-reference": bent('name="add"', 'name="a&#01;b"'),
    "tab-and-newline-references": bent('name="add"', 'name="a&#9;b&#10;c"'),
    "raw-newline-in-attribute": bent('name="add"', 'name="a\nb"'),
    "raw-control-character": bent('name="add"', 'name="a\x01b"'),
    "cdata-in-layers": bent("<layers>", "<layers><![CDATA[<layer/>]]>"),
    "single-quotes": BASE.replace('"', "'"),
    "unquoted-attribute": bent('id="2"', "id=2"),
    "blanks-around-equals": bent('id="2"', 'id = "2"'),
    "duplicate-attribute": bent('id="2"', 'id="2" id="5"'),
    "text-between-tags": bent("><", ">text<", BASE[len(PROLOG) :]),
    "cut-short": BASE[:-60],
    "cut-inside-a-tag": BASE[:-3],
    "text-after-root": BASE + "text",
    "comment-after-root": BASE + "<!-- end -->\n",
    "second-root": BASE + "<net/>",
    "nul-after-root": BASE + "\0",
    "empty": "",
    "only-blanks": "  \n ",
    "only-prolog": PROLOG,
    "only-zero-bytes": b"\0" * 64,
    "only-text": "this is no model",
    "no-layers": PROLOG + OPEN + "<edges/></net>",
    "empty-net": PROLOG + OPEN + "</net>",
    "no-edges": PROLOG + OPEN + LAYERS + "</net>",
    "edges-first": PROLOG + OPEN + edges(WIRES) + LAYERS + "</net>",
    "Layers": bent("layers>", "Layers>"),
    "two-layers-elements": bent("<layers>", "<layers>" + parameter(9, "z") + "</layers><layers>"),
    "two-edges-elements": sum_of(wires=WIRES[:2], tail=edges(WIRES[2:])),
    "layers-nested-deeper": bent("<layers>", "<x><layers>", bent("</layers>", "</layers></x>")),
    "unknown-element": sum_of(tail="<foo><bar/></foo>"),
    "pre-process": sum_of(
        tail=tag(
            "pre-process",
            {"mean-precision": "FP32", "reference-layer-name": "a"},
            '<channel id="0"><mean value="1"/></channel>',
        )
    ),
    "pre-process-of-an-image": sum_of(
        a=parameter(shape="1,1,2,3"),
        b=parameter(1, "b", "1,1,2,3"),
        tail=tag(
            "pre-process",
            {"mean-precision": "FP32", "reference-layer-name": "a"},
            '<channel id="0"><mean value="1"/></channel>',
        ),
    ),
    "pre-process-empty": sum_of(tail="<pre-process/>"),
    "meta-data": sum_of(
        tail='<meta_data><MO_version value="1"/><cli_parameters><input value="x"/></cli_parameters></meta_data>'
    ),
    "meta-data-without-value": sum_of(tail="<meta_data><foo/></meta_data>"),
    "rt-info": sum_of(
        tail='<rt_info><MO_version value="1"/><info name="k" value="v"/>'
        '<conversion_parameters><framework value="onnx"/></conversion_parameters></rt_info>'
    ),
    "rt-info-empty": sum_of(tail="<rt_info/>"),
    "rt-info-digit-tag": sum_of(tail='<rt_info><1st value="x"/></rt_info>'),
    "rt-info-info-without-name": sum_of(tail='<rt_info><info value="v"/></rt_info>'),
    "quantization-parameters": sum_of(tail="<quantization_parameters><config>text</config></quantization_parameters>"),
    "only-a-parameter": net([parameter()]),
    "only-a-result": net([result()]),
    "v10-names": sum_of(version=10, add_layer=add(outputs=[port(2, names="s")])),
    "v10-f16": sum_of(version=10, a=parameter(element_type="f16"), b=parameter(1, "b", element_type="f16")),
    "v10-i64": sum_of(version=10, a=parameter(element_type="i64"), b=parameter(1, "b", element_type="i64")),
    "v10-rt-info-of-layer": sum_of(
        version=10, add_layer=add(tail='<rt_info><attribute name="fused_names" version="0" value="x"/></rt_info>')
    ),
    "v10-no-precision": bent(' precision="FP32"', "", sum_of(version=10)),
    "v10-pre-process": sum_of(
        version=10,
        tail=tag("pre-process", {"mean-precision": "FP32", "reference-layer-name": "a"}, '<channel id="0"/>'),
    ),
    "v7-layout": PROLOG
    + '<net name="m" version="7" precision="FP32"><layers>'
    + layer(0, "a", "Input")
    + "</layers></net>",
}

ENCODING = {
    "utf-8-mark": b"\xef\xbb\xbf" + BASE.encode(),
    "utf-8-declared": _declared("UTF-8", "größe"),
    "utf-8-names": bent('name="add"', 'name="和 сумма 😀"'),
    "utf-8-invalid": bent('name="add"', 'name="a?b"').encode().replace(b"a?b", b"a\xffb"),
    "utf-8-overlong": bent('name="add"', 'name="a?b"').encode().replace(b"a?b", b"a\xc0\xafb"),
    "utf-8-surrogate": bent('name="add"', 'name="a?b"').encode().replace(b"a?b", b"a\xed\xa0\x80b"),
    "utf-16-mark": _declared("UTF-16", "größe", "utf-16"),
    "utf-16-le-mark": b"\xff\xfe" + _declared("UTF-16", "größe", "utf-16-le"),
    "utf-16-be-mark": b"\xfe\xff" + _declared("UTF-16", "größe", "utf-16-be"),
    "utf-16-le-no-mark": _declared("UTF-16", "größe", "utf-16-le"),
    "utf-16-be-no-mark": _declared("UTF-16", "größe", "utf-16-be"),
    "utf-16-mark-undeclared": BASE.encode("utf-16"),
    "utf-16-odd-bytes": b"\xff\xfe" + _declared("UTF-16", "größe", "utf-16-le")[:-1],
    "latin-1": _declared("ISO-8859-1", "größe"),
    "latin-1-as-latin1": _declared("latin1", "größe"),
    "ascii": _declared("US-ASCII", "a"),
    "windows-1251": _declared("windows-1251", "сумма"),
    "utf-32": BASE.encode("utf-32"),
    "unknown-encoding": _declared("x-none", "a", "utf-8"),
    "utf-16-declared-in-utf-8": _declared("UTF-16", "a", "utf-8"),
    "crlf": bent("><", ">\r\n<"),
    "cr": bent("><", ">\r<"),
}

LIMITS = {
    "attributes-256": bent("<layers>", f"<layers {_attributes(256)}>"),
    "attributes-257": bent("<layers>", f"<layers {_attributes(257)}>"),
    "elements-250-deep": sum_of(tail="<x>" * 250 + "</x>" * 250),
    "elements-300-deep": sum_of(tail="<x>" * 300 + "</x>" * 300),
    "port-dims-1024": sum_of(add_layer=add(outputs=[port(2, ["1"] * 1024)])),
    "port-dims-1025": sum_of(add_layer=add(outputs=[port(2, ["1"] * 1025)])),
    "parameter-dims-1024": net([parameter(shape=",".join("1" * 1024)), result(1)], [(0, 0, 1, 0)]),
    "parameter-dims-1025": net([parameter(shape=",".join("1" * 1025)), result(1)], [(0, 0, 1, 0)]),
    "constant-dims-1024": (net([const(0, shape=",".join("1" * 1024), size=4), result(1)], [(0, 0, 1, 0)]), bytes(4)),
    "constant-dims-1025": (net([const(0, shape=",".join("1" * 1025), size=4), result(1)], [(0, 0, 1, 0)]), bytes(4)),
    "comment-of-2-mib": bent("<layers>", f"<!--{'x' * (2 << 20)}--><layers>"),
    "tag-of-2-mib": bent('name="add"', f'name="{"n" * (2 << 20)}"'),
    "text-of-2-mib": bent("<layers>", f"<layers>{'x' * (2 << 20)}"),
}

GROUPS = {"limit": LIMITS, "net": NET, "encoding": ENCODING}
