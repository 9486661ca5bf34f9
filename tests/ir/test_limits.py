"""The written limits of the reader: one below passes, one above is refused with its number in words and in fields."""

import pytest

from addison.diagnostics import Severity
from addison.errors import InvalidModel
from addison.ir import events, metadata, report
from addison.ir.reader import examine, read_model
from tests.ir.build import add, net, parameter, port, result, sum_of

EMPTY = '<net version="11"><layers/><edges/></net>'


def refused(xml, limit, found, line=1):
    """The one finding, once it says which limit was passed, by how much, and where."""
    _, [finding] = examine(xml if isinstance(xml, bytes) else xml.encode())
    assert (finding.code, finding.severity, finding.at.line) == ("F103", Severity.ERROR, line)
    assert finding.fields == {"limit": limit, "found": found}
    assert str(limit) in finding.says
    return finding


def attributes(count):
    return " ".join(f'a{i}=""' for i in range(count))


def nested(depth):
    """A file of that many elements inside each other, the root among them."""
    return '<net version="11">' + "<x>" * (depth - 1) + "</x>" * (depth - 1) + "</net>"


def test_bytes_of_a_file(monkeypatch):
    size = len(EMPTY)
    monkeypatch.setattr(events, "LARGEST_FILE", size)
    assert read_model(EMPTY.encode()).layers == ()
    assert refused(EMPTY + " ", size, size + 1).at.start == 0


def test_the_rest_of_a_file_that_is_too_large_is_not_read(monkeypatch):
    monkeypatch.setattr(events, "LARGEST_FILE", 100)
    monkeypatch.setattr(events, "PIECE", 64)
    refused(EMPTY + " " * 10_000, 100, 128)


def test_attributes_of_a_tag():
    assert events.MOST_ATTRIBUTES == 256
    model = read_model(f'<net version="11" {attributes(255)}><layers/></net>'.encode())
    assert model.layers == ()
    found = refused(f'<net version="11" {attributes(256)}><layers/></net>', 256, 257)
    assert found.at.column == 1


def test_attributes_of_a_tag_that_is_not_looked_at():
    refused(f'<net version="11">\n<layers><b><c {attributes(257)}/></b></layers></net>', 256, 257, line=2)


def test_depth():
    assert events.DEEPEST == 256
    assert read_model(nested(256).encode()).layers == ()
    found = refused(nested(257), 256, 257)
    assert found.at.start == len('<net version="11">') + 255 * len("<x>")


def test_elements(monkeypatch):
    monkeypatch.setattr(events, "MOST_ELEMENTS", 20)
    ok = '<net version="11">' + "<x/>" * 19 + "</net>"
    assert read_model(ok.encode()).layers == ()
    refused(ok.replace("<x/>", "<x/><x/>", 1), 20, 21)


def test_elements_are_counted_after_each_piece(monkeypatch):
    monkeypatch.setattr(events, "MOST_ELEMENTS", 20)
    monkeypatch.setattr(events, "PIECE", 40)
    _, [finding] = examine(b'<net version="11">' + b"<x/>" * 100_000 + b"</net>")
    assert (finding.code, finding.fields["limit"]) == ("F103", 20)
    assert 20 < finding.fields["found"] <= 30
    assert len(finding.at.source.data) < 200


@pytest.mark.parametrize(
    "what",
    ['<net name="{}" version="11"/>', "<net version='11'><!--{}--></net>", '<net version="11"><?{}?></net>', "<{}"],
)
def test_bytes_of_a_tag_or_comment(what):
    """To the byte: the last piece before the limit is no longer than what is left of it."""
    mib = 1 << 20
    most = mib - len(what) if "version" in what else 0
    if most:
        assert read_model(what.format("x" * most).encode()).layers == ()
    _, [finding] = examine(what.format("x" * (2 * mib)).encode())
    assert (finding.code, finding.fields["limit"]) == ("F103", mib)
    assert mib < finding.fields["found"] <= mib + 3 * events.PIECE
    assert str(mib) in finding.says
    assert finding.at.start == what.find("<", 1 if "'11'><" in what or '"11"><' in what else 0)


