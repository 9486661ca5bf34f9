"""What a file is to OpenVINO: its own reading of it, as it would write that down. Equal answers, equal models."""

from pathlib import Path

import openvino

from addison.ir.reader import read_model
from addison.ir.writer import save_model

CORE = openvino.Core()


def again(xml: Path) -> tuple[str, bytes]:
    """The file and its weights, read and written by OpenVINO: every operation, name, attribute and byte it knows."""
    beside = xml.with_name(f"{xml.stem}-again.xml")
    openvino.serialize(CORE.read_model(xml), beside)
    return beside.read_text(encoding="utf-8"), beside.with_suffix(".bin").read_bytes()


def original(model: openvino.Model, folder: Path) -> Path:
    """The file that OpenVINO writes."""
    openvino.serialize(model, folder / "original.xml")
    return folder / "original.xml"


def saved(xml: Path, name: str = "saved.xml") -> Path:
    """The file that this package writes of it, beside it."""
    save_model(read_model(xml), xml.with_name(name))
    return xml.with_name(name)


def both_files(xml: Path) -> tuple[bytes, bytes]:
    return xml.read_bytes(), xml.with_suffix(".bin").read_bytes()
