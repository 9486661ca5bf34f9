"""Safe fixes: the finding is gone, and every byte that is not part of the fault is as it was."""

import codecs
import stat

import pytest

from addison import InvalidInput, check
from addison.checker.batch import Asked, Job
from addison.checker.fix import fix
from tests.ir.build import AXIS, add, const, data, layer, net, parameter, port, result, sum_of


def fixed(text, weights=None, codes=("A103", "A301")):
    """The fixed file, held against its findings before and after."""
    before = text if isinstance(text, bytes) else text.encode()
    found = check(before, weights)
    made = fix(before, lambda data: check(data, weights), lambda code: code in codes)
    assert made.before == before
    assert len(made.fixed) + len(made.refused) >= len([one for one in found if one.code in codes])
    if made.edits:
        left = [one.code for one in check(made.after, weights)]
        assert left == [one.code for one in made.left]
        assert not [one for one in left if one in codes] or made.refused
    return made


def port_of(*lines):
    """The Add's output port, written in just this way; the sum is [2,3]."""
    return sum_of(add_layer=add(outputs=["".join(lines)]))


class TestDimensions:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("<dim>2</dim><dim>4</dim>", "<dim>2</dim><dim>3</dim>"),
            ("<dim>5</dim><dim>4</dim>", "<dim>2</dim><dim>3</dim>"),
            ("<dim>2</dim>", "<dim>2</dim><dim>3</dim>"),
            ("\n\t\t<dim>2</dim>\n\t", "\n\t\t<dim>2</dim>\n\t\t<dim>3</dim>\n\t"),
            ("\r\n  <dim>2</dim>\r\n", "\r\n  <dim>2</dim>\r\n  <dim>3</dim>\r\n"),
            ("\n  <dim>2</dim>\n  <dim>3</dim>\n  <dim>1</dim>\n", "\n  <dim>2</dim>\n  <dim>3</dim>\n"),
            ("<dim>7</dim><dim>3</dim><dim>1</dim><dim>1</dim>", "<dim>2</dim><dim>3</dim>"),
            ("<dim> 2 </dim><dim>\n4\t</dim>", "<dim> 2 </dim><dim>\n3\t</dim>"),
            ("<dim>02</dim><dim>4</dim>", "<dim>02</dim><dim>3</dim>"),
            (
                "<dim x='>'>2</dim><dim y=\"</dim>\">4</dim >".replace('</dim>"', '&lt;/dim>"'),
                "<dim x='>'>2</dim><dim y=\"&lt;/dim>\">3</dim >",
            ),
            (
                "<!-- <dim>9</dim> --><dim>2</dim><!-- four --><dim>4</dim><!-- > -->",
                "<!-- <dim>9</dim> --><dim>2</dim><!-- four --><dim>3</dim><!-- > -->",
            ),
            (
                "<dim>2</dim>\n<!-- one more -->\n<dim>3</dim>\n<dim>1</dim>",
                "<dim>2</dim>\n<!-- one more -->\n<dim>3</dim>",
            ),
            (
                "<rt_info><a><dim>9</dim></a><dim>8</dim></rt_info><dim>2</dim><dim>4</dim>",
                "<rt_info><a><dim>9</dim></a><dim>8</dim></rt_info><dim>2</dim><dim>3</dim>",
            ),
            (
                "<?dim <dim>?><dim>2</dim><![CDATA[<dim>]]><dim>4</dim>",
                "<?dim <dim>?><dim>2</dim><![CDATA[<dim>]]><dim>3</dim>",
            ),
        ],
    )
    def test_only_the_numbers_change(self, old, new):
        before = port_of('<port id="2" precision="FP32">', old, "</port>")
        made = fixed(before)
        assert made.after.decode() == before.replace(old, new)
        assert [one.code for one in made.fixed] == ["A301"]
        assert made.left == []

    @pytest.mark.parametrize(
        ("shape", "dims", "wanted"),
        [
            ("?,3", [2, 4], [-1, 3]),
            ("1..8,3", [9, 3], [-1, 3]),
            ("?,?", [1], [-1, -1]),
            ("", [1], []),
            ("0,3", [1, 3], [0, 3]),
            ("2..2,3", [1, 3], [2, 3]),
        ],
    )
    def test_what_is_not_known_is_minus_1(self, shape, dims, wanted):
        before = sum_of(
            a=parameter(shape=shape, outputs=[port(0)]), b=parameter(1, "b", ""), add_layer=add(outputs=[port(2, dims)])
        )
        assert fixed(before).after.decode() == before.replace(
            port(2, dims), port(2, wanted) if wanted else '<port id="2" precision="FP32"></port>'
        )

    def test_of_every_operation_and_in_bodies(self):
        wide = layer(4, "w", "Convert", inside=data(destination_type="f32"), inputs=[port(0)], outputs=[port(1, [5])])
        inner = sum_of(a=parameter(outputs=[port(0, [2, 9])]), add_layer=add(outputs=[port(2, [8, 3])]))
        body = inner[inner.index("<layers>") :].replace("</net>", "")
        loop = layer(5, "loop", "Loop", inputs=[port(0)], outputs=[port(1)], tail=f"<body>{body}</body>")
        half = const(1, "f16", "2, 3", 0, 12).replace("</port>", "").replace('"FP16"/>', '"FP16"><dim>6</dim></port>')
        text = net(
            [parameter(), half, add(), result(), wide, loop],
            [(0, 0, 5, 0), (1, 0, 4, 0), (5, 1, 2, 0), (4, 1, 2, 1), (2, 2, 3, 0)],
        )
        made = fixed(text, bytes(12))
        assert [one.fields["found"] for one in made.fixed] == ["[6]", "[5]", "[2,9]", "[8,3]"]
        assert made.left == []
        wanted = (
            text.replace("<dim>6</dim>", "<dim>2</dim><dim>3</dim>")
            .replace("<dim>5</dim>", "<dim>2</dim><dim>3</dim>")
            .replace("<dim>9</dim>", "<dim>3</dim>")
            .replace("<dim>8</dim>", "<dim>2</dim>")
        )
        assert made.after.decode() == wanted


