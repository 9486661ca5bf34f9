"""Files that are hardly XML, or that mean harm through it: each is refused in words, once, with its place."""

import pytest

from addison.diagnostics import Severity
from addison.errors import InvalidModel
from addison.ir import events
from addison.ir.reader import examine, read_model
from tests.ir.build import FLOATS, sum_of

ROOT = '<net version="11"><layers/></net>'


def only(xml):
    """The one finding, an error."""
    _, [finding] = examine(xml if isinstance(xml, bytes) else xml.encode())
    assert finding.severity is Severity.ERROR
    return finding


def laughs(levels):
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, levels)]
    return f'<!DOCTYPE net [{"".join(lines)}]><net version="11" name="&a{levels - 1};">&a{levels - 1};</net>'


DOCTYPES = {
    "bare": f"<!DOCTYPE net>{ROOT}",
    "laughs": laughs(30),
    "quadratic": f'<!DOCTYPE net [<!ENTITY a "{"x" * 50_000}">]><net version="11">{"&a;" * 50_000}</net>',
    "external": f'<!DOCTYPE net SYSTEM "http://localhost/net.dtd">{ROOT}',
    "public": f'<!DOCTYPE net PUBLIC "-//X//Y" "net.dtd">{ROOT}',
    "file": '<!DOCTYPE net [<!ENTITY a SYSTEM "file:///etc/hostname">]><net version="11" name="n">&a;</net>',
    "parameter entity": f'<!DOCTYPE net [<!ENTITY % a SYSTEM "file:///etc/hostname"> %a;]>{ROOT}',
    "default attribute": f'<!DOCTYPE net [<!ATTLIST net version CDATA "11">]>{ROOT}',
    "not finished": "<!DOCTYPE net [<!ENTITY a 'b'>",
}


@pytest.mark.parametrize("text", DOCTYPES.values(), ids=DOCTYPES)
@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>\n', "<!-- <!DOCTYPE x> -->\n"])
def test_a_document_type_is_refused_before_anything_in_it_is_read(text, before):
    finding = only(before + text)
    assert (finding.code, finding.fields) == ("F102", {"found": "net"})
    assert (finding.at.line, finding.at.column) == (1 + before.count("\n"), 1)
    assert finding.help


def test_nothing_after_a_document_type_is_read():
    finding = only(f"<!DOCTYPE net>{' ' * 10 * events.PIECE}{ROOT}")
    assert len(finding.at.source.data) == events.PIECE


def test_a_document_type_in_utf_16():
    finding = only(f'<?xml version="1.0" encoding="utf-16"?>\n{laughs(9)}'.encode("utf-16"))
    assert (finding.code, finding.at.line) == ("F102", 2)


