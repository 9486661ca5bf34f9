"""``addison explain``: why an answer is what it is."""

from __future__ import annotations

import re

import click

from addison.cli.verb import Command, output_options
from addison.spec.elements import ELEMENTS


class _Values(Command):
    """Also takes values that begin with a minus sign: -32, -0.5, -.5, -inf, -nan."""

    _SHAPE = re.compile(r"-(\d|\.\d|inf|nan).*", re.IGNORECASE | re.DOTALL)


@click.command("explain", cls=_Values)
@click.argument("what", nargs=-1, required=True, metavar="CODE | TYPE | RULE | A + B | TYPE A + B")
@click.option(
    "--auto-broadcast", metavar="none|numpy|pdpd", default="numpy", show_default=True, help="The rule for two shapes."
)
@click.option("--axis", type=int, default=-1, show_default=True, help="Where b starts in a, under pdpd.")
@output_options
def command(what: tuple[str, ...], auto_broadcast: str, axis: int, form: str, quiet: bool) -> int:
    """Explain a finding, an element type, a broadcast rule, two shapes, or the sum of two values bit by bit.

    \b
    addison explain A302                     what check means by it
    addison explain f8e4m3                   its values, and how they lie in bytes
    addison explain pdpd                     what the rule does
    addison explain 2,3,4 + 5,3,2            axis by axis, and what would work
    addison explain 2,3,4 + 3 --auto-broadcast pdpd --axis 1
    addison explain f8e4m3 448 + -32         the exact sum, and what it is rounded to
    addison explain f8e4m3 0x7e + 0xe0       the same, written as codes
    addison explain bf16 0.1                 one value

    Values are decimals, which are rounded to the type first, inf, nan, or codes in 0x or 0b; the + may be left out. A
    clash that is explained is exit code 0.
    """
    from addison.reasons.explain import explain
    from addison.report.explain_json import document
    from addison.report.explain_text import text

    reason = explain(*_operands(what), auto_broadcast=auto_broadcast, axis=axis)
    if form == "json":
        from addison.report import json

        print(json.dumps(document(reason)))
    else:
        print(text(reason))
    return 0


def _operands(what: tuple[str, ...]) -> tuple[str, ...]:
    """What was asked, without the + before the last operand."""
    if what[-2:-1] == ("+",) and (len(what) == 4 or (len(what) == 3 and what[0] not in ELEMENTS)):
        what = (*what[:-2], what[-1])
    if "+" in what:
        raise click.UsageError("a + stands between two operands: 2,3 + 3, or f8e4m3 448 + -32")
    if len(what) > 3:
        raise click.UsageError(f"{len(what)} arguments; give a code, a type, a rule, A + B, or TYPE A + B")
    return what