class TestNames:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ('<data auto_brodcast="none"/>', '<data auto_broadcast="none"/>'),
            ("<data\n  Auto_Broadcast = 'none'\t/>", "<data\n  auto_broadcast = 'none'\t/>"),
            ('<data x="auto_brodcast" auto_brodcast="none"/>', '<data x="auto_brodcast" auto_broadcast="none"/>'),
            (f'<data auto_broadcast="pdpd" {AXIS.upper()}="0"/>', f'<data auto_broadcast="pdpd" {AXIS}="0"/>'),
            (
                '<data auto_brodcast="none"/><!-- auto_brodcast -->',
                '<data auto_broadcast="none"/><!-- auto_brodcast -->',
            ),
        ],
    )
    def test_only_the_name_changes(self, old, new):
        before = sum_of(add_layer=add(inside=old))
        made = fixed(before)
        assert made.after.decode() == before.replace(old, new)
        assert [one.code for one in made.fixed] == ["A103"]

    def test_shapes_are_inferred_under_the_rule_that_was_meant(self):
        before = sum_of(
            a=parameter(shape="2,3,4,5"),
            b=parameter(1, "b", "3,4"),
            add_layer=add(inside=f'<data auto_brodcast="pdpd" {AXIS}="1"/>', outputs=[port(2, [2, 3, 4, 6])]),
        )
        assert [one.code for one in check(before.encode())] == ["A302", "A103"]
        made = fixed(before)
        assert made.after.decode() == before.replace("brod", "broad").replace("<dim>6</dim>", "<dim>5</dim>")
        assert [one.code for one in made.fixed] == ["A103", "A301"]
        assert made.left == []


