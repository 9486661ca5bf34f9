"""Arrays in files, sound and broken."""

import json
import pickle
import zipfile

import ml_dtypes
import numpy as np
import pytest

from addison import AddisonError, ElementType, InvalidInput, LimitExceeded, Shape, Tensor, Unsupported
from addison.inference.operations import Fact
from addison.runtime import files
from tests.same_bits import NAMES, assert_same_bits, operand_of

F32 = Fact(ElementType.parse("f32"), Shape(2, 3))
A = np.arange(6, dtype=np.float32).reshape(2, 3)
LIMIT = 1 << 20


def fact(name, *sizes):
    return Fact(ElementType.parse(name), Shape(*sizes))


def written(folder, value):
    with files.writing(str(folder)) as pending:
        names = files.add_value(pending, "x", "x", value)
    return str(folder / names[0])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written_is_read_back(name, tmp_path):
    value = operand_of(name, [[1, 0, 1], [0, 1, 1]])
    found = files.read_value(written(tmp_path, value), "x", fact(name, 2, 3), LIMIT)
    assert_same_bits(found, value)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_sidecar_says_type_and_shape(tmp_path):
    path = written(tmp_path, np.array([1, 2], ml_dtypes.bfloat16))
    assert json.loads((tmp_path / "x.bin.json").read_text()) == {
        "schema": "addison/array/1",
        "name": "x",
        "element_type": "bf16",
        "shape": [2],
        "bytes": 4,
    }
    assert (tmp_path / "x.bin").read_bytes() == bytes.fromhex("803f0040")
    found = files.read_value(path, "x", fact("bf16", "?"), LIMIT)  # the Parameter's shape need not be known
    assert found.shape == (2,)


@pytest.mark.parametrize("name", ["bf16", "f8e4m3", "f8e8m0", "i4", "f4e2m1", "u1"])
def test_numpys_own_files_of_types_it_lacks_are_taken_by_width(name, tmp_path):
    value = operand_of(name, [1, 0, 1])
    np.save(tmp_path / "x.npy", value)
    assert np.load(tmp_path / "x.npy").dtype.kind == "V"
    assert_same_bits(files.read_value(str(tmp_path / "x.npy"), "x", fact(name, 3), LIMIT), value)
    for other in ("f32", "i8", "f16"):
        with pytest.raises(Unsupported):
            files.read_value(str(tmp_path / "x.npy"), "x", fact(other, 3), LIMIT)


def test_codes_of_types_without_a_dtype(tmp_path):
    np.save(tmp_path / "x.npy", np.array([5, 7], np.uint8))
    found = files.read_value(str(tmp_path / "x.npy"), "x", fact("u3", 2), LIMIT)
    assert found == Tensor.from_codes("u3", [5, 7])
    np.save(tmp_path / "x.npy", np.array([8], np.uint8))
    with pytest.raises(InvalidInput):
        files.read_value(str(tmp_path / "x.npy"), "x", fact("u3", 1), LIMIT)


@pytest.mark.parametrize(
    "array",
    [np.asfortranarray(A), A.astype(">f4"), A[::-1], np.float32(3), A[:0]],
    ids=["column-major", "big-endian", "reversed", "rank 0", "empty"],
)
def test_layouts(array, tmp_path):
    np.save(tmp_path / "x.npy", array)
    np.testing.assert_array_equal(files.read_value(str(tmp_path / "x.npy"), "x", F32, LIMIT), array)


def test_npz_by_name_or_alone(tmp_path):
    np.savez(tmp_path / "two.npz", a=A, b=A + 1)
    np.savez_compressed(tmp_path / "one.npz", whatever=A)
    np.testing.assert_array_equal(files.read_value(str(tmp_path / "two.npz"), "b", F32, LIMIT), A + 1)
    np.testing.assert_array_equal(files.read_value(str(tmp_path / "one.npz"), "b", F32, LIMIT), A)
    with pytest.raises(InvalidInput) as caught:
        files.read_value(str(tmp_path / "two.npz"), "c", F32, LIMIT)
    assert "'a', 'b'" in str(caught.value)


def test_raw_bytes_take_the_parameters_type_and_shape(tmp_path):
    (tmp_path / "x.bin").write_bytes(bytes([0x21, 0x03]))
    found = files.read_value(str(tmp_path / "x.bin"), "x", fact("u4", 3), LIMIT)
    assert found.astype(int).tolist() == [1, 2, 3]
    with pytest.raises(InvalidInput) as caught:
        files.read_value(str(tmp_path / "x.bin"), "x", fact("u4", 5), LIMIT)
    assert (caught.value.fields["found"], caught.value.fields["wanted"]) == (2, 3)
    with pytest.raises(InvalidInput):
        files.read_value(str(tmp_path / "x.bin"), "x", fact("u4", "?"), LIMIT)


