"""Where save_model writes: both files whole or none, over the files themselves, with little memory."""

import os
import resource
import stat
import tracemalloc
from pathlib import Path

import pytest

from addison.errors import InvalidInput, Unsupported
from addison.ir import aside as module
from addison.ir.aside import aside
from addison.ir.reader import read_model
from addison.ir.weights import SMALL, Weights
from addison.ir.writer import save_model
from tests.ir.build import FLOATS, const, net, sum_of

TWO = net([const(0), const(1, offset=24, name="d")]).encode()
OLD = b"what was there"


class Failing(Weights):
    """Weights of which the second constant cannot be taken."""

    def __init__(self, fault):
        super().__init__(memoryview(FLOATS))
        self.fault = fault

    def view(self, offset, size):
        if offset >= 24:
            raise self.fault
        return super().view(offset, size)


def failing(fault):
    model = read_model(TWO, FLOATS)
    for layer in model.layers:
        object.__setattr__(layer.operation, "weights", Failing(fault))
    return model


@pytest.fixture
def folder(tmp_path):
    """A folder with net.xml and net.bin, which are no model."""
    (tmp_path / "net.xml").write_bytes(OLD)
    (tmp_path / "net.bin").write_bytes(OLD)
    return tmp_path


def untouched(folder):
    return {one.name: one.read_bytes() for one in folder.iterdir()} == {"net.xml": OLD, "net.bin": OLD}


