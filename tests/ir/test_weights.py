"""Constants and the bytes they are made of: ranges, sharing, small types, files that are mapped."""

import array
import mmap
import struct

import numpy as np
import pytest

from addison.errors import InvalidInput, InvalidModel, Unsupported
from addison.ir import weights as module
from addison.ir.reader import examine, read_model
from addison.ir.weights import Weights
from addison.spec.packing import unpack
from tests.ir.build import FLOATS, const, net, parameter, result, sum_of

BESIDE = sum_of(b=const())


def named(value):
    """A test's id."""
    return type(value).__name__


def alone(*constants):
    """A model of constants that nothing uses."""
    return net([parameter(), result(1), *constants], [(0, 0, 1, 0)]).encode()


def value(element_type, shape, offset, size, weights, **how):
    """The one constant, as the codes of its elements."""
    model = read_model(alone(const(7, element_type, shape, offset, size)), weights, **how)
    constant = model.layers[2].operation
    return unpack(constant.element_type, constant.data, constant.shape.elements)


class TestOf:
    def test_a_small_file_is_read(self, tmp_path):
        (tmp_path / "w.bin").write_bytes(bytes(range(100)))
        weights = Weights.of(tmp_path / "w.bin")
        assert len(weights) == 100
        assert weights.path == str(tmp_path / "w.bin")
        assert bytes(weights.view(10, 3)) == b"\x0a\x0b\x0c"
        assert isinstance(weights.view(0, 1).obj, bytes)

    @pytest.mark.parametrize("size", [module.SMALL, module.SMALL + 1])
    def test_a_large_file_is_mapped(self, tmp_path, size):
        (tmp_path / "w.bin").write_bytes(bytes(size - 1) + b"\x07")
        weights = Weights.of(str(tmp_path / "w.bin"))
        assert bytes(weights.view(size - 1, 1)) == b"\x07"
        assert isinstance(weights.view(0, 1).obj, mmap.mmap) is (size > module.SMALL)
        assert weights.view(0, 1).readonly

    def test_an_empty_file_has_no_bytes(self, tmp_path):
        (tmp_path / "w.bin").touch()
        assert len(Weights.of(tmp_path / "w.bin")) == 0

    @pytest.mark.parametrize(
        "buffer",
        [
            FLOATS,
            bytearray(FLOATS),
            memoryview(FLOATS),
            array.array("f", range(16)),
            np.arange(16, dtype=np.float32).reshape(4, 4),
        ],
        ids=named,
    )
    def test_a_buffer_is_borrowed(self, buffer):
        weights = Weights.of(buffer)
        assert len(weights) == 64
        assert bytes(weights.view(4, 4)) == struct.pack("<f", 1)
        assert weights.path is None

    def test_a_change_of_the_buffer_shows(self):
        buffer = bytearray(8)
        view = Weights.of(buffer).view(4, 4)
        buffer[4] = 9
        assert view[0] == 9

    @pytest.mark.parametrize(
        ("offset", "size"), [(0, 9), (8, 1), (9, 0), (-1, 1), (1, -1), (2**64 - 4, 8), (4, 2**64 - 4), (2**64, 0)]
    )
    def test_bytes_that_are_not_there_are_refused(self, offset, size):
        with pytest.raises(InvalidInput) as caught:
            Weights.of(bytes(8)).view(offset, size)
        assert caught.value.fields == {"offset": offset, "size": size, "found": 8}

    @pytest.mark.parametrize(("offset", "size"), [(0, 8), (8, 0), (0, 0), (7, 1)])
    def test_bytes_at_the_ends_are_there(self, offset, size):
        assert len(Weights.of(bytes(8)).view(offset, size)) == size


