"""Lines, columns and bytes of findings: in every encoding, with every line end, wherever a piece of the file ends."""

import codecs

import pytest

from addison.diagnostics import Source
from addison.ir import events, places
from addison.ir.reader import examine
from tests.ir.marks import unmarked

# A file whose one fault is marked. What stands before it has characters of one to four bytes.
FILE = """<?xml version="1.0"{declared}?>
<!-- {before} -->
<net name="{before}" version="11">
  <layers>
    <layer id="0" name="{before}" type="Parameter" version="opset1">
      <data element_type="f32"
            {before_attribute}shape="«2,,3»"/>
      <output><port id="0" precision="FP32"><dim>2</dim></port></output>
    </layer>
  </layers>
</net>
"""
WIDE = "größe 和 😀"
ENCODINGS = {
    "utf-8": ("", "utf-8", b"", WIDE),
    "utf-8 with a mark": ("", "utf-8", codecs.BOM_UTF8, WIDE),
    "utf-8 declared": (' encoding="utf-8"', "utf-8", b"", WIDE),
    "UTF-8 declared, with a mark": (' encoding="UTF-8"', "utf-8", codecs.BOM_UTF8, WIDE),
    "utf-16 little": (' encoding="utf-16"', "utf-16-le", codecs.BOM_UTF16_LE, WIDE),
    "utf-16 big": (' encoding="UTF-16"', "utf-16-be", codecs.BOM_UTF16_BE, WIDE),
    "utf-16 little, undeclared": ("", "utf-16-le", codecs.BOM_UTF16_LE, WIDE),
    "utf-16 little, no mark": (' encoding="utf-16"', "utf-16-le", b"", WIDE),
    "utf-16 big, no mark": (' encoding="utf-16"', "utf-16-be", b"", WIDE),
    "latin-1": (' encoding="ISO-8859-1"', "latin-1", b"", "größe ×"),
    "latin1": (' encoding="latin1"', "latin-1", b"", "größe ×"),
    "ascii": (' encoding="us-ascii"', "ascii", b"", "size"),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(("declared", "codec", "mark", "before"), ENCODINGS.values(), ids=ENCODINGS)
def test_the_place_is_in_characters_and_the_span_in_bytes(declared, codec, mark, before, newline):
    text, place = unmarked(
        FILE.format(declared=declared, before=before, before_attribute=f"x='{before}' ").replace("\n", newline)
    )
    if codec.startswith("utf-16"):  # attributes are not looked for in UTF-16: the tag stands for them
        start = text.rindex("<data", 0, place.start)
        _, place = unmarked(f"{text[:start]}«<»{text[start + 1 :]}")
    data = mark + text.encode(codec)
    _, [finding] = examine(data)
    assert finding.code == "F112"
    assert (finding.at.line, finding.at.column) == (place.line, place.column)
    assert finding.at.start == len(mark) + len(text[: place.start].encode(codec))
    if not codec.startswith("utf-16"):
        assert data[finding.at.start : finding.at.stop] == text[place.start : place.stop].encode(codec)
        assert finding.at.end == (place.line, place.column + place.stop - place.start)


BEFORE = [
    "",
    "element_type='f32'",
    "xshape='9'",
    "shape.x='9'",
    "größe='9'",
    """x=' shape="9"'""",
    """x=" shape='9'\"""",
    "x='>'",
    "x='/>'",
    "x='&lt;!-- shape='",
    "\n",
    "\t\t",
    "\r\n  ",
    "x=''",
    "x = ''",
    "x\n=\n''",
]
WRITTEN = [
    "shape='«x»'",
    'shape="«x»"',
    "shape  =  '«x»'",
    'shape\n=\n"«x»"',
    "shape='«x\ny»'",
    """shape='«"»'""",
    """shape="«'»\"""",
    "shape='«x>y»'",
    "shape='«&lt;&#65;»'",
]


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("written", WRITTEN)
def test_one_attribute_among_others_is_found(before, written):
    text, place = unmarked(f"""<net version="11"><layers><layer id="0" name="a" type="Parameter" version="opset1"><data
        {before} {written} z="shape" /><output><port id="0" precision="FP32"/></output></layer></layers></net>""")
    _, [finding] = examine(text.encode())
    assert finding.code == "F112"
    assert (finding.at.line, finding.at.column) == (place.line, place.column)
    assert finding.at.start == len(text[: place.start].encode())
    assert finding.at.stop == len(text[: place.stop].encode())


@pytest.mark.parametrize(
    "tag",
    [
        "<port id='x'>",
        "<port id='x' names='a>b'>",
        "<port\n id='x'\n\tnames=\"'>'\" >",
        "<port id='x' names='größe 😀'>",
    ],
)
def test_a_whole_tag_ends_at_its_own_end(tag):
    text = f"""<net version="11"><layers><layer id="0" name="a" type="Zzz" version="opset1"><input>
        {tag}<dim>zz</dim></port></input></layer></layers></net>"""
    _, findings = examine(text.encode())
    assert [one.code for one in findings] == ["F109", "F108"]  # the dim is reported at its port, the id in it
    assert text.encode()[findings[0].at.start : findings[0].at.stop].decode() == tag
    assert text.encode()[findings[1].at.start : findings[1].at.stop].decode() == "x"


def _padded(length, text):
    """The text with a comment in front of its last line, so that the mark stands at that byte."""
    plain, place = unmarked(text)
    first, rest = plain.split("\n", 1)
    short = len(plain[: place.start].encode()) + len("<!---->")
    return f"{first}<!--{'x' * (length - short)}-->\n{rest}"


@pytest.mark.parametrize("piece", [4, 5, 6, 7, 61])
def test_the_size_of_the_pieces_does_not_show(piece, monkeypatch):
    monkeypatch.setattr(events, "PIECE", piece)
    for declared, codec, mark, before in ENCODINGS.values():
        text, place = unmarked(FILE.format(declared=declared, before=before, before_attribute=""))
        _, [finding] = examine(mark + text.encode(codec))
        if not codec.startswith("utf-16"):
            assert (finding.at.line, finding.at.column) == (place.line, place.column)


def test_a_tag_across_the_end_of_a_piece_at_every_offset():
    fault = """<net version="11">
<layers><layer id="0" name="größe 😀" type="Parameter" version="opset1"><data
 shape="«2,,3»" element_type="f32"/></layer></layers></net>"""
    for offset in range(events.PIECE - 30, events.PIECE + 110):
        text = _padded(offset, fault)
        data = text.encode()
        _, [finding] = examine(data)
        assert (finding.code, finding.at.start) == ("F112", offset)
        assert data[finding.at.start : finding.at.stop] == b"2,,3"
        assert (finding.at.line, finding.at.column) == (3, 9)


def test_text_across_the_end_of_a_piece_is_one_text():
    for offset in range(events.PIECE - 12, events.PIECE + 2):
        text = _padded(
            offset,
            """<net version="11"><layers>
<layer id="0" name="a" type="Zzz" version="opset1"><output><port id="0" precision="FP32"><dim>«1234567890»</dim></port>
</output></layer></layers></net>""",
        )
        model, findings = examine(text.encode())
        assert findings == ()
        assert model.layers[0].outputs[0].dims == (1234567890,)


@pytest.mark.parametrize(
    "written",
    [
        "12<!-- a comment -->34",
        "<!---->1234",
        "1234<!-- > -->",
        "12<?x y?>34",
        "<![CDATA[1234]]>",
        "12<![CDATA[34]]>",
        "&#49;2&#x33;4",
        " 1234\n",
    ],
)
def test_a_dim_is_all_of_its_text(written):
    model, findings = examine(
        f"""<net version="11"><layers><layer id="0" name="a" type="Zzz" version="opset1"><output>
        <port id="0" precision="FP32"><dim>5</dim><dim>{written}</dim> <dim>6</dim></port></output></layer></layers>
        </net>""".encode()
    )
    assert findings == ()
    assert model.layers[0].outputs[0].dims == (5, 1234, 6)


def test_the_second_fault_of_a_line_has_its_own_column():
    text = (
        '<net version="11"><layers><layer id="é" name="é" type="A" version="v"/>'
        '<layer id="😀" name="" type="B" version="v"/></layers></net>'
    )
    _, findings = examine(text.encode())
    assert [one.at.column for one in findings] == [text.index('"é"') + 2, text.index('"😀"') + 2]
    assert [one.at.end for one in findings] == [(1, text.index('"é"') + 3), (1, text.index('"😀"') + 3)]


class TestSource:
    def test_lines_are_counted_from_1_and_come_without_their_ends(self):
        source = Source("x", "é\r\nzwei\n\n".encode())
        assert [source.line(number) for number in range(6)] == ["", "é", "zwei", "", "", ""]

    def test_the_end_of_the_file_is_a_place(self):
        assert Source("x", b"ab\ncd").place(5) == (2, 3)
        assert Source("x", b"ab\n").place(3) == (2, 1)
        assert Source("x", b"").place(0) == (1, 1)

    def test_half_a_newline_of_utf_16_is_none(self):
        """U+0A0A has both bytes of a newline, and U+000A after U+0100 has them shifted."""
        for codec in ("utf-16-le", "utf-16-be"):
            text = "\u0a0a\u0100\u000a\u0a00x"
            source = Source("x", text.encode(codec), codec)
            assert source.place(len(text[:-1].encode(codec))) == (2, 2)
            assert source.line(2) == "\u0a00x"


class TestSpans:
    def test_an_attribute_that_is_not_there_is_the_whole_tag(self):
        source = Source("x", b"<a b='1'/>")
        assert (places.attribute(source, 0, "c").start, places.attribute(source, 0, "c").stop) == (0, 10)
        assert (places.attribute_name(source, 0, "c").start, places.attribute_name(source, 0, "c").stop) == (0, 10)

    def test_the_name_of_an_attribute(self):
        source = Source("x", b"<a xb='1' b = '2'/>")
        found = places.attribute_name(source, 0, "b")
        assert (found.start, found.stop) == (10, 11)

    def test_a_tag_that_does_not_end_is_one_byte(self):
        for text in (b"<a b='", b"<a", b"<", b"<a b='>", b"<a 'b\">"):
            found = places.tag(Source("x", text), 0)
            assert (found.start, found.stop) == (0, 1)
