"""A picture as a tree of lines in columns, for files and pipes."""

from __future__ import annotations

from addison.report.boxes import columns
from addison.report.escape import escape
from addison.report.picture import Album, Picture
from addison.report.show_rows import headline, remarks, rows

_WIDEST = 44


def text(album: Album, picture: Picture) -> str:
    """The tree: bodies further right than the layers they belong to, a + before each Add.

    >>> from addison import read_model
    >>> album = Album(read_model("examples/none.xml"), (), "none.xml")
    >>> print(text(album, album.picture(0)))
    none.xml: none, IR v11, 4 layers, 1 Add, no findings
      a           Parameter         u8 [256,56]
      b           Parameter         u8 [256,56]
    + sum         Add none   a + b  u8 [256,56]
      sum/result  Result     sum
    """
    shown = rows(album, picture)
    cells = [row for row in shown if row.type]
    names = min(max((2 * row.depth + columns(row.name) for row in cells), default=0), _WIDEST)
    types = min(max((columns(row.type) for row in cells), default=0), _WIDEST)
    inputs = min(max((columns(row.inputs) for row in cells if row.outputs), default=0), _WIDEST)
    lines = [f"{escape(album.file)}: {headline(album, picture)}"]
    for row in shown:
        indent = "  " * row.depth
        if not row.type:
            lines.append(f"  {indent}{row.name}")
            continue
        mark = "+ " if row.kind == "add" else "  "
        line = mark + _padded(indent + row.name, names) + "  " + _padded(row.type, types)
        lines.append(f"{line}  {_padded(row.inputs, inputs)}  {row.outputs}".rstrip())
    return "\n".join([*lines, *remarks(album, picture)])


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns(text))