class TestFinding:
    """Which .bin goes with a model."""

    def test_the_file_beside_the_xml(self, tmp_path):
        (tmp_path / "net.xml").write_text(BESIDE)
        (tmp_path / "net.bin").write_bytes(FLOATS)
        model = read_model(tmp_path / "net.xml")
        assert model.layers[1].operation.data == FLOATS[:24]
        assert model.weights.path == str(tmp_path / "net.bin")

    def test_a_stem_with_dots(self, tmp_path):
        (tmp_path / "net.v1.2.xml").write_text(BESIDE)
        (tmp_path / "net.v1.2.bin").write_bytes(FLOATS)
        assert read_model(str(tmp_path / "net.v1.2.xml")).weights.path == str(tmp_path / "net.v1.2.bin")

    @pytest.mark.parametrize(
        "give",
        [
            str,
            lambda path: path,
            lambda path: path.read_bytes(),
            lambda path: memoryview(path.read_bytes()),
            lambda path: bytearray(path.read_bytes()),
        ],
    )
    def test_the_file_that_is_named(self, tmp_path, give):
        (tmp_path / "net.xml").write_text(BESIDE)
        (tmp_path / "net.bin").write_bytes(bytes(64))
        (tmp_path / "other").write_bytes(FLOATS)
        assert read_model(tmp_path / "net.xml", give(tmp_path / "other")).layers[1].operation.data == FLOATS[:24]

    def test_a_map_of_the_callers(self, tmp_path):
        (tmp_path / "w").write_bytes(FLOATS)
        with (tmp_path / "w").open("rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        data = read_model(BESIDE.encode(), mapped).layers[1].operation.data
        assert data == FLOATS[:24]
        assert data.obj is mapped

    def test_none_is_needed_without_constants(self, tmp_path):
        (tmp_path / "net.xml").write_text(sum_of())
        model = read_model(tmp_path / "net.xml")
        assert (model.weights, model.findings) == (None, ())

    def test_none_is_there(self, tmp_path):
        (tmp_path / "net.xml").write_text(BESIDE)
        _, [finding] = examine(tmp_path / "net.xml")
        assert (finding.code, finding.fields) == ("W101", {"found": 1})
        assert finding.at.path == str(tmp_path / "net.xml")

    def test_constants_without_a_file_are_counted_once(self):
        _, [finding] = examine(alone(*(const(number, name=f"c{number}") for number in range(5, 12))))
        assert (finding.code, finding.fields) == ("W101", {"found": 7})
        assert "6 more" in finding.says

    @pytest.mark.parametrize("name", ["missing.bin", "a\0b", "."])
    def test_the_one_that_is_named_cannot_be_opened(self, tmp_path, name):
        path = f"{tmp_path}/{name}"
        _, [finding] = examine(BESIDE.encode(), path)
        assert (finding.code, finding.at, finding.fields) == ("W101", None, {"path": path})
        assert "cannot be opened" in finding.says

    def test_the_one_beside_cannot_be_opened(self, tmp_path):
        (tmp_path / "net.xml").write_text(BESIDE)
        (tmp_path / "net.bin").mkdir()
        _, [finding] = examine(tmp_path / "net.xml")
        assert (finding.code, finding.fields) == ("W101", {"path": str(tmp_path / "net.bin")})

    @pytest.mark.parametrize("wrong", [5, object(), [1, 2], memoryview(FLOATS)[::2], np.zeros((4, 4)).T], ids=named)
    def test_what_is_no_buffer_is_refused_by_its_type(self, wrong):
        with pytest.raises(Unsupported) as caught:
            read_model(BESIDE.encode(), wrong)
        assert caught.value.fields == {"found": type(wrong).__name__}

    @pytest.mark.parametrize("wrong", [None, 5, bytearray(BESIDE.encode()), memoryview(b"")], ids=named)
    def test_what_is_no_model_is_refused_by_its_type(self, wrong):
        with pytest.raises(Unsupported) as caught:
            read_model(wrong)
        assert caught.value.fields == {"found": type(wrong).__name__}

    @pytest.mark.parametrize("name", ["missing.xml", "a\0b", "", "."])
    def test_a_model_that_cannot_be_opened(self, tmp_path, name):
        path = f"{tmp_path}/{name}"
        with pytest.raises(InvalidInput) as caught:
            read_model(path)
        assert caught.value.fields == {"path": path}


class TestRange:
    @pytest.mark.parametrize(
        ("offset", "size", "code"),
        [
            (0, 24, None),
            (40, 24, None),
            (3, 24, None),
            (37, 24, None),
            (39, 25, "W105"),
            (0, 64, "W105"),
            (41, 24, "W102"),
            (64, 24, "W102"),
            (65, 24, "W102"),
            (2**32, 24, "W102"),
            (2**63, 24, "W102"),
            (2**64 - 24, 24, "W102"),
            (2**64 - 8, 24, "W102"),
            (2**64 - 1, 24, "W102"),
            (2**64, 24, "F108"),
            (2**64 + 8, 24, "F108"),
            (0, 23, "W103"),
            (0, 0, "W103"),
            (60, 20, "W103"),
        ],
    )
    def test_of_24_bytes_in_64(self, offset, size, code):
        _, findings = examine(sum_of(b=const(offset=offset, size=size)).encode(), FLOATS)
        assert [one.code for one in findings if one.code != "W105" or code == "W105"] == [code] * (code is not None)

    @pytest.mark.parametrize("size", [65, 2**32, 2**63, 2**64 - 8, 2**64 - 1])
    def test_a_size_past_the_end(self, size):
        _, findings = examine(sum_of(b=const(size=size)).encode(), FLOATS)
        found = {one.code: one.fields for one in findings}
        assert found["W102"] == {"layer": "c", "offset": 0, "size": size, "found": 64, "wanted": size}
        assert found["W105"] == {"layer": "c", "found": size, "wanted": 24}

    @pytest.mark.parametrize("length", range(25))
    def test_a_file_cut_short_by_any_length(self, length):
        _, findings = examine(BESIDE.encode(), FLOATS[:length])
        assert [one.code for one in findings] == ([] if length == 24 else ["W102"])
        assert length == 24 or (findings[0].fields["found"], findings[0].fields["wanted"]) == (length, 24)

    def test_bytes_after_the_last_constant_are_ignored(self):
        assert value("u8", "3", 0, 3, bytes(range(200))) == [0, 1, 2]


class TestPlaces:
    def test_offsets_need_not_be_aligned(self):
        weights = b"\x01" + struct.pack("<iq", -5, 2**40)
        model = read_model(
            alone(const(5, "boolean", "1", 0, 1), const(6, "i32", "1", 1, 4), const(7, "i64", "", 5, 8)), weights
        )
        assert [bytes(layer.operation.data) for layer in model.layers[2:]] == [weights[:1], weights[1:5], weights[5:]]

    def test_bytes_may_be_shared_and_overlap(self):
        model = read_model(
            alone(const(5, "u8", "4", 0, 4), const(6, "u16", "2", 0, 4), const(7, "u8", "2, 1", 1, 2)), b"\1\2\3\4"
        )
        assert [layer.operation.data.hex() for layer in model.layers[2:]] == ["01020304", "01020304", "0203"]

    def test_views_are_not_copies(self):
        weights = bytearray(64)
        model = read_model(BESIDE.encode(), weights)
        weights[0] = 7
        assert model.layers[1].operation.data[0] == 7

    def test_a_large_file_is_not_copied(self, tmp_path):
        size = 1 << 34  # sixteen gigabytes, of which none is on the disk
        with (tmp_path / "w.bin").open("wb") as file:
            file.truncate(size)
        model = read_model(sum_of(b=const(1, "u8", "8589934592", size - 2**33, 2**33)).encode(), tmp_path / "w.bin")
        data = model.layers[1].operation.data
        assert isinstance(data.obj, mmap.mmap)
        assert (len(data), data[-1]) == (2**33, 0)

    @pytest.mark.parametrize("shape", ["0", "0, 3", "3, 0", "0, 0", "4611686018427387904, 0"])
    @pytest.mark.parametrize(("size", "weights"), [(0, None), (1, None), (0, b""), (1, b"x"), (0, FLOATS), (1, FLOATS)])
    def test_a_constant_of_no_elements_needs_no_bytes(self, shape, size, weights):
        """OpenVINO writes one byte, and size="1"."""
        model = read_model(alone(const(7, "f32", shape, 3, size)), weights)
        assert model.findings == ()
        assert (model.layers[2].operation.shape.elements, bytes(model.layers[2].operation.data)) == (0, b"")

    @pytest.mark.parametrize("shape", ["", "1", "1, 1, 1"])
    def test_a_scalar_has_one_element(self, shape):
        assert value("f32", shape, 4, 4, FLOATS) == [0x3F800000]

    @pytest.mark.parametrize(
        ("shape", "product"),
        [
            ("4294967296, 4294967296", 2**64),
            ("9223372036854775807", 2**63 - 1),
            ("3037000500, 3037000500", 3037000500**2),
            (", ".join(["9223372036854775806"] * 1000), None),
        ],
    )
    def test_sizes_whose_product_is_past_the_largest(self, shape, product):
        _, [finding] = examine(sum_of(b=const(shape=shape, size=24)).encode(), FLOATS)
        assert (finding.code, finding.fields["layer"]) == ("F112", "c")
        assert finding.fields.get("limit") in (2**63 - 2, None)
        assert len(str(finding.fields)) < 500
        assert product is None or str(product) in finding.says

    def test_the_largest_product_is_a_matter_of_bytes(self):
        _, [finding] = examine(sum_of(b=const(1, "u8", "9223372036854775806", 0, 24)).encode(), FLOATS)
        assert (finding.code, finding.fields["wanted"]) == ("W103", 2**63 - 2)


# Bytes that so many elements take, worked out by hand: u3 in groups of 8, u6 in groups of 4, both in 3 bytes.
NEEDS = {
    "u1": {1: 1, 7: 1, 8: 1, 9: 2, 17: 3},
    "u2": {1: 1, 4: 1, 5: 2, 9: 3},
    "u4": {1: 1, 2: 1, 3: 2, 5: 3},
    "i4": {1: 1, 2: 1, 3: 2, 4: 2},
    "nf4": {1: 1, 3: 2},
    "f4e2m1": {1: 1, 3: 2},
    "u8": {1: 1, 3: 3},
    "u3": {1: 3, 2: 3, 8: 3, 9: 6, 16: 6, 17: 9},
    "u6": {1: 3, 3: 3, 4: 3, 5: 6, 8: 6, 9: 9},
    "bf16": {1: 2, 3: 6},
    "f8e8m0": {3: 3},
    "u64": {2: 16},
}


@pytest.mark.parametrize(
    ("name", "count", "needed"), [(name, count, needed) for name, row in NEEDS.items() for count, needed in row.items()]
)
def test_a_small_type_takes_whole_groups(name, count, needed):
    shape = str(count)
    assert read_model(alone(const(7, name, shape, 0, needed)), bytes(needed)).findings == ()
    _, [finding] = examine(alone(const(7, name, shape, 0, needed - 1)), bytes(needed))
    assert (finding.code, finding.fields) == ("W103", {"layer": "c", "found": needed - 1, "wanted": needed})
    [warning] = read_model(alone(const(7, name, shape, 0, needed + 1)), bytes(needed + 1)).findings
    assert (warning.code, warning.fields) == ("W105", {"layer": "c", "found": needed + 1, "wanted": needed})


class TestNibbles:
    """Files from before 2024.0 have the first of two elements in the high half of the byte."""

    @pytest.mark.parametrize(
        ("name", "shape", "data", "low", "high"),
        [
            ("u4", "4", "2143", [1, 2, 3, 4], [2, 1, 4, 3]),
            ("u4", "3", "21f3", [1, 2, 3], [2, 1, 15]),
            ("i4", "4", "f18e", [1, 15, 14, 8], [15, 1, 8, 14]),
            ("i4", "1", "7a", [10], [7]),
            ("u4", "0", "", [], []),
        ],
    )
    def test_of_i4_and_u4(self, name, shape, data, low, high):
        data = bytes.fromhex(data)
        assert value(name, shape, 0, len(data), data) == low
        assert value(name, shape, 0, len(data), data, nibbles="low-first") == low
        assert value(name, shape, 0, len(data), data, nibbles="high-first") == high

    @pytest.mark.parametrize(
        ("name", "shape", "data"),
        [
            ("nf4", "2", "21"),
            ("f4e2m1", "2", "21"),
            ("u8", "1", "21"),
            ("u2", "4", "21"),
            ("u1", "8", "21"),
            ("u3", "2", "212121"),
        ],
    )
    def test_of_other_types_stay(self, name, shape, data):
        data = bytes.fromhex(data)
        assert value(name, shape, 0, len(data), data) == value(name, shape, 0, len(data), data, nibbles="high-first")

    def test_the_weights_are_left_alone(self):
        weights = bytearray.fromhex("2143")
        model = read_model(alone(const(7, "u4", "4", 0, 2)), weights, nibbles="high-first")
        assert model.layers[2].operation.data.hex() == "1234"
        assert weights.hex() == "2143"

    @pytest.mark.parametrize("word", ["high", "", None, "HIGH-FIRST", 1])
    def test_another_word_is_refused(self, word):
        with pytest.raises(InvalidInput) as caught:
            read_model(b"<net/>", nibbles=word)
        assert caught.value.fields == {"nibbles": word}


@pytest.mark.parametrize("lacking", ["element_type", "shape", "offset", "size"])
def test_each_attribute_of_a_constant_is_needed(lacking):
    with pytest.raises(InvalidModel) as caught:
        read_model(sum_of(b=const(**{lacking: None}, precision="FP32")).encode(), FLOATS)
    [finding] = caught.value.fields["findings"]
    assert (finding.code, finding.fields) == ("F107", {"layer": "c", "found": None, "wanted": lacking})


def test_all_that_a_constant_lacks_is_said_at_once():
    _, findings = examine(sum_of(b=const(inside="<data/>")).encode(), FLOATS)
    assert {one.fields["wanted"] for one in findings} == {"element_type", "shape", "offset", "size"}
    assert {one.code for one in findings} == {"F107"}