class TestNothingIsTrusted:
    def test_pickles_are_refused_by_name(self, tmp_path):
        np.save(tmp_path / "x.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
        with pytest.raises(Unsupported) as caught:
            files.read_value(str(tmp_path / "x.npy"), "x", F32, LIMIT)
        assert caught.value.fields["path"].endswith("x.npy")
        (tmp_path / "y.npy").write_bytes(pickle.dumps(A))
        with pytest.raises(InvalidInput):
            files.read_value(str(tmp_path / "y.npy"), "x", F32, LIMIT)

    def test_a_header_that_claims_more_than_the_file_has(self, tmp_path):
        np.save(tmp_path / "x.npy", A)
        whole = (tmp_path / "x.npy").read_bytes()
        (tmp_path / "x.npy").write_bytes(whole.replace(b"(2, 3)", b"(9, 9)"))
        with pytest.raises(InvalidInput) as caught:
            files.read_value(str(tmp_path / "x.npy"), "x", F32, LIMIT)
        assert (caught.value.fields["wanted"], caught.value.fields["found"]) == (324, 24)
        (tmp_path / "x.npy").write_bytes(whole.replace(b"(2, 3), }      ", b"(99999999999,)}"[:15]))
        with pytest.raises(AddisonError):
            files.read_value(str(tmp_path / "x.npy"), "x", F32, LIMIT)

    def test_a_limit_comes_before_the_bytes(self, tmp_path):
        np.save(tmp_path / "x.npy", A)
        with pytest.raises(LimitExceeded) as caught:
            files.read_value(str(tmp_path / "x.npy"), "x", F32, 23)
        assert (caught.value.fields["found"], caught.value.fields["limit"]) == (24, 23)
        with zipfile.ZipFile(tmp_path / "x.npz", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("x.npy", bytes(50 << 20))  # 50 MB out of 50 KB
        with pytest.raises(LimitExceeded) as caught:
            files.read_value(str(tmp_path / "x.npz"), "x", F32, LIMIT)
        assert caught.value.fields["found"] == 50 << 20

    def test_a_file_cut_anywhere(self, tmp_path):
        np.save(tmp_path / "x.npy", A)
        np.savez(tmp_path / "x.npz", x=A)
        for suffix in ("npy", "npz"):
            whole = (tmp_path / f"x.{suffix}").read_bytes()
            for length in range(0, len(whole), 3):
                (tmp_path / f"cut.{suffix}").write_bytes(whole[:length])
                with pytest.raises(AddisonError):
                    files.read_value(str(tmp_path / f"cut.{suffix}"), "x", F32, LIMIT)

    @pytest.mark.parametrize(
        "says",
        [
            "",
            "[]",
            "{}",
            "null",
            '{"schema": "other/1"}',
            "[" * 100_000,
            '{"schema": "addison/array/1", "element_type": "x", "shape": []}',
            '{"schema": "addison/array/1", "element_type": "u4", "shape": [-3]}',
            '{"schema": "addison/array/1", "element_type": "u4", "shape": 3}',
        ],
    )
    def test_a_sidecar_that_describes_nothing(self, says, tmp_path):
        (tmp_path / "x.bin").write_bytes(b"\0\0")
        (tmp_path / "x.bin.json").write_text(says)
        with pytest.raises(InvalidInput) as caught:
            files.read_value(str(tmp_path / "x.bin"), "x", fact("u4", 3), LIMIT)
        assert caught.value.fields["path"].endswith("x.bin.json")

    @pytest.mark.parametrize("path", ["none.npy", "none.bin", "none.npz", "net.xml", "x", ".", "nul\0.npy"])
    def test_files_that_are_not_there_or_no_arrays(self, path, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        with pytest.raises(InvalidInput):
            files.read_value(path, "x", F32, LIMIT)


class TestFileNames:
    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("add", "add"),
            ("a/b:0", "a%2Fb%3A0"),
            ("../../etc", "%2E.%2F..%2Fetc"),
            ("", "unnamed"),
            ("a\0b", "a%00b"),
            (".", "%2E"),
            ("é", "%C3%A9"),
            ("a b", "a%20b"),
            ("\x1b[31m", "%1B%5B31m"),
            ("\ud800", "%ED%A0%80"),
        ],
    )
    def test_escaping(self, name, wanted):
        assert files.file_name(name, set()) == wanted

    def test_long_names_are_cut_and_equal_ones_told_apart(self):
        taken = set()
        names = [
            files.file_name("x" * 1000, taken),
            files.file_name("x" * 999, taken),
            files.file_name("X" * 999, taken),
        ]
        assert len({name.lower() for name in names}) == 3
        assert max(map(len, names)) < 200


def interrupted(folder):
    with files.writing(str(folder)) as pending:
        files.add_value(pending, "x", "x", A)
        raise KeyboardInterrupt


def test_nothing_half_written_is_left(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput), files.writing(str(tmp_path / "file" / "under")):
        pass
