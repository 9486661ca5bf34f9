"""Ports of layers and their dimensions, straight from the parser's events."""

from __future__ import annotations

import re
from collections.abc import Callable

from addison.clipping import quoted
from addison.ir import codes, spelling
from addison.ir.drafts import Draft
from addison.ir.events import IGNORED, Context
from addison.ir.metadata import Notes
from addison.ir.model import Note, Port, make_port
from addison.ir.numbers import Numbers, Sizes, no_number
from addison.ir.report import Report
from addison.spec.shapes import LARGEST_SHAPE_RANK, LARGEST_SIZE


class Ports:
    """Reads the ports of whichever layer is on top of ``drafts``; ``texts`` has the text of the dimension that ends."""

    def __init__(
        self, report: Report, numbers: Numbers, drafts: list[Draft], texts: list[str], note: Callable[[Note], None]
    ) -> None:
        self.report = report
        self.numbers = numbers
        self.drafts = drafts
        self.port: dict[str, str] = {}
        self.port_at = 0
        self.dims: list[int] = []
        sizes = Sizes(self._read_dim)

        def close_dim() -> None:  # called for every dimension of a file: no attribute is looked up but one
            self.dims.append(sizes["".join(texts)])

        dim = Context({}, close_dim, self._inside_dim, text=True)
        self.in_input = Context({"dim": dim, "rt_info": Notes(note, "input").context()}, self._close_input)
        self.in_output = Context({"dim": dim, "rt_info": Notes(note, "output").context()}, self._close_output)

    def input_port(self, attributes: dict[str, str], byte: int) -> Context:
        self.port, self.port_at, self.dims = attributes, byte, []
        return self.in_input

    def output_port(self, attributes: dict[str, str], byte: int) -> Context:
        self.port, self.port_at, self.dims = attributes, byte, []
        return self.in_output

    def _close_input(self) -> None:
        self._close_port(self.drafts[-1].inputs)

    def _close_output(self) -> None:
        precision = self.port.get("precision")
        if not precision or spelling.port_precision(precision) is None:
            self._bad_precision(precision, self.port_at)
        self._close_port(self.drafts[-1].outputs)

    def _close_port(self, ports: list[Port]) -> None:
        get = self.port.get
        number, names, dims = self.numbers[get("id")], get("names"), tuple(self.dims)
        if number is None:
            no_number(self.report, self.numbers, self.port, ("id",), self.port_at, "port")
            return
        if len(dims) > LARGEST_SHAPE_RANK:
            self.report.add(
                codes.LIMIT,
                self.port_at,
                f"a port has {len(dims)} dimensions; at most {LARGEST_SHAPE_RANK} are read",
                limit=LARGEST_SHAPE_RANK,
                found=len(dims),
            )
            dims = ()
        ports.append(
            make_port((number, get("precision", ""), dims, spelling.names(names) if names else (), self.port_at))
        )

    def _bad_precision(self, precision: str | None, byte: int) -> None:
        if not precision:
            self.report.add(
                codes.NO_PRECISION,
                byte,
                "an output port without precision, which OpenVINO does not read",
                attribute="precision",
                help="write FP32, FP16, I64, ...",
                found=precision,
            )
        else:
            self.report.add(
                codes.BAD_TYPE,
                byte,
                f"precision is {quoted(precision)}, which is no element type",
                attribute="precision",
                help="write FP32, FP16, I64, ...",
                found=precision,
            )

    def _inside_dim(self, tag: str, attributes: dict[str, str], byte: int) -> Context:
        self.report.add(
            codes.BAD_DIM, byte, f"<{quoted(tag)[1:-1]}> inside a <dim>", help="write a whole number, or -1", found=tag
        )
        return IGNORED

    def _read_dim(self, text: str) -> tuple[int, bool]:
        """A dimension, and whether it is written as one."""
        found = re.match(r"\s*([+-]?\d{1,25})(.*)", text, re.ASCII | re.DOTALL)
        size = int(found[1]) if found else None
        if found is None or size is None or not -1 <= size <= LARGEST_SIZE:
            self.report.add(
                codes.BAD_DIM,
                self.port_at,
                f"the dimension {quoted(text)} is no size",
                help="write a whole number, or -1 when it is not known",
                found=text,
            )
            return -1, False
        if found[2].strip():
            self.report.add(
                codes.SLOPPY_DIM,
                self.port_at,
                f"the dimension {quoted(text)} is read as {size}",
                help="write a whole number, or -1 when it is not known",
                found=text,
                read=size,
            )
        return size, not found[2].strip()