class TestFaults:
    @pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, SystemExit, ZeroDivisionError])
    def test_in_the_middle_of_the_constants(self, folder, fault):
        with pytest.raises(fault):
            save_model(failing(fault()), folder / "net.xml")
        assert untouched(folder)

    def test_weights_that_are_not_there(self, folder):
        with pytest.raises(InvalidInput) as caught:
            save_model(failing(InvalidInput("gone", offset=24)), folder / "net.xml")
        assert caught.value.fields == {"offset": 24, "layer": "d"}
        assert caught.value.says == "the constant 'd': gone"
        assert untouched(folder)

    def test_where_nothing_was(self, tmp_path):
        with pytest.raises(KeyboardInterrupt):
            save_model(failing(KeyboardInterrupt()), tmp_path / "net.xml")
        assert list(tmp_path.iterdir()) == []

    def test_a_disk_that_is_full(self, folder):
        """As good as: a limit on how long files may be."""
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        model = read_model(net([const(0, shape="60000", size=240_000)]).encode(), bytes(240_000))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
        try:
            with pytest.raises(InvalidInput) as caught:
                save_model(model, folder / "net.xml")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert caught.value.fields["reason"] == os.strerror(27)
        assert untouched(folder)

    @pytest.mark.parametrize("failing_at", [1, 2])
    @pytest.mark.parametrize("fault", [OSError(5, "no"), KeyboardInterrupt()], ids=["error", "interrupt"])
    @pytest.mark.parametrize("links", [True, False], ids=["links", "no-links"])
    @pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
    def test_when_taking_their_places(self, folder, monkeypatch, failing_at, fault, links, late):
        """The first file takes its place, and the second cannot: the first is put back."""
        calls = [0]
        real = os.replace

        def replace(a, b):
            if Path(b).suffix in (".xml", ".bin") and calls[0] >= 0:
                calls[0] += 1
                if calls[0] == failing_at:
                    calls[0] = -1
                    if late:
                        real(a, b)
                    raise fault
            real(a, b)

        monkeypatch.setattr(module.os, "replace", replace)
        if not links:
            monkeypatch.setattr(module.os, "link", refuse)
        with pytest.raises((InvalidInput, KeyboardInterrupt)):
            save_model(read_model(TWO, FLOATS), folder / "net.xml")
        assert untouched(folder)

    @pytest.mark.parametrize("failing_at", [1, 2])
    def test_when_taking_places_that_were_free(self, tmp_path, monkeypatch, failing_at):
        calls = []

        def replace(a, b, real=os.replace):
            calls.append(b)
            if len(calls) == failing_at:
                raise KeyboardInterrupt
            real(a, b)

        monkeypatch.setattr(module.os, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            save_model(read_model(TWO, FLOATS), tmp_path / "net.xml")
        assert list(tmp_path.iterdir()) == []

    def test_before_anything_has_moved(self, folder, monkeypatch):
        monkeypatch.setattr(module.os, "link", interrupt)
        with pytest.raises(KeyboardInterrupt):
            save_model(read_model(TWO, FLOATS), folder / "net.xml")
        assert untouched(folder)


def interrupt(*paths):
    raise KeyboardInterrupt


def refuse(*paths):
    raise PermissionError(1, "no")


class TestPlaces:
    def test_over_the_very_files(self, tmp_path):
        """Weights that are mapped, and that move: the file has bytes that no constant has."""
        size = SMALL * 2
        text = net([const(0, "u8", str(size), 64, size), const(1, "u8", "8", 8, 8, name="d")])
        (tmp_path / "net.xml").write_text(text)
        (tmp_path / "net.bin").write_bytes(bytes(i % 251 for i in range(64 + size)))
        model = read_model(tmp_path / "net.xml")
        wanted = [bytes((64 + i) % 251 for i in range(size)), bytes(range(8, 16))]
        for _ in range(2):
            save_model(model, tmp_path / "net.xml")
            again = read_model(tmp_path / "net.xml")
            assert (tmp_path / "net.bin").stat().st_size == size + 8
            for one in (model, again):
                assert [bytes(layer.operation.data) for layer in one.layers] == wanted
        assert sorted(one.name for one in tmp_path.iterdir()) == ["net.bin", "net.xml"]

    def test_a_model_without_constants_has_an_empty_bin(self, folder):
        save_model(read_model(sum_of().encode()), folder / "net.xml")
        assert (folder / "net.bin").read_bytes() == b""

    def test_links_are_followed(self, tmp_path):
        (tmp_path / "there").mkdir()
        for name in ("net.xml", "net.bin"):
            (tmp_path / name).symlink_to(tmp_path / "there" / f"real-{name}")
        save_model(read_model(TWO, FLOATS), tmp_path / "net.xml")
        assert (tmp_path / "net.bin").is_symlink()
        assert (tmp_path / "there" / "real-net.bin").read_bytes() == FLOATS[:48]

    def test_permissions_stay_and_new_files_have_the_usual_ones(self, tmp_path):
        (tmp_path / "net.bin").touch()
        (tmp_path / "net.bin").chmod(0o640)
        (tmp_path / "usual").touch()
        save_model(read_model(TWO, FLOATS), tmp_path / "net.xml")
        modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
        assert modes["net.bin"] == 0o640
        assert modes["net.xml"] == modes["usual"]

    @pytest.mark.parametrize(("xml", "weights"), [
        ("missing/net.xml", None), ("net.xml", "missing/net.bin"), (".", None), ("", None), ("folder", None),
        ("net.xml", "folder"), ("net.bin", None), ("net.xml", "net.xml"), ("a\0b", None), ("net.xml", "link"),
        ("..", None), ("net.xml/x.xml", None), ("x" * 300, None), ("net.xml", "pipe"),
    ])  # fmt: skip
    def test_where_nothing_can_be_written(self, folder, monkeypatch, xml, weights):
        monkeypatch.chdir(folder)
        Path("folder").mkdir()
        Path("link").symlink_to("net.xml")
        os.mkfifo("pipe")
        with pytest.raises(InvalidInput) as caught:
            save_model(read_model(TWO, FLOATS), xml, weights)
        assert "path" in caught.value.fields
        for one in (Path("link"), Path("pipe")):
            one.unlink()
        Path("folder").rmdir()
        assert untouched(folder)

    @pytest.mark.parametrize(("arguments", "found"), [
        ((None, "x.xml"), "NoneType"), (("net.xml", "x.xml"), "str"), ((Ellipsis, b"<net/>"), "bytes"),
        ((Ellipsis, 3), "int"), ((Ellipsis, "x.xml", b"x"), "bytes"), ((Ellipsis, Path("x.xml"), 3), "int"),
    ])  # fmt: skip
    def test_arguments_of_other_types(self, folder, monkeypatch, arguments, found):
        monkeypatch.chdir(folder)
        model = read_model(TWO, FLOATS)
        with pytest.raises(Unsupported) as caught:
            save_model(*(model if one is Ellipsis else one for one in arguments))
        assert caught.value.fields == {"found": found}
        assert untouched(folder)


def test_little_is_held_in_memory(tmp_path):
    """32 MB of weights, each half of them twice, of nibbles that are turned over: less than 6 MB at any time."""
    half = 16 << 20
    with (tmp_path / "net.bin").open("wb") as file:
        file.truncate(2 * half)
    constants = [const(i, "i4", str(2 * half), half * (i % 2), half, name=str(i)) for i in range(4)]
    (tmp_path / "net.xml").write_text(net(constants))
    model = read_model(tmp_path / "net.xml", nibbles="high-first")
    tracemalloc.start()
    try:
        save_model(model, tmp_path / "out.xml")
        assert tracemalloc.get_traced_memory()[1] < 6 << 20
    finally:
        tracemalloc.stop()
    assert (tmp_path / "out.bin").stat().st_size == half


class TestAside:
    def test_files_are_there_only_when_the_block_has_ended(self, tmp_path):
        with aside(str(tmp_path / "a"), str(tmp_path / "b")) as (a, b):
            a.write(b"1")
            b.write(b"2")
            assert not (tmp_path / "a").exists()
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}

    def test_an_error_of_the_block_comes_through(self, tmp_path):
        with pytest.raises(KeyError, match="mine"), aside(str(tmp_path / "a")):
            raise KeyError("mine")
        assert list(tmp_path.iterdir()) == []
