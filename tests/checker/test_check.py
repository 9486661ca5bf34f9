"""``addison.check`` on files and models."""

import pytest

from addison import Diagnostic, InvalidInput, Severity, check, read_model
from tests.ir.build import bent, parameter, sum_of


def test_a_sound_file_has_no_findings():
    assert check(sum_of().encode()) == []


def test_findings_of_reading_and_of_inference_come_together_in_order():
    text = bent("numpy", "nunpy", sum_of(b=parameter(1, "b", "2,3", "fp32"), a=parameter(0, "a", "2,,3")))
    found = check(text.encode())
    assert [one.code for one in found] == ["F112", "F111", "A101"]
    assert all(isinstance(one, Diagnostic) for one in found)


def test_a_model_that_was_read_can_be_checked():
    text = sum_of(a=parameter(0, "a", "2,3"), b=parameter(1, "b", "4"))
    assert [one.code for one in check(read_model(text.encode()))] == ["A302"]


@pytest.mark.parametrize(
    "nonsense",
    [
        b"",
        b"\0" * 100,
        b"<net",
        b"<net/>",
        b"hello",
        b"<!DOCTYPE net><net/>",
        b"\xff\xfe<\0n\0",
        b"<net version='11'><layers><layer/></layers></net>",
    ],
)
def test_a_bad_file_never_raises(nonsense):
    found = check(nonsense)
    assert max(one.severity for one in found) is Severity.ERROR


def test_a_file_that_cannot_be_opened_is_the_callers_mistake(tmp_path):
    with pytest.raises(InvalidInput) as caught:
        check(tmp_path / "none.xml")
    assert caught.value.fields["path"] == str(tmp_path / "none.xml")
    with pytest.raises(InvalidInput):
        check(tmp_path)


def test_every_fault_has_a_place_or_says_why_not(tmp_path):
    path = tmp_path / "net.xml"
    path.write_text(sum_of(a=parameter(0, "a", "2,3"), b=parameter(1, "b", "4")))
    (one,) = check(path)
    assert one.at.path == str(path)
    assert (one.at.line, one.at.column) == (1, path.read_text().index('"4"') + 2)
