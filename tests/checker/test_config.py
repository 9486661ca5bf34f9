"""``[tool.addison]``: what it may say, which file counts, what is wrong with one."""

import pytest

from addison import InvalidInput, Severity
from addison.checker.config import Config, Configs, read


def project(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "pyproject.toml"
    path.write_text(text)
    return path


def test_everything_it_may_say(tmp_path):
    path = project(
        tmp_path,
        """
[tool.addison]
select = ["A", "G1"]
ignore = ["A105"]
fail-on = "warning"
runtime = "openvino-cpu"
exclude = ["build", "old/*.xml"]
""",
    )
    assert read(path) == Config(
        ("A", "G1"), ("A105",), Severity.WARNING, "openvino-cpu", ("build", "old/*.xml"), tmp_path
    )


@pytest.mark.parametrize(
    "text", ["", "[tool.other]\naddison = 1", "[project]\nname = 'addison'", "tool = 'addison'", "not toml at all ["]
)
def test_a_file_that_says_nothing_of_it(text, tmp_path):
    assert read(project(tmp_path, text)) is None
    assert Configs().of(tmp_path / "net.xml") == Config()


def test_an_empty_table_is_one(tmp_path):
    assert read(project(tmp_path, "[tool.addison]")) == Config(folder=tmp_path)


class TestWhichFileCounts:
    def test_the_nearest_that_has_the_table(self, tmp_path):
        project(tmp_path, '[tool.addison]\nignore = ["A1"]')
        project(tmp_path / "a", "[project]\nname = 'x'")
        project(tmp_path / "a" / "b", '[tool.addison]\nignore = ["A2"]')
        (tmp_path / "a" / "c").mkdir()
        configs = Configs()
        assert configs.of(tmp_path / "net.xml").ignore == ("A1",)
        assert configs.of(tmp_path / "a" / "net.xml").ignore == ("A1",)
        assert configs.of(tmp_path / "a" / "b" / "net.xml").ignore == ("A2",)
        assert configs.of(tmp_path / "a" / "b").ignore == ("A2",)
        assert configs.of(tmp_path / "a" / "c" / ".." / "b" / "net.xml").ignore == ("A2",)

    def test_each_file_is_read_once(self, tmp_path):
        path = project(tmp_path, '[tool.addison]\nignore = ["A1"]')
        configs = Configs()
        assert configs.of(tmp_path / "net.xml").ignore == ("A1",)
        path.write_text("[tool.addison")
        assert configs.of(tmp_path / "other.xml").ignore == ("A1",)

    def test_of_a_relative_path(self, tmp_path, monkeypatch):
        project(tmp_path, '[tool.addison]\nignore = ["A1"]')
        (tmp_path / "a").mkdir()
        monkeypatch.chdir(tmp_path / "a")
        assert Configs().of("net.xml").ignore == ("A1",)
        assert Configs().of("..").ignore == ("A1",)

    def test_a_folder_of_that_name_is_none(self, tmp_path):
        (tmp_path / "pyproject.toml").mkdir()
        assert Configs().of(tmp_path / "net.xml") == Config()


@pytest.mark.parametrize(
    ("text", "key", "says", "help"),
    [
        ("[tool]\naddison = 3", "tool.addison", "is not a table", "[tool.addison]"),
        ("[tool.addison]\nslect = []", "slect", "is not known", "did you mean select?"),
        ("[tool.addison]\nfail_on = 'error'", "fail_on", "is not known", "did you mean fail-on?"),
        ("[tool.addison]\nzzz = 1", "zzz", "is not known", "one of select, ignore, fail-on, runtime, exclude"),
        ("[tool.addison]\nselect = 'A'", "select", "is a text", 'select = ["..."]'),
        ("[tool.addison]\nignore = ['A', 1]", "ignore", "is a list of other things than texts", "list of texts"),
        ("[tool.addison]\nexclude = {a = 1}", "exclude", "is a table", "list of texts"),
        ("[tool.addison]\nselect = ['A3O2']", "select", "there is no code 'A3O2'", "did you mean A302?"),
        ("[tool.addison]\nignore = ['']", "ignore", "there is no code ''", "a code is as A302"),
        ("[tool.addison]\nfail-on = true", "fail-on", "is true or false", "write a text"),
        ("[tool.addison]\nfail-on = 'never'", "fail-on", "is 'never'", "one of info, warning, error"),
        ("[tool.addison]\nruntime = 'abacus'", "runtime", "nothing is recorded of a runtime 'abacus'", "openvino-cpu"),
        ("[tool.addison]\nruntime = 1.5", "runtime", "is a number", "write a text"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(text, key, says, help, tmp_path):
    path = project(tmp_path, text)
    with pytest.raises(InvalidInput) as caught:
        Configs().of(tmp_path / "net.xml")
    assert caught.value.fields == {"path": str(path), "key": key}
    assert caught.value.says.startswith(f"{path}: tool.addison")
    assert says in caught.value.says
    assert help in caught.value.help


@pytest.mark.parametrize(
    "data", [b"[tool.addison", b"[tool.addison]\nselect = ['\xff']", b"addison = " + b"[" * 100_000]
)
def test_what_is_no_toml(data, tmp_path):
    (tmp_path / "pyproject.toml").write_bytes(data)
    with pytest.raises(InvalidInput) as caught:
        Configs().of(tmp_path)
    assert caught.value.fields == {"path": str(tmp_path / "pyproject.toml")}


@pytest.mark.parametrize(
    ("pattern", "taken", "left"),
    [
        ("build", ["build/a.xml", "x/build/y/a.xml", "build"], ["builds/a.xml", "a/build.xml"]),
        ("*.old.xml", ["a.old.xml", "x/y/a.old.xml"], ["a.xml"]),
        ("tests/data", ["tests/data/a.xml", "tests/data/x/a.xml", "tests/data"], ["x/tests/data/a.xml", "tests/a.xml"]),
        ("/tests/data/", ["tests/data/a.xml"], ["x/tests/data/a.xml"]),
        ("old/*.xml", ["old/a.xml"], ["a.xml", "x/old/a.xml"]),
        ("**/old/*.xml", ["old/a.xml", "x/old/a.xml", "x/y/old/a.xml"], ["a.xml", "x/older/a.xml"]),
        ("a?.xml", ["a1.xml", "x/ab.xml"], ["a.xml", "a12.xml"]),
        ("a[12].xml", ["a1.xml"], ["a3.xml"]),
    ],
)
def test_patterns(pattern, taken, left, tmp_path):
    config = Config(exclude=(pattern,), folder=tmp_path)
    assert [one for one in taken if not config.excludes(tmp_path / one)] == []
    assert [one for one in left if config.excludes(tmp_path / one)] == []
    assert not config.excludes(tmp_path.parent / "build" / "a.xml")
    assert not Config().excludes(tmp_path / taken[0])
