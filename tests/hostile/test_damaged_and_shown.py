"""A small file cut at every byte and with every bit turned: what check finds can be shown in every form."""

import json

import pytest

from addison import check, read_model
from addison.errors import InvalidModel
from addison.ir.reader import examine
from addison.report import github, sarif, show_html, show_json, show_text, svg, text
from addison.report import json as documents
from addison.report.picture import Album
from tests.hostile.worker import STEERS
from tests.ir.build import FLOATS

SMALL = b"""<?xml version="1.0"?>
<net name="m" version="11"><layers>
<layer id="0" name="a" type="Parameter" version="opset1"><data shape="2,?" element_type="f16"/>
<output><port id="0" precision="FP16"><dim>2</dim></port></output></layer>
<layer id="1" name="c" type="Const" version="opset1"><data shape="3" element_type="f16" offset="0" size="6"/>
<output><port id="0" precision="FP16"/></output></layer>
<layer id="2" name="s" type="Add" version="opset1"><data auto_broadcast="pdpd"/>
<input><port id="0"/><port id="1"/></input>
<output><port id="2" precision="FP16"/></output></layer></layers><edges>
<edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>
</edges></net>"""


def shown(data, found, fully):
    """Everything that is made of a file; the drawings only now and then, they take long."""
    made = [text.findings(found), documents.dumps(documents.check([("x.xml", found)]))]
    json.loads(made[1])
    if fully:
        made += [github.github([("x.xml", found)]), documents.dumps(sarif.sarif([("x.xml", found)]))]
        model, _ = examine(data, FLOATS)
        if model is not None:
            album = Album(model, found, "x.xml")
            picture = album.picture(0)
            made += [show_text.text(album, picture), documents.dumps(show_json.document(album, [picture]))]
            made += [svg.svg(picture, found), show_html.html(album, picture)]
    assert STEERS.findall("".join(made)) == []


def tried(data, fully):
    found = check(data, FLOATS)
    shown(data, found, fully)
    return found


def test_cut_at_every_byte():
    for length in range(len(SMALL)):
        found = tried(SMALL[:length], length % 20 == 0)
        assert [one.code for one in found if one.code in ("F101", "F105")], length
        if length % 50 == 0:
            with pytest.raises(InvalidModel) as refused:
                read_model(SMALL[:length], FLOATS)
            assert list(map(str, refused.value.fields["findings"])) == list(map(str, found))


def test_every_bit_turned():
    for number in range(8 * len(SMALL)):
        turned = bytearray(SMALL)
        turned[number // 8] ^= 1 << number % 8
        tried(bytes(turned), number % 61 == 0)


def test_every_byte_made_a_control_character():
    for at in range(len(SMALL)):
        for put in (b"\0", b"\x1b", b"\xc2\x9b", b"\xe2\x80\xae", b"\xff"):
            tried(SMALL[:at] + put + SMALL[at + 1 :], at % 50 == 0)
