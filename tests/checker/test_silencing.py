"""Findings that a comment in a layer silences, those that it does not, and comments that silence nothing."""

import pytest

from addison import check, read_model
from tests.ir.build import add, const, data, layer, net, parameter, port, result, sum_of

TEXT = "<!-- addison: ignore {} -->"


def quiet(layer_text, codes):
    """The layer with a comment in it, right behind its tag."""
    tag, _, rest = layer_text.partition(">")
    return f"{tag}>{TEXT.format(codes)}{rest}"


def codes(text, weights=None, **how):
    return [one.code for one in check(text.encode(), weights, **how)]


CLASH = {"a": parameter(shape="2,3"), "b": parameter(1, "b", "4"), "add_layer": add()}


class TestWhatIsSilenced:
    @pytest.mark.parametrize("which", ["a", "b", "add_layer"])
    def test_a_finding_that_stands_in_the_layer_or_points_at_it(self, which):
        """A302 stands at b's shape, and points at a's and at the Add."""
        assert codes(sum_of(**CLASH)) == ["A302"]
        assert codes(sum_of(**CLASH | {which: quiet(CLASH[which], "A302")})) == []

    def test_not_in_a_layer_it_does_not_concern(self):
        text = sum_of(**CLASH, r=quiet(result(), "A302"))
        assert codes(text) == ["A302", "F116"]

    def test_a_finding_that_names_the_layer_from_elsewhere(self):
        text = sum_of(wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 5, 3, 0)], add_layer=quiet(add(), "G103"))
        assert codes(text) == []
        assert codes(sum_of(wires=[(0, 0, 2, 0), (1, 0, 2, 1), (2, 5, 3, 0)])) == ["G103"]

    def test_a_name_that_two_layers_have_says_nothing(self):
        twins = [quiet(layer(8, "add", "Abs", inputs=[port(0)], outputs=[port(1)]), "G103"), result(9, "s")]
        wires = [(0, 0, 2, 0), (1, 0, 2, 1), (2, 5, 3, 0), (0, 0, 8, 0), (8, 1, 9, 0)]
        assert codes(sum_of(more=twins, wires=wires)) == ["F116", "G103"]

    def test_other_codes_stay(self):
        rule = add(inside=data(auto_broadcast="pdpd"))
        text = sum_of(**CLASH | {"add_layer": quiet(rule, "A302")})
        assert codes(text) == ["A105"]
        text = sum_of(**CLASH | {"add_layer": quiet(rule, "A302, A105")})
        assert codes(text) == []

    def test_errors_of_reading_too(self):
        text = sum_of(b=quiet(parameter(1, "b", "2,,3"), "F112"))
        assert codes(text) == []

    def test_what_the_rules_find(self):
        text = sum_of(a=parameter(shape="2"), b=quiet(const(shape="2", size=8), "W106"))
        assert codes(text, bytes.fromhex("0000807f 0000807f")) == []
        assert codes(text, bytes(8)) == ["F116"]

    def test_in_a_body_and_around_it(self):
        inner = sum_of(**CLASH)
        body = inner[inner.index("<layers>") :].replace("</net>", "")

        def around(body, tail=""):
            loop = layer(1, "loop", "Loop", inputs=[port(0)], outputs=[port(1)], tail=f"<body>{body}</body>{tail}")
            return net([parameter(), loop, result()], [(0, 0, 1, 0), (1, 1, 3, 0)])

        assert codes(around(body)) == ["A302"]
        assert codes(around(body.replace(CLASH["add_layer"], quiet(CLASH["add_layer"], "A302")))) == []
        assert codes(around(body, TEXT.format("A302"))) == []

    def test_of_a_model_that_was_read(self):
        text = sum_of(**CLASH | {"b": quiet(CLASH["b"], "A302")})
        assert check(read_model(text.encode())) == []

    def test_in_utf_16(self):
        text = sum_of(**CLASH | {"b": quiet(CLASH["b"], "A302")})
        assert check(b"\xff\xfe" + text.encode("utf-16-le")) == []

    def test_the_rest_of_the_file_is_checked_as_before(self):
        text = sum_of(**CLASH | {"b": quiet(CLASH["b"], "A302")}, more=[layer(4, "dead", "X", outputs=[port(0)])])
        assert codes(text) == ["G112"]


