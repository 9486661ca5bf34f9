"""Where save_model puts the bytes of constants."""

import struct

import pytest

from addison.ir.reader import read_model
from addison.ir.writer import save_model
from tests.ir.build import const, net


def extents(tmp_path, *constants):
    """``(type, shape, bytes)`` each: the offsets and sizes they are written with, and the whole .bin."""
    layers, data = [], b""
    for i, (kind, shape, own) in enumerate(constants):
        layers.append(const(i, kind, shape, len(data), len(own), name=str(i)))
        data += own
    save_model(read_model(net(layers).encode(), data), tmp_path / "net.xml")
    model = read_model(tmp_path / "net.xml")
    assert [bytes(one.operation.data) for one in model.layers] == [own for _, _, own in constants]
    return [(one.operation.offset, one.operation.size) for one in model.layers], (tmp_path / "net.bin").read_bytes()


def test_elements_lie_whole(tmp_path):
    found, data = extents(
        tmp_path,
        ("u8", "1", b"a"),
        ("f64", "", b"12345678"),
        ("u8", "3", b"bcd"),
        ("f16", "3", b"uvwxyz"),
        ("f32", "1", b"wxyz"),
        ("i32", "3", b"ABCDEFGHIJKL"),
    )
    assert found == [(0, 1), (8, 8), (16, 3), (20, 6), (28, 4), (32, 12)]
    assert data == b"a" + bytes(7) + b"12345678bcd\0uvwxyz" + bytes(2) + b"wxyzABCDEFGHIJKL"


def test_equal_bytes_are_one_whatever_their_types_and_shapes(tmp_path):
    found, data = extents(
        tmp_path,
        ("u8", "8", b"12345678"),
        ("u8", "1", b"1"),
        ("f64", "1, 1", b"12345678"),
        ("u4", "16", b"12345678"),
        ("f32", "2", b"12345679"),
        ("u8", "", b"1"),
    )
    assert found == [(0, 8), (8, 1), (0, 8), (0, 8), (16, 8), (8, 1)]
    assert data == b"123456781" + bytes(7) + b"12345679"


def test_bytes_that_no_element_needs_are_left_out(tmp_path):
    model = read_model(net([const(0, "u8", "3", 1, 7)]).encode(), b"abcdefghij")
    save_model(model, tmp_path / "net.xml")
    assert (tmp_path / "net.bin").read_bytes() == b"bcd"


def test_overlapping_constants_are_parted(tmp_path):
    model = read_model(net([const(0, "u8", "4", 0, 4), const(1, "u8", "4", 2, 4, name="d")]).encode(), b"abcdef")
    save_model(model, tmp_path / "net.xml")
    assert (tmp_path / "net.bin").read_bytes() == b"abcdcdef"


@pytest.mark.parametrize(
    ("kind", "wanted"), [("i4", b"\x21\x43"), ("u4", b"\x21\x43"), ("u8", b"\x12\x34"), ("f4e2m1", b"\x12\x34")]
)
def test_nibbles_of_old_files_are_turned_over(tmp_path, kind, wanted):
    shape = "2" if kind == "u8" else "4"
    model = read_model(net([const(0, kind, shape, 0, 2)]).encode(), b"\x12\x34", nibbles="high-first")
    save_model(model, tmp_path / "net.xml")
    assert (tmp_path / "net.bin").read_bytes() == wanted
    assert bytes(read_model(tmp_path / "net.xml").layers[0].operation.data) == wanted


def test_long_constants_in_pieces(tmp_path):
    """Longer than one piece, and alike but for the last byte."""
    size = (1 << 20) + 5
    one, other = bytes(size), bytes(size - 1) + b"\x01"
    shape = str(size)
    found, data = extents(tmp_path, ("u8", shape, one), ("u8", shape, other), ("u8", shape, one))
    assert found == [(0, size), (size, size), (0, size)]
    assert data == one + other


def test_a_constant_without_elements_takes_a_byte(tmp_path):
    model = read_model(net([const(0, "f32", "0, 3", 0, 0), const(1, "f64", "0", 0, 0, name="d")]).encode())
    save_model(model, tmp_path / "net.xml")
    read = [one.operation for one in read_model(tmp_path / "net.xml").layers]
    assert [(one.offset, one.size, one.shape.sizes) for one in read] == [(0, 1, (0, 3)), (0, 1, (0,))]
    assert (tmp_path / "net.bin").read_bytes() == b"\0"


def test_strings(tmp_path):
    packed = struct.pack("<4i", 2, 0, 1, 3) + b"abc"
    model = read_model(
        net([const(0, "string", "2", 1, len(packed)), const(1, "string", "0", 0, 0, name="d")]).encode(),
        b"?" + packed,
    )
    save_model(model, tmp_path / "net.xml")
    strings, none = (one.operation for one in read_model(tmp_path / "net.xml").layers)
    assert bytes(strings.data) == packed
    assert bytes(none.data) == bytes(8)
