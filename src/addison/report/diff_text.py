"""What two models differ in, in words."""

from __future__ import annotations

from addison.report.diff import Change, Difference, Lone
from addison.report.escape import escape
from addison.report.markup import brief
from addison.report.show_rows import number
from addison.report.text import PLAIN, Style

_LONGEST = 300


def text(found: Difference, style: Style = PLAIN) -> str:
    """A line in sum, then what was removed (-), added (+) and changed (~)."""
    lines = [f"{escape(found.a)} -> {escape(found.b)}: {_sum(found)}"]
    lines += [f"~ model{_change(one)}" for one in found.model]
    lines += [style.paint(f"- {_lone(one)}", "error") for one in found.removed]
    lines += [style.paint(f"+ {_lone(one)}", "info") for one in found.added]
    for layer in found.changed:
        renamed = next((one for one in layer.changes if one.what == "name"), None)
        name = f"{_shown(layer.path)} -> {_side(renamed.b)}" if renamed else _shown(layer.path)
        lines.append(f"~ {name}  {_shown(layer.type)}")
        lines += [f"   {_change(one)}" for one in layer.changes if one is not renamed]
    if found.unseen:
        path, why = found.unseen[0]
        more = f" and {number(len(found.unseen) - 1, 'more constant')}" if len(found.unseen) > 1 else ""
        lines.append(f"not compared: the bits of {_shown(path)}{more}: {why}")
    return "\n".join(lines)


def _sum(found: Difference) -> str:
    parts = [
        f"{number(len(layers), 'layer')} {word}"
        for layers, word in ((found.removed, "removed"), (found.added, "added"), (found.changed, "changed"))
        if layers
    ]
    parts += [f"{number(len(found.model), 'property')} of the model".replace("propertys", "properties")] * bool(
        found.model
    )
    return (
        ", ".join(parts) + f"; {found.same:,} the same" if parts else f"no difference in {number(found.same, 'layer')}"
    )


def _lone(one: Lone) -> str:
    outputs = ", ".join(one.outputs[:3]) + (f" and {len(one.outputs) - 3:,} more" if len(one.outputs) > 3 else "")
    inside = f" with {number(one.inside, 'layer')} inside" if one.inside else ""
    return f"{_shown(one.path) or f'(id {one.id})'}  {_shown(one.type)}  {outputs}".rstrip() + inside


def _change(one: Change) -> str:
    if one.bits is not None:
        return f" constant: {one.bits.says}"
    what = f"{one.what} {_shown(one.key)}" if one.key else one.what
    return f" {what}: {_side(one.a)} -> {_side(one.b)}"


def _side(value: str | None) -> str:
    return "(none)" if value is None else _shown(value) or '""'


def _shown(text: str) -> str:
    return brief(text, _LONGEST)
