"""Models for tests of what is shown of them."""

from xml.sax.saxutils import quoteattr

from addison.checker.check import check
from addison.ir.reader import examine
from addison.report.picture import Album
from tests.ir.build import const, layer, net, parameter, port, result, sum_of, tag

HOSTILE = "</title></script><script>window.hurt=1</script><img src=x onerror=hurt()>\"'&amp;]]>\u202e--><!--"
"""A name that would run, or end what it stands in, if anything let it."""


def named(name, text=None):
    """The model a + b, or another, with this name for its Add."""
    text = sum_of() if text is None else text
    assert 'name="add"' in text
    return text.replace('name="add"', f"name={quoteattr(name)}")


def album(text, weights=None, file="net.xml"):
    """The model of a text, or of bytes, with everything found in it."""
    model, findings = examine(text.encode() if isinstance(text, str) else text, weights)
    known = {(one.code, str(one.at)) for one in findings}
    more = [one for one in check(model) if (one.code, str(one.at)) not in known]
    return Album(model, sorted([*findings, *more], key=lambda one: one.order), file)


def wired(count, pairs, constants=()):
    """Layers 0 to count-1 named n0, n1, ...; each pair is an edge. Layers without inputs are Parameters, or constants
    when they are among those; the others are of no known operation."""
    inputs = [[a for a, b in pairs if b == node] for node in range(count)]
    made, wires = [], []
    for node, sources in enumerate(inputs):
        outputs = [port(100, (2, 3))]
        if node in constants:
            made.append(
                const(node, "f32", "2, 3", 0, 24, name=f"n{node}").replace('id="0" precision', 'id="100" precision')
            )
        elif not sources:
            made.append(parameter(node, f"n{node}", "2,3", outputs=outputs))
        else:
            ports = [port(k) for k in range(len(sources))]
            made.append(layer(node, f"n{node}", "Strange", inputs=ports, outputs=outputs))
        wires += [(a, 100, node, k) for k, a in enumerate(sources)]
    return net(made, wires)


def clashing():
    """[2,3] + [4]: an error, whose edges are both Parameters'."""
    return sum_of(b=parameter(1, "b", "4"))


def with_bodies(name="if"):
    """An If whose two bodies are a + b each; in the else-body the shapes clash."""

    def body(kind, inner):
        inside = inner.partition("<layers>")[2].removesuffix("</net>")
        return tag(kind, {}, f"<layers>{inside}")

    choice = layer(
        9, name, "If", version="opset8", inputs=[port(0)], outputs=[port(1, (2, 3))],
        tail=body("then_body", sum_of()) + body("else_body", clashing()),
    )  # fmt: skip
    return net([parameter(0, "x"), choice, result(3, "y")], [(0, 0, 9, 0), (9, 1, 3, 0)])
