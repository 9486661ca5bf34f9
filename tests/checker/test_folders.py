"""The IR files below a folder, and a check of many."""

import pytest

from addison import InvalidInput, Severity
from addison.checker.batch import Asked, jobs
from addison.checker.config import Config
from addison.checker.folders import has_net, models_below
from tests.ir.build import PROLOG, parameter, sum_of

IR = sum_of()


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A folder with IR files here and there, and much else."""
    files = {
        "b.xml": IR,
        "a.xml": IR,
        "sub/deep/c.XML": IR,
        ".hidden/d.xml": IR,
        "sub/.e.xml": IR,
        "net.bin": "x",
        "page.xml": "<html/>",
        "empty.xml": "",
        "binary.xml": "\0\1\2",
        "broken.xml": IR[:100],
        "comment.xml": "<!-- " + "x" * 3000 + " -->" + IR[len(PROLOG) :],
        "NET.xml": "<NET/>",
        "notes.txt": IR,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


HERE = ["NET.xml", "a.xml", "b.xml", "broken.xml", "comment.xml", "sub/.e.xml", "sub/deep/c.XML"]


class TestBelow:
    def test_every_xml_file_whose_root_is_net_in_order(self, tree):
        assert models_below(".") == HERE
        assert models_below(str(tree)) == [str(tree / one) for one in HERE]
        assert models_below("sub") == ["sub/.e.xml", "sub/deep/c.XML"]

    def test_what_is_excluded_is_not_even_opened(self, tree):
        asked = []

        def excludes(path):
            asked.append(path)
            return path in ("sub", "a.xml")

        assert models_below(".", excludes) == ["NET.xml", "b.xml", "broken.xml", "comment.xml"]
        assert not any(path.startswith("sub/") for path in asked)

    def test_links_that_lead_in_a_circle(self, tree):
        (tree / "sub" / "up").symlink_to(tree, target_is_directory=True)
        (tree / "sub" / "self").symlink_to(tree / "sub" / "self")
        assert models_below(".") == HERE

    def test_a_link_to_a_file_is_a_file(self, tree):
        (tree / "z.xml").symlink_to(tree / "a.xml")
        (tree / "gone.xml").symlink_to(tree / "nothing.xml")
        assert models_below(".") == sorted([*HERE, "z.xml", "gone.xml"])  # the check says that it cannot be opened


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (IR.encode(), True),
        (b"<net", False),
        (b"<net>", True),
        (b"<nets/>", False),
        (b"", False),
        (b"\xff\xfe<\0n\0", False),
        (b"\xff\xfe" + IR.encode("utf-16-le"), True),
        (b"\xef\xbb\xbf" + IR.encode(), True),
        (b"<!DOCTYPE net><net/>", True),
        (b"<a><net/></a>", False),
        (b" <Net/>", True),
        (b"\n" + IR.encode(), True),
        (b"<!-- <net> --><html/>", False),
        (b"\0<net>", True),
        (b'<!DOCTYPE net [<!ENTITY a "' + b"x" * 100_000 + b'">]><net/>', False),
    ],
)
def test_whose_root_is_net(data, answer, tmp_path):
    (tmp_path / "x.xml").write_bytes(data)
    assert has_net(str(tmp_path / "x.xml")) is answer


class TestJobs:
    def test_files_that_are_named_and_files_in_folders_each_once(self, tree):
        told = []
        (tree / "none").mkdir()
        todo = jobs(["page.xml", "sub", "./a.xml", ".", "none", str(tree / "a.xml"), "gone.xml"], Asked(), told.append)
        assert [one.path for one in todo] == [
            "page.xml",
            "sub/.e.xml",
            "sub/deep/c.XML",
            "./a.xml",
            "NET.xml",
            "b.xml",
            "broken.xml",
            "comment.xml",
            "gone.xml",
        ]
        assert told == ["none"]

    def test_each_file_has_the_settings_of_its_folder(self, tree):
        (tree / "pyproject.toml").write_text('[tool.addison]\nignore = ["A3"]\nfail-on = "info"\nexclude = ["b*"]')
        (tree / "sub" / "pyproject.toml").write_text('[tool.addison]\nselect = ["A302"]\nexclude = [".e.xml"]')
        (tree / "a.xml").write_text(sum_of(b=parameter(1, "b", "4")))
        (tree / "sub" / "deep" / "c.XML").write_text(sum_of(b=parameter(1, "b", "4")))
        found = {job.path: ([one.code for one in job.run()], job.asked.fail_on) for job in jobs(["."], Asked())}
        assert found == {
            "NET.xml": (["F104"], Severity.INFO),
            "a.xml": ([], Severity.INFO),
            "comment.xml": ([], Severity.INFO),
            "sub/deep/c.XML": (["A302"], None),
        }

    def test_a_file_that_is_named_is_checked_though_it_is_excluded(self, tree):
        (tree / "pyproject.toml").write_text('[tool.addison]\nexclude = ["a.xml"]')
        assert [one.path for one in jobs(["a.xml"], Asked())] == ["a.xml"]

    def test_a_file_that_cannot_be_used_stops_everything(self, tree):
        (tree / "pyproject.toml").write_text("[tool.addison]\nslect = []")
        with pytest.raises(InvalidInput) as caught:
            jobs(["a.xml"], Asked())
        assert caught.value.fields == {"path": str(tree / "pyproject.toml"), "key": "slect"}


class TestAsked:
    def test_what_is_asked_stands_above_what_a_file_says(self):
        config = Config(("A",), ("A1",), Severity.WARNING, "openvino-cpu")
        assert Asked().over(config) == Asked(("A",), ("A1",), "openvino-cpu", Severity.WARNING)
        assert Asked(select=("W",)).over(config).ignore == ()
        assert Asked(ignore=("W",)).over(config).select == ()
        assert Asked(fail_on=Severity.ERROR).over(config).fail_on is Severity.ERROR
        assert Asked(runtime="openvino-cpu").over(Config()).runtime == "openvino-cpu"

    @pytest.mark.parametrize("wrong", [{"select": ("A9",)}, {"ignore": ("",)}, {"runtime": "abacus"}])
    def test_what_makes_no_sense_is_said_before_any_file_is_opened(self, wrong):
        with pytest.raises(InvalidInput) as caught:
            Asked(**wrong)
        assert list(caught.value.fields.values()) == [
            next(iter(wrong.values()))[0] if "runtime" not in wrong else "abacus"
        ]


def test_a_folder_that_may_not_be_read_is_passed_over(tree):
    (tree / "locked").mkdir(mode=0o000)
    assert models_below(".") == HERE
    (tree / "locked").chmod(0o700)