@pytest.mark.parametrize(
    ("xml", "column"),
    [
        (b"", 1),
        (b"\0" * 100, 1),
        (bytes(range(256)), 1),
        (FLOATS[4:], 1),
        (b"PK\3\4", 1),
        (b'{"a": 1}', 1),
        (b"\x08\x07\x12\x04onnx", 1),
        (b"net", 1),
        (b"  \n net", 1),
        (b"\xef\xbb\xbf\xef\xbb\xbf<net/>", 1),
        ("кириллица".encode("cp1251"), 1),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_not_xml_is_said_not_to_be(xml, column):
    finding = only(xml)
    assert (finding.code, finding.at.line, finding.at.column) == ("F105", 1, column)
    assert "XML" in finding.says or "empty" in finding.says
    assert ".xml" in finding.help


@pytest.mark.parametrize("root", ["html", "svg", "net2", "n", "Model", "layers", "x:net"])
def test_xml_of_another_kind_is_named(root):
    finding = only(f"<{root}><body/></{root}>")
    assert (finding.code, finding.fields) == ("F105", {"found": root, "wanted": "net"})


FAULTS = {
    "ends in a tag": ('<net version="11"', 1, "unclosed token"),
    "ends in a value": ('<net version="11', 1, "unclosed token"),
    "ends in a comment": (ROOT + "<!-- ", 1 + len(ROOT), "unclosed token"),
    "ends in the root": ('<net version="11"><layers/>', 28, "no element found"),
    "only a declaration": ('<?xml version="1.0"?>', 22, "no element found"),
    "only a comment": ("<!-- x -->", 11, "no element found"),
    "text after the root": (ROOT + "x", 1 + len(ROOT), "junk after document element"),
    "a second root": (ROOT + ROOT, 1 + len(ROOT), "junk after document element"),
    "an end too many": (ROOT + "</net>", 1 + len(ROOT) + 1, "not well-formed (invalid token)"),
    "ends crossed": ('<net version="11"><a><b></a></b></net>', 27, "mismatched tag"),
    "an attribute twice": ('<net version="11" version="10"/>', 19, "duplicate attribute"),
    "an entity": ('<net version="11">&nbsp;</net>', 19, "undefined entity"),
    "an entity in a value": ('<net version="11" name="&nbsp;"/>', 1, "undefined entity"),
    "a control character by number": ('<net version="11">&#01;</net>', 19, "reference to invalid character number"),
    "a NUL by number": ('<net version="11">&#0;</net>', 19, "reference to invalid character number"),
    "a surrogate by number": ('<net version="11">&#xD800;</net>', 19, "reference to invalid character number"),
    "a character past the last": ('<net version="11">&#x110000;</net>', 19, "reference to invalid character number"),
    "a NUL": ('<net version="11">\0</net>', 19, "not well-formed (invalid token)"),
    "a control character": ('<net version="11" name="\1"/>', 25, "not well-formed (invalid token)"),
    "a tag that starts with a digit": ('<net version="11"><1st/></net>', 20, "not well-formed (invalid token)"),
    "no quotes": ("<net version=11/>", 14, "not well-formed (invalid token)"),
    "no blank between attributes": ("""<net version="11"name="a"/>""", 18, "not well-formed (invalid token)"),
}


@pytest.mark.parametrize(("xml", "column", "reason"), FAULTS.values(), ids=FAULTS)
def test_broken_xml_is_refused_with_its_place_and_reason(xml, column, reason):
    finding = only(xml)
    assert (finding.code, finding.fields) == ("F101", {"reason": reason})
    assert (finding.at.line, finding.at.column) == (1, column)
    assert reason in finding.says


def test_prefixes_are_parts_of_names():
    assert read_model(b'<net version="11"><a:b c:d="e"/><x:y:z/></net>').layers == ()


@pytest.mark.parametrize(
    "reason",
    [
        "duplicate attribute",
        "undefined entity",
        "reference to invalid character number",
        "junk after document element",
        "unclosed token",
        "no element found",
    ],
)
def test_what_openvino_would_read_or_write_has_a_remedy(reason):
    [xml] = [xml for name, (xml, _, said) in FAULTS.items() if said == reason][:1]
    assert only(xml).help


ENCODINGS = [
    "x-none",
    "utf8",
    "utf-7",
    "utf-32",
    "shift_jis",
    "cp1252",
    "cp037",
    "idna",
    "punycode",
    "rot13",
    "hex",
    "undefined",
    "unicode_escape",
    "utf-8-sig",
    "mbcs",
    "x" * 1000,
]


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda name: name[:20])
def test_an_encoding_that_is_not_known_is_named(encoding):
    finding = only(f'<?xml version="1.0" encoding="{encoding}"?>\n{ROOT}')
    assert (finding.code, finding.fields["found"]) == ("F101", encoding)
    assert finding.fields["reason"] == "unknown encoding"
    assert (finding.at.line, finding.at.column) == (1, 1)
    assert len(finding.says) < 200


@pytest.mark.parametrize("encoding", ["utf-8", "UTF-8", "Utf-8", "us-ascii", "US-ASCII", "iso-8859-1", "latin1"])
def test_an_encoding_that_is_known_is_read(encoding):
    assert read_model(f'<?xml version="1.0" encoding="{encoding}"?>{ROOT}'.encode()).version == 11


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_told_from_its_first_character(codec):
    model = read_model('<?xml version="1.0" encoding="utf-16"?><net name="é😀" version="11"/>'.encode(codec))
    assert model.name == "é😀"


def test_a_file_that_is_cut_short_is_refused():
    text = sum_of()
    with pytest.raises(InvalidModel) as caught:
        read_model(text[: len(text) // 2].encode())
    [finding] = caught.value.fields["findings"]
    assert finding.code == "F101"
    assert "complete" in caught.value.help


def test_names_keep_what_xml_may_hold():
    model = read_model(
        '<net version="11"><layers><layer id="0" name="a&lt;&amp;&#65;&quot;&#9;&#10;é" type="X" '
        'version="v"/></layers></net>'.encode()
    )
    assert model.layers[0].name == 'a<&A"\t\né'
