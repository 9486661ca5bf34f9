"""XML bytes, walked through a table of contexts, with the exact byte each tag starts at, under written limits.

expat does the parsing; a context says which elements may stand inside an element, and what to do with them. A document
type is refused before anything in it is read, so no entity is ever expanded; the file is fed in pieces, so a tag that
does not end is refused before it is held in memory twice.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import BinaryIO
from xml.parsers import expat

from addison.clipping import quoted
from addison.diagnostics import Source
from addison.ir import codes
from addison.ir.report import Report

LARGEST_FILE = 256 << 20
"""Bytes of XML that are read."""
LARGEST_TAG = 1 << 20
"""Bytes of one tag, with the text behind it."""
DEEPEST = 256
"""Elements open at once."""
MOST_ATTRIBUTES = 256
"""Attributes of one tag."""
MOST_ELEMENTS = 16_000_000
"""Elements of one file, counted after each piece."""
PIECE = 64 << 10
"""Bytes handed to the parser at once."""
ENCODINGS = ("utf-8", "utf-16", "utf-16le", "utf-16be", "iso-8859-1", "latin1", "us-ascii")
"""The encodings that may be declared, in any case. Others OpenVINO would take for UTF-8."""


Enter = Callable[[dict[str, str], int], "Context"]
"""What to do when an element starts: its attributes, and the byte its tag starts at, to what may stand inside it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What may stand inside an element, by tag: a Context for elements whose attributes do not matter, or a function.
    ``other`` is asked about any other tag (None: it is ignored, with all that is in it). ``close`` is called at its
    end.
    """

    children: Mapping[str, Enter | Context]
    close: Callable[[], object] | None = None
    other: Callable[[str, dict[str, str], int], Context] | None = None
    text: bool = False


IGNORED = Context({})


class Refused(Exception):
    """Raised inside a callback to stop the parser, and caught here; the finding is already in the report."""


_REMEDIES = {
    expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "remove what follows the closing tag of the root",
    expat.errors.XML_ERROR_DUPLICATE_ATTRIBUTE: "keep one of the two; OpenVINO would silently take the first",
    expat.errors.XML_ERROR_UNDEFINED_ENTITY: "XML has &lt; &gt; &amp; &quot; and &apos;, no other; write a character",
    expat.errors.XML_ERROR_BAD_CHAR_REF: "XML has no control characters, not even as &#...; (OpenVINO writes them so "
    "when a name holds one): rename it in the model and save again",
    expat.errors.XML_ERROR_INCORRECT_ENCODING: "save the file in the encoding that it declares, or as UTF-8",
    expat.errors.XML_ERROR_NO_ELEMENTS: "the file ends before its root; is it complete?",
    expat.errors.XML_ERROR_UNCLOSED_TOKEN: "the file ends inside a tag; is it complete?",
}


Comment = Callable[[str, Callable[[], int]], object]
"""What to do with a comment: its text, and a function that says at which byte the parser is."""


def read_events(
    stream: BinaryIO,
    source: Source,
    report: Report,
    outermost: Context,
    texts: list[str],
    comment: Comment | None = None,
) -> bool:
    """Walks the file through the contexts; True when the whole file is well-formed and within the limits.

    ``texts`` has the character data of the element that ends, if its Context asks for it. Everything that is wrong
    becomes a finding in ``report``. ``source.data`` grows with what was read.
    """
    parser = expat.ParserCreate()
    if hasattr(parser, "SetReparseDeferralEnabled"):
        parser.SetReparseDeferralEnabled(False)  # the limit on a tag's length already bounds the work
    parser.StartDoctypeDeclHandler = _doctype(parser, report)
    parser.XmlDeclHandler = _declaration(source, parser, report)
    if comment is not None:
        parser.CommentHandler = lambda text: comment(text, lambda: parser.CurrentByteIndex)
    counted = _walk(parser, report, outermost, texts)
    try:
        return _feed(stream, parser, source, report, counted)
    except Refused:
        return False
    except expat.ExpatError as fault:
        _syntax(fault, parser, report)
        return False
    finally:  # the callbacks know the parser, and the parser them: nothing of a file is kept by that ring
        parser.StartElementHandler = parser.EndElementHandler = None
        parser.StartDoctypeDeclHandler = parser.XmlDeclHandler = None
        parser.CharacterDataHandler = parser.CommentHandler = None


def _walk(parser: expat.XMLParserType, report: Report, outermost: Context, texts: list[str]) -> Callable[[], int]:
    """Sets the parser's two hot callbacks; returns a function that says how many elements have started."""
    stack: list[Context] = []
    context = outermost
    elements = 0
    leaf: Context | None = None  # an element that is open and has only text: it never reaches the stack
    push, pop = stack.append, stack.pop

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal context, elements, leaf
        elements += 1
        if attributes and len(attributes) > MOST_ATTRIBUTES:
            _limit(
                report,
                parser.CurrentByteIndex,
                f"a tag has {len(attributes)} attributes",
                MOST_ATTRIBUTES,
                len(attributes),
            )
        if leaf is not None:  # an element inside it, which makes it one as any other
            push(context)
            context, leaf = leaf, None
            parser.CharacterDataHandler = None
        enter = context.children.get(tag)
        if isinstance(enter, Context):
            if enter.text:
                texts.clear()
                parser.CharacterDataHandler = texts.append
                leaf = enter
            else:
                push(context)
                context = enter
            return
        push(context)
        if len(stack) > DEEPEST:
            _limit(report, parser.CurrentByteIndex, "elements are nested deeper", DEEPEST, len(stack))
        if enter is not None:
            context = enter(attributes, parser.CurrentByteIndex)
        else:
            context = context.other(tag, attributes, parser.CurrentByteIndex) if context.other else IGNORED

    def end(tag: str) -> None:
        nonlocal context, leaf
        if leaf is not None:
            # Most character data is the white space between tags, which costs a sixth of the walk to collect.
            parser.CharacterDataHandler = None
            close, leaf = leaf.close, None
        else:
            close = context.close
            context = pop()
        if close is not None:
            close()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    return lambda: elements


