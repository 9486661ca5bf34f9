"""What was once believed, waited for or multiplied: said with its numbers, or kept short."""

import json
import os
import stat

import pytest

from addison import check, read_model
from addison.errors import InvalidInput, LimitExceeded
from addison.inference.operations import Fact
from addison.ir.model import LONGEST_PATH
from addison.report import text
from addison.runtime.files import LARGEST_HEADER, read_value
from addison.runtime.shapes import layer_rows
from addison.spec.elements import ELEMENTS
from addison.spec.shapes import Shape
from tests.hostile.files import bare, described, layers, nested, npy
from tests.ir.build import FLOATS, const, sum_of

WANTED = Fact(ELEMENTS["f32"], Shape(2, 3))


def refused(kind, path, **wanted):
    with pytest.raises(kind) as caught:
        read_value(str(path), "a", WANTED, 1 << 20)
    assert {name: caught.value.fields[name] for name in wanted} == wanted
    assert caught.value.fields["path"] == str(path)


def test_a_header_is_measured_before_it_is_read(tmp_path):
    path = tmp_path / "a.npy"
    path.write_bytes(b"\x93NUMPY\2\0\xff\xff\xff\x7f" + b" " * 100)
    refused(LimitExceeded, path, limit=LARGEST_HEADER, found=0x7FFFFFFF)
    path.write_bytes(npy(described("'<f4'", "(2, 3)").ljust(LARGEST_HEADER), FLOATS[:24], 2))
    assert read_value(str(path), "a", WANTED, 1 << 20).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("shape", ["(True, 6)", f"(0, {2**63 - 1}, 8)", f"({2**63}, 0)"])
def test_sizes_that_are_none(shape, tmp_path):
    (tmp_path / "a.npy").write_bytes(npy(described("'<f4'", shape), FLOATS))
    refused(InvalidInput, tmp_path / "a.npy")


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".bin"])
def test_values_are_read_from_files_only(suffix, tmp_path):
    path = tmp_path / f"a{suffix}"
    os.mkfifo(path)
    refused(InvalidInput, path, name="a")
    path.unlink()
    path.symlink_to("/dev/zero")
    refused(InvalidInput, path, name="a")


@pytest.mark.parametrize("shape", ["[1e999]", "[NaN]", "null", "{}", '"x"'])
def test_a_description_that_is_none(shape, tmp_path):
    (tmp_path / "a.bin").write_bytes(FLOATS[:24])
    says = f'{{"schema": "addison/array/1", "element_type": "f64", "shape": {shape}}}'
    (tmp_path / "a.bin.json").write_text(says)
    assert "shape" in json.loads(says)
    with pytest.raises(InvalidInput) as caught:
        read_value(str(tmp_path / "a.bin"), "a", WANTED, 1 << 20)
    assert str(tmp_path) in caught.value.fields["path"]


def test_a_pipe_beside_a_model_is_not_waited_for(tmp_path):
    (tmp_path / "net.xml").write_text(sum_of(b=const()))
    os.mkfifo(tmp_path / "net.bin")
    [finding] = [one for one in check(tmp_path / "net.xml") if one.code == "W101"]
    assert "net.bin" in finding.says
    assert stat.S_ISFIFO((tmp_path / "net.bin").stat().st_mode)


def test_layers_of_long_names_are_numbered_in_paths():
    inside = f"<layers>{bare(0)}{bare(1)}</layers>"
    model = read_model(nested(3, "n" * 400, inside).encode())
    long, deepest = "n" * 400 + "/then_body/", list(model.graphs())[-1][0]
    assert deepest == long + long + "0/then_body/"
    assert len(deepest) <= LONGEST_PATH + 20


def test_one_long_name_does_not_make_every_line_long():
    rows, _ = layer_rows(read_model(layers(bare(0, "n" * 50_000), *map(bare, range(1, 100))).encode()), {}, True)
    shown = text.layers(rows)
    assert "n" * 50_000 in shown
    assert len(shown) < 50_000 + 100 * 3 * text.WIDEST