def test_the_limit_on_a_tag_with_an_attribute_is_exact():
    text = '<net version="11"><a b="{}"/></net>'
    for extra, passes in ((-100, True), (1, False), (2 * events.PIECE, False)):
        _, findings = examine(text.format("x" * (events.LARGEST_TAG + extra)).encode())
        assert (findings == ()) is passes


def test_findings():
    bad = "<layer/>" * 4_000  # four attributes missing in each
    start = '<net version="11"><layers>'
    _, findings = examine(f"{start}{bad}</layers></net>".encode())
    assert len(findings) == report.MOST_FINDINGS + 1 == 10_001
    [last] = [one for one in findings if one.code == "F199"]
    assert (last.severity, last.fields) == (Severity.ERROR, {"limit": 10_000})
    assert "10000" in last.says
    assert last.at.start == len(start) + 2_499 * len("<layer/>")  # where the last one stands that is listed
    with pytest.raises(InvalidModel) as caught:
        read_model(f"{start}{bad}</layers></net>".encode())
    assert len(caught.value.fields["findings"]) == 10_001
    assert "F107" in str(caught.value)


def test_warnings_that_are_cut_off_are_an_error():
    """What is not listed may be worse than what is."""
    port_with = port(2, ["3x"] * 1000)
    text = net([parameter(), parameter(1, "b"), add(outputs=[port_with] * 11), result()])
    _, findings = examine(text.encode())
    assert {one.severity for one in findings} == {Severity.ERROR, Severity.WARNING}
    assert sum(one.code == "F199" for one in findings) == 1


def test_dimensions_of_a_port():
    model, findings = examine(sum_of(add_layer=add(outputs=[port(2, [1] * 1024)])).encode())
    assert findings == ()
    assert len(model.layers[2].outputs[0].shape) == 1024
    model, [finding] = examine(sum_of(add_layer=add(outputs=[port(2, [1] * 1025)])).encode())
    assert (finding.code, finding.fields) == ("F103", {"limit": 1024, "found": 1025})
    assert "1024" in finding.says
    assert model.layers[2].outputs[0].dims == ()


def test_dimensions_of_a_parameter():
    many = ",".join("1" * 1024)
    assert len(read_model(net([parameter(shape=many)]).encode()).inputs[0].operation.shape) == 1024
    _, [finding] = examine(net([parameter(shape=many + ",1")]).encode())
    assert finding.code == "F112"
    assert "1025" in finding.says
    assert "1024" in finding.says


def test_metadata():
    entries = "".join(f'<k{i} value="{i}"/>' for i in range(metadata.MOST_METADATA + 5))
    model = read_model(f'<net version="11"><rt_info>{entries}</rt_info></net>'.encode())
    assert len(model.rt_info) == metadata.MOST_METADATA == 10_000
    assert model.rt_info["k9999"] == "9999"
    assert "k10000" not in model.rt_info


def test_paths_of_metadata():
    """Long tags inside each other would make paths that are longer than the file."""
    long = "k" * 400
    text = f'<{long} value="1"><{long} value="2"><{long} value="3"><x value="4"/></{long}></{long}></{long}>'
    model = read_model(f'<net version="11"><rt_info>{text}<after value="5"/></rt_info></net>'.encode())
    assert model.rt_info == {long: "1", f"{long}/{long}": "2", "after": "5"}


def test_limits_are_far_above_real_files():
    """A network of 3,700 layers is 1.5 MB of XML: 35,000 elements, six deep, nine attributes at most."""
    assert events.LARGEST_FILE >= 100 * 1_500_000
    assert events.MOST_ELEMENTS >= 100 * 35_000
    assert events.DEEPEST >= 10 * 6
    assert events.MOST_ATTRIBUTES >= 10 * 9