def _doctype(parser: expat.XMLParserType, report: Report) -> Callable[..., None]:
    def on_doctype(name: str, *rest: object) -> None:
        stands = parser.CurrentByteIndex  # at the declaration's end, or where entities begin
        start = report.source.data.rfind(b"<!DOCTYPE", 0, stands)
        report.add(
            codes.DOCTYPE,
            start if start >= 0 else stands,
            "the file declares a document type",
            help="remove the <!DOCTYPE ...>: an IR file needs none, and entities are never expanded",
            found=name,
        )
        raise Refused

    return on_doctype


def _declaration(
    source: Source,
    parser: expat.XMLParserType,
    report: Report,
) -> Callable[[str, str | None, int], None]:
    def on_declaration(version: str, encoding: str | None, standalone: int) -> None:
        if encoding and encoding.lower() not in ENCODINGS:
            report.add(
                codes.XML_SYNTAX,
                max(parser.CurrentByteIndex, 0),
                f"the encoding {quoted(encoding)} is not read",
                help="save the file as UTF-8",
                reason="unknown encoding",
                found=encoding,
                wanted=ENCODINGS,
            )
            raise Refused
        if encoding and not source.encoding.startswith("utf-16"):
            source.encoding = encoding

    return on_declaration


def _limit(report: Report, byte: int, says: str, limit: int, found: int) -> None:
    report.add(codes.LIMIT, byte, f"{says}; at most {limit} are read", limit=limit, found=found)
    raise Refused


def _feed(
    stream: BinaryIO,
    parser: expat.XMLParserType,
    source: Source,
    report: Report,
    counted: Callable[[], int],
) -> bool:
    data = bytearray()
    source.data = data
    open_bytes = 0  # since the last event: a tag that has not ended, or a long text
    while piece := stream.read(min(PIECE, LARGEST_TAG + 1 - open_bytes)):
        if not data and not _starts_like_xml(piece, source, report):
            return False
        data += piece
        if len(data) > LARGEST_FILE:
            _limit(report, 0, "the file has more bytes", LARGEST_FILE, len(data))
        parser.Parse(piece, False)
        if counted() > MOST_ELEMENTS:
            _limit(report, max(parser.CurrentByteIndex, 0), "the file has more elements", MOST_ELEMENTS, counted())
        open_bytes = len(data) - max(parser.CurrentByteIndex, 0)
        if open_bytes > LARGEST_TAG:
            _limit(report, len(data) - open_bytes, "a tag, comment or text has more bytes", LARGEST_TAG, open_bytes)
    if not data:
        report.add(codes.NOT_IR, 0, "the file is empty", help="give the .xml of an OpenVINO IR")
        return False
    parser.Parse(b"", True)
    return True


def _starts_like_xml(piece: bytes, source: Source, report: Report) -> bool:
    """The first character is ``<``, in UTF-8 or UTF-16, with or without a byte-order mark."""
    if piece[:2] in (b"\xff\xfe", b"\xfe\xff") or piece[:2] in (b"<\0", b"\0<"):
        source.encoding = "utf-16"
        return True
    if piece.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"<", b""):
        return True
    report.add(
        codes.NOT_IR,
        0,
        "the file is not XML: it does not start with <",
        help="give the .xml of an OpenVINO IR; the .bin beside it holds the weights",
    )
    return False


def _syntax(fault: expat.ExpatError, parser: expat.XMLParserType, report: Report) -> None:
    says = expat.ErrorString(fault.code) or "not well-formed"
    report.add(
        codes.XML_SYNTAX,
        max(parser.ErrorByteIndex, 0),
        f"the XML is broken here: {says}",
        help=_REMEDIES.get(says, ""),
        reason=says,
    )


def open_source(xml: str | bytes) -> tuple[BinaryIO, Source]:
    """A stream over a file or over XML given as bytes, and the Source that findings point into."""
    if isinstance(xml, bytes):
        return io.BytesIO(xml), Source("<bytes>", b"")
    return open(xml, "rb"), Source(xml, b"")  # noqa: PTH123 - the reader closes it