class TestWhatIsNotFixed:
    def refused(self, text, *reasons, **how):
        made = fixed(text, **how)
        assert made.after == made.before
        assert made.edits == made.fixed == ()
        assert [one.reason for one in made.refused] == list(reasons)
        assert [str(one.finding) for one in made.refused] == [
            str(one) for one in made.left if one.code in ("A103", "A301")
        ]

    def test_a_name_that_the_tag_has_already(self):
        self.refused(
            sum_of(add_layer=add(inside='<data auto_broadcast="none" auto_brodcast="numpy"/>')),
            "the tag has auto_broadcast already",
        )

    def test_a_name_that_would_bring_an_error(self):
        rule = add(inside='<data auto_brodcast="none"/>')
        self.refused(sum_of(b=parameter(1, "b", "3"), add_layer=rule), "then there would be an error A302 in 'add'")
        self.refused(
            sum_of(add_layer=add(inside='<data auto_brodcast="nome"/>')), "then there would be an error A101 in 'add'"
        )

    def test_the_others_of_a_group_are(self):
        bad, good = ('<data auto_brodcast="nome"/>', '<data auto_brodcast="none"/>')
        adds = [add(10 + i, f"add{i}", inside=bad if i in (2, 5) else good) for i in range(8)]
        wires = [(0, 0, 10 + i, slot) for i in range(8) for slot in (0, 1)]
        text = net([parameter(), *adds], wires)
        made = fixed(text)
        assert made.after.decode() == text.replace(good, good.replace("brod", "broad"))
        assert [one.finding.fields["layer"] for one in made.refused] == ["add2", "add5"]

    def test_two_names_that_would_be_one(self):
        text = sum_of(add_layer=add(inside='<data auto_brodcast="none" auto_broadcst="none"/>'))
        made = fixed(text)
        assert made.after.decode() == text.replace("auto_brodcast", "auto_broadcast")
        assert [one.reason for one in made.refused] == ["then there would be an error F101"]

    @pytest.mark.parametrize(
        "inside",
        ["<dim>2</dim><dim>&#52;</dim>", "<dim>2</dim><dim><!-- c -->4</dim>", "<dim>2</dim><dim><![CDATA[4]]></dim>"],
    )
    def test_a_dim_that_holds_more_than_a_number(self, inside):
        self.refused(port_of('<port id="2" precision="FP32">', inside, "</port>"), "a <dim> holds more than a number")

    def test_a_shape_that_is_too_long(self):
        shape = ",".join(["1"] * 600)
        text = sum_of(a=parameter(shape=shape), b=parameter(1, "b", shape), add_layer=add(outputs=[port(2, [1])]))
        self.refused(text, "the shape is too long")

    @pytest.mark.parametrize(
        ("declared", "codec", "mark"), [("utf-16", "utf-16-le", codecs.BOM_UTF16_LE), ("iso-8859-1", "latin-1", b"")]
    )
    def test_files_in_other_encodings(self, declared, codec, mark):
        text = sum_of(add_layer=add(name="größe", outputs=[port(2, [4])]))
        text = text.replace('version="1.0"', f'version="1.0" encoding="{declared}"')
        self.refused(mark + text.encode(codec), f"the file is in {declared}; only UTF-8 is changed")

    def test_codes_that_are_not_asked_for(self):
        text = sum_of(add_layer=add(inside='<data auto_brodcast="none"/>', outputs=[port(2, [4])]))
        assert fixed(text, codes=()).after.decode() == text
        assert fixed(text, codes=("A103",)).after.decode() == text.replace("brod", "broad")

    def test_what_is_silenced(self):
        text = sum_of(add_layer=add(outputs=[port(2, [4])], tail="<!-- addison: ignore A301 -->"))
        assert fixed(text).edits == ()

    def test_a_file_that_is_broken_further_on_is_fixed_up_to_there(self):
        text = sum_of(add_layer=add(inside='<data auto_brodcast="none"/>'))[:-20] + "<" * 200_000
        made = fixed(text)
        assert made.after.decode() == text.replace("brod", "broad")
        assert [one.code for one in made.left] == ["F101"]

    def test_other_findings(self):
        made = fixed(sum_of(add_layer=add(inside=data(auto_broadcast="pdpd"))))
        assert (made.edits, [one.code for one in made.left]) == ((), ["A105"])
        assert fixed(sum_of()).left == []