class TestUnused:
    def one(self, text, **how):
        (found,) = check(text.encode(), **how)
        assert (found.code, str(found.severity)) == ("F116", "warning")
        return found, text[found.at.start : found.at.stop]

    def test_a_code_that_is_not_found_here(self):
        found, marked = self.one(sum_of(add_layer=quiet(add(), "A105")))
        assert (found.fields, marked) == ({"code": "A105", "reason": "unused"}, "A105")

    def test_one_of_several(self):
        text = sum_of(**CLASH | {"b": quiet(CLASH["b"], "A301, A302")})
        found, marked = self.one(text)
        assert (found.fields["code"], marked) == ("A301", "A301")

    @pytest.mark.parametrize(
        ("code", "help"),
        [
            ("A3O2", "did you mean A302?"),
            ("a105", "did you mean A105?"),
            ("A3", "did you mean A302?"),
            ("numpy", "a code is as A302"),
        ],
    )
    def test_a_code_that_is_none(self, code, help):
        found, marked = self.one(sum_of(add_layer=quiet(add(), code)))
        assert (found.fields, marked) == ({"code": code, "reason": "unknown"}, code)
        assert found.help == help or code == "A3"

    @pytest.mark.parametrize(
        "comment", ["<!-- addison: ignroe A302 -->", "<!--addison:-->", "<!-- addison: ignore -->"]
    )
    def test_what_is_no_silence(self, comment):
        found, marked = self.one(sum_of(add_layer=add(tail=comment)))
        assert (found.fields, marked) == ({"code": None, "reason": "unreadable"}, comment)

    def test_outside_of_every_layer(self):
        text = sum_of(**CLASH).replace("<edges>", TEXT.format("A302") + "<edges>")
        found = check(text.encode())
        assert [one.code for one in found] == ["A302", "F116"]
        assert found[1].fields == {"code": None, "reason": "outside"}

    def test_codes_of_a_runtime_only_when_it_is_asked_about(self):
        text = sum_of(add_layer=quiet(add(), "H101"))
        assert codes(text) == []
        assert codes(text, runtime="openvino-cpu") == ["F116"]
        wrapping = {"a": parameter(0, "a", "2", "u8"), "b": parameter(1, "b", "2", "u8")}
        text = sum_of(**wrapping, add_layer=quiet(add(outputs=[port(2, (), "U8")]), "H101"))
        assert codes(text, runtime="openvino-cpu") == []

    def test_it_does_not_matter_which_codes_are_listed(self):
        text = sum_of(**CLASH | {"b": quiet(CLASH["b"], "A302")})
        assert codes(text, select=["F"]) == []
        assert codes(text, ignore=["A"]) == []
        assert codes(sum_of(b=quiet(parameter(1, "b"), "A302")), ignore=["F116"]) == []

    def test_it_can_be_silenced_itself(self):
        assert codes(sum_of(add_layer=quiet(add(), "A105 F116"))) == []
        assert codes(sum_of(add_layer=quiet(add(), "F116"))) == []

    def test_not_when_there_were_too_many_findings_to_look_at(self):
        dead = [layer(10 + i, "d", "X", outputs=[port(0)]) for i in range(10_050)]
        found = codes(sum_of(add_layer=quiet(add(), "A105"), more=dead))
        assert set(found) == {"G112", "F199"}


def test_thousands_of_comments_and_findings_do_not_multiply():
    """Ten thousand comments in one layer, ten thousand findings in others: each finding looks at the comments of its
    own layer only."""
    dead = [quiet(layer(10 + i, f"d{i}", "X", outputs=[port(0)]), "G112") for i in range(9_000)]
    assert codes(sum_of(more=dead)) == []