@pytest.mark.parametrize(
    ("declared", "mark"), [("", b""), ("", codecs.BOM_UTF8), (' encoding="UTF-8"', b""), (' encoding="us-ascii"', b"")]
)
@pytest.mark.parametrize("newline", ["", "\n", "\r\n"])
def test_in_every_form_of_utf_8(declared, mark, newline):
    name = "add" if "ascii" in declared else "größe 和 😀"
    text = sum_of(a=parameter(0, name), add_layer=add(inside='<data auto_brodcast="none"/>', outputs=[port(2, [4])]))
    text = text.replace('version="1.0"', f'version="1.0"{declared}').replace("><", f">{newline}<")
    made = fixed(mark + text.encode())
    space = newline if newline else ""
    wanted = text.replace("brod", "broad").replace("<dim>4</dim>", f"<dim>2</dim>{space}<dim>3</dim>")
    assert made.after == mark + wanted.encode()


class TestFiles:
    TEXT = sum_of(add_layer=add(outputs=[port(2, [4])]))
    FIXED = TEXT.replace("<dim>4</dim>", "<dim>2</dim><dim>3</dim>")

    def test_a_file_is_written_whole_with_its_permissions(self, tmp_path):
        path = tmp_path / "net.xml"
        path.write_text(self.TEXT)
        path.chmod(0o640)
        job = Job(str(path), Asked())
        job.write(job.fix())
        assert path.read_text() == self.FIXED
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert [one.name for one in tmp_path.iterdir()] == ["net.xml"]

    def test_a_link_stays_one(self, tmp_path):
        (tmp_path / "net.xml").write_text(self.TEXT)
        (tmp_path / "link.xml").symlink_to(tmp_path / "net.xml")
        job = Job(str(tmp_path / "link.xml"), Asked())
        job.write(job.fix())
        assert (tmp_path / "link.xml").is_symlink()
        assert (tmp_path / "net.xml").read_text() == self.FIXED

    def test_nothing_to_fix_nothing_written(self, tmp_path):
        path = tmp_path / "net.xml"
        path.write_text(self.FIXED)
        path.chmod(0o440)
        before = path.stat()
        job = Job(str(path), Asked())
        job.write(job.fix())
        assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)

    def test_a_file_that_changed_meanwhile_is_left_alone(self, tmp_path):
        path = tmp_path / "net.xml"
        path.write_text(self.TEXT)
        job = Job(str(path), Asked())
        made = job.fix()
        path.write_text(self.TEXT + "\n")
        with pytest.raises(InvalidInput) as caught:
            job.write(made)
        assert caught.value.fields == {"path": str(path)}
        assert path.read_text() == self.TEXT + "\n"

    def test_the_weights_beside_it_count(self, tmp_path):
        text = sum_of(a=parameter(shape="2"), b=const(shape="2", size=8), add_layer=add(outputs=[port(2, [4])]))
        (tmp_path / "net.xml").write_text(text)
        (tmp_path / "net.bin").write_bytes(bytes(8))
        made = Job(str(tmp_path / "net.xml"), Asked()).fix()
        assert made.left == []
        assert made.after.decode() == text.replace("<dim>4</dim>", "<dim>2</dim>")

    def test_only_codes_that_are_asked_for(self, tmp_path):
        (tmp_path / "net.xml").write_text(self.TEXT)
        made = Job(str(tmp_path / "net.xml"), Asked(ignore=("A301",))).fix()
        assert (made.edits, made.left) == ((), [])
