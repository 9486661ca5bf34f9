"""Files made to do harm, each written into a folder by one function, and the command lines a user would try on them."""

import os
import random
import struct
import threading
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tests.ir.build import FLOATS, add, const, edges, layer, net, parameter, port, result, sum_of

Command = Sequence[str]
Make = Callable[[Path], Sequence[Command] | None]
CASES: dict[str, Make] = {}
"""What is made, by its name. A function gives the command lines; None stands for every verb on ``net.xml``."""

EVERY_VERB = (
    *(("check", "net.xml", *more) for more in ((), ("--format", "json"))),
    *(("show", "net.xml", "--format", form) for form in ("text", "json", "svg", "html")),
    *(("shapes", "net.xml", "--all", *more) for more in ((), ("--format", "json"))),
    ("run", "net.xml", "--memory", "64M", "-o", "out"),
)


def case(name: str) -> Callable[[Make], Make]:
    def keep(make: Make) -> Make:
        CASES[name] = make
        return make

    return keep


def model(name: str, text: Callable[[], str | bytes]) -> None:
    """A case that is one file, tried with every verb."""

    def make(folder: Path) -> None:
        made = text()
        (folder / "net.xml").write_bytes(made if isinstance(made, bytes) else made.encode())

    CASES[name] = make


def root(inside: str) -> str:
    return f'<net name="m" version="11">{inside}</net>'


def layers(*inside: str, tail: str = "") -> str:
    return root(f"<layers>{''.join(inside)}</layers>{tail}")


def bare(number: object, name: str = "x", inside: str = "") -> str:
    return layer(number, name, "Something", version="opset1", inside=inside)


def attributes(count: int) -> str:
    return " ".join(f'a{i:x}=""' for i in range(count))


def entities(depth: int) -> str:
    inside = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, depth))
    return f'<!DOCTYPE net [<!ENTITY e0 "ha">{inside}]>' + root(f"&e{depth - 1};")


def nested(depth: int, name: str, innermost: str) -> str:
    """Bodies in bodies."""
    opened = f'<layers><layer id="0" name="{name}" type="If" version="opset8"><then_body>'
    return root(opened * depth + innermost + "</then_body></layer></layers>" * depth)


def chain(count: int, dims: Sequence[object] = (2, 3)) -> str:
    """A parameter, and so many Adds of what came before to itself."""
    inside = [parameter(0, "a"), *(add(i, f"add_{i}", outputs=[port(2, dims)]) for i in range(1, count))]
    wires = [(i - 1, 2 if i > 1 else 0, i, slot) for i in range(1, count) for slot in (0, 1)]
    return net([*inside, result(count)], [*wires, (count - 1, 2, count, 0)])


model("entities that grow tenfold, 30 deep", lambda: entities(30))
model("one entity used 50,000 times", lambda: f'<!DOCTYPE net [<!ENTITY a "{"x" * 50_000}">]>' + root("&a;" * 50_000))
model("elements 100,000 deep", lambda: root("<a>" * 100_000))
model("bodies 80 deep", lambda: nested(80, "x", ""))
model(
    "bodies 60 deep under long names",
    lambda: nested(60, "n" * 16_000, "<layers>" + "".join(map(bare, range(5_000))) + "</layers>"),
)
model("a million attributes in a tag", lambda: f"<net {attributes(1_000_000)}/>")
model("500,000 attributes in 2,500 tags", lambda: layers(bare(0, inside=f"<x {attributes(200)}/>" * 2_500)))
model("a tag that never ends", lambda: "<net><" + "a" * 10_000_000)
model("attributes that never end", lambda: "<net><a " + "b='c' " * 2_000_000)
model(
    "250 misspelt attributes in a tag of half a megabyte",
    lambda: sum_of(
        add_layer=add(inside="<data " + " ".join(f'auto_broadcas{i}="{"v" * 2_000}"' for i in range(250)) + "/>")
    ),
)
model(
    "dims of 2^63",
    lambda: sum_of(
        a=parameter(shape="9223372036854775808"), b=parameter(1, "b", "9223372036854775807,9223372036854775807")
    ),
)
model(
    "a shape whose product overflows",
    lambda: sum_of(
        a=parameter(shape=",".join(["9223372036854775806"] * 8)),
        b=const(shape=",".join(["4294967296"] * 8), size=2**64 - 1),
    ),
)
model(
    "numbers of a million digits",
    lambda: sum_of(
        a=parameter(shape="9" * 1_000_000),
        b=const(shape="2,3", offset="9" * 1_000_000, size="9" * 1_000_000),
        add_layer=add("9" * 1_000_000, outputs=[port(2, ["9" * 1_000_000])]),
    ),
)
model(
    "every number at its limit",
    lambda: net(
        [parameter(2**63 - 1, shape=""), add(2**63 - 2, outputs=[port(2**63 - 1, [2**63 - 1, -1])]), result(0)],
        [(2**63 - 1, 0, 2**63 - 2, 0), (2**63 - 2, 2**63 - 1, 0, 0)],
    ),
)
model("15,000 layers", lambda: layers(*map(bare, range(15_000))))
model("1,500 Adds in a row", lambda: chain(1_500))
model("1,500 Adds that are declared wrong, in one line", lambda: chain(1_500, (7, 7)))
model("50,000 faults, a line each", lambda: layers(*["<layer/>\n"] * 12_500))
model("4,000 faults in one line", lambda: layers(*["<layer/>"] * 1_000))
model("4,000 faults in one line that is not ASCII", lambda: layers(*["<layer/><!-- \u00e9\U0001f600 -->"] * 1_000))
model(
    "3,000 faults in two long lines by turns",
    lambda: layers(*(bare(i) for i in range(1_500)), "\n", *(bare(i) for i in range(5_000))),
)
model("ten million lines", lambda: layers(parameter(0, shape="x"), "\n" * 10_000_000, parameter(0, shape="y")))
model("one edge 5,000 times", lambda: layers(bare(0), tail=edges([(0, 0, 0, 0)] * 5_000)))
model("nothing", lambda: b"")
model("zeros", lambda: bytes(1_000_000))
model("a NUL in a name", lambda: sum_of().replace('"add"', '"ad\0d"'))
model("noise", lambda: random.Random(1).randbytes(1_000_000))
model("noise after <", lambda: b"<" + random.Random(2).randbytes(1_000_000))
for _codec in ("utf-16-le", "utf-16-be"):
    for _declared in ("utf-16", "utf-8"):
        for _mark in ("", "\ufeff"):
            model(
                f"{_codec} that says {_declared}, {'a' if _mark else 'no'} mark",
                lambda c=_codec, d=_declared, m=_mark: (
                    m + sum_of(b=parameter(1, "\u00e9\U0001f600", "9")).replace('"1.0"', f'"1.0" encoding="{d}"')
                ).encode(c),
            )
model("UTF-8 that says UTF-16", lambda: sum_of().replace('"1.0"', '"1.0" encoding="utf-16"'))
model("UTF-16, 4,000 faults in one line", lambda: ("\ufeff" + layers(*["<layer/>"] * 1_000)).encode("utf-16-le"))


def weighed(folder: Path) -> None:
    """a + c, where c lies in net.bin."""
    (folder / "net.xml").write_text(sum_of(b=const()))


@case("100,000 layers with one id")
def _(folder: Path) -> Sequence[Command]:
    (folder / "net.xml").write_text(layers(*[bare(0)] * 100_000))
    return EVERY_VERB[:1]


@case("weights that are empty")
def _(folder: Path) -> None:
    weighed(folder)
    (folder / "net.bin").write_bytes(b"")


@case("weights that are a folder")
def _(folder: Path) -> None:
    weighed(folder)
    (folder / "net.bin").mkdir()


@case("weights that are a link to nothing, and to themselves")
def _(folder: Path) -> Sequence[Command]:
    weighed(folder)
    (folder / "net.bin").symlink_to("nowhere")
    (folder / "ring.bin").symlink_to("ring.bin")
    return [*EVERY_VERB, ("check", "net.xml", "--weights", "ring.bin")]


@case("weights that are 100 GB of nothing")
def _(folder: Path) -> None:
    elements = 25 << 30
    (folder / "net.xml").write_text(
        sum_of(a=parameter(shape=f"{elements}"), b=const(shape=f"{elements}", size=4 * elements))
    )
    with (folder / "net.bin").open("wb") as file:
        file.truncate(4 * elements)


@case("weights that are a device without an end")
def _(folder: Path) -> None:
    weighed(folder)
    (folder / "net.bin").symlink_to("/dev/zero")


@case("weights that are a pipe that nobody writes to")
def _(folder: Path) -> None:
    weighed(folder)
    os.mkfifo(folder / "net.bin")


@case("weights that are a pipe")
def _(folder: Path) -> Sequence[Command]:
    weighed(folder)
    return (
        [("check", "net.xml", "--weights", "pipe"), ("run", "net.xml", "--weights", "pipe")]
        if fed(folder / "pipe", FLOATS)
        else []
    )


def fed(pipe: Path, content: bytes) -> bool:
    """A pipe, and a thread that writes to it whenever somebody opens it to read."""
    os.mkfifo(pipe)

    def write() -> None:
        while pipe.exists():
            with suppress(OSError), open(os.open(pipe, os.O_WRONLY), "wb") as file:  # noqa: PTH123
                file.write(content)

    threading.Thread(target=write, daemon=True).start()
    return True


@case("models that are no files")
def _(folder: Path) -> Sequence[Command]:
    fed(folder / "pipe.xml", sum_of().encode())
    (folder / "folder.xml").mkdir()
    odd = (
        "/dev/zero",
        "/dev/null",
        "/dev/full",
        "pipe.xml",
        "folder.xml",
        ".",
        "nowhere.xml",
        "net.xml/x",
        "n" * 5_000,
    )
    return [(verb, path) for verb in ("check", "show", "shapes", "run") for path in odd]


def npy(header: bytes, content: bytes = b"", version: int = 1) -> bytes:
    return (
        b"\x93NUMPY" + bytes((version, 0)) + struct.pack("<H" if version == 1 else "<I", len(header)) + header + content
    )


def described(descr: str, shape: str) -> bytes:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()


ARRAYS = {
    "empty": b"",
    "magic": b"\x93NUMPY",
    "noise": random.Random(3).randbytes(10_000),
    "version": npy(described("'<f4'", "(2, 3)"), version=9),
    "long header": b"\x93NUMPY\2\0\xff\xff\xff\xff" + b" " * 100,
    "python": npy(b"__import__('os').system('true')"),
    "deep": npy(b"(" * 60_000),
    "deep sums": npy(b"-" * 60_000 + b"1"),
    "objects": npy(described("'|O'", "(2, 3)"), b"cos\nsystem\n(S'true'\ntR."),
    "huge": npy(described("'<f4'", "(9223372036854775807, 9223372036854775807)")),
    "huge and empty": npy(described("'<f4'", "(0, 9223372036854775807)")),
    "overflow": npy(described("'<f4'", f"({2**62}, 4)")),
    "long digits": npy(described("'<f4'", f"({'9' * 5_000}, 4)")),
    "negative": npy(described("'<f4'", "(-2, -3)"), FLOATS),
    "bools": npy(described("'<f4'", "(True, 6)"), FLOATS),
    "wide elements": npy(described("'V2147483647'", "(2, 3)")),
    "zero elements": npy(described("'V0'", "(9223372036854775807,)")),
    "fields": npy(described("[('\u202e<script>\\x1b[31m', '<f4')]", "(2, 3)"), FLOATS),
    "subarrays": npy(described("('<f4', (1000000, 1000000))", "(2, 3)")),
    "many dims": npy(described("'<f4'", f"({'1, ' * 70})"), FLOATS),
    "escapes": npy(b"{'descr': '\\\x1b[31m\\\x9b'}"),
    "names": npy(b"{'\x1b]0;x\x07\xc2\x9b\xe2\x80\xae<script>': 1}"),
    "dates": npy(described("'<M8[ns]'", "(2, 3)"), bytes(48)),
    "strings": npy(described("'<U3'", "(2, 3)"), bytes(72)),
}


@case("arrays that are none")
def _(folder: Path) -> Sequence[Command]:
    (folder / "net.xml").write_text(sum_of())
    for name, content in ARRAYS.items():
        (folder / f"{name}.npy").write_bytes(content)
    with (folder / "sparse.npy").open("wb") as file:
        file.write(npy(described("'<f4'", f"({1 << 33},)")))
        file.truncate(4 << 33)
    with (folder / "header.npy").open("wb") as file:
        file.write(b"\x93NUMPY\2\0\xff\xff\xff\x7f")
        file.truncate(3 << 30)
    (folder / "zero.npy").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.npy")
    (folder / "folder.npy").mkdir()
    return [("run", "net.xml", "-i", f"a={path.name}") for path in sorted(folder.glob("*.npy"))]


@case("archives that are none, or are bombs")
def _(folder: Path) -> Sequence[Command]:
    (folder / "net.xml").write_text(sum_of())
    (folder / "empty.npz").write_bytes(b"")
    (folder / "noise.npz").write_bytes(b"PK\3\4" + random.Random(4).randbytes(10_000))
    (folder / "folder.npz").mkdir()
    (folder / "zero.npz").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.npz")
    shape = f"({1 << 24},)"
    header = npy(described("'<f4'", shape))
    with zipfile.ZipFile(folder / "bomb.npz", "w", zipfile.ZIP_DEFLATED) as file, file.open("a.npy", "w") as member:
        member.write(header)
        for _ in range(64):
            member.write(bytes(1 << 20))
    with zipfile.ZipFile(folder / "header.npz", "w", zipfile.ZIP_DEFLATED) as file, file.open("a.npy", "w") as member:
        member.write(b"\x93NUMPY\2\0\xff\xff\xff\x0f")
        for _ in range(257):
            member.write(b" " * (1 << 20))
    with zipfile.ZipFile(folder / "names.npz", "w") as file:
        for name in ("\x1b]0;x\x07", "<script>", "\u202e", "../../a", "a\nb"):
            file.writestr(f"{name}.npy", npy(described("'<f4'", "(2, 3)"), FLOATS[:24]))
    with zipfile.ZipFile(folder / "same.npz", "w") as file:
        file.writestr("a.npy", b"x")
    whole = bytearray((folder / "names.npz").read_bytes())
    for number in range(0, len(whole), 7):
        whole[number] ^= 1 << number % 8
    (folder / "damaged.npz").write_bytes(whole)
    (folder / "cut.npz").write_bytes((folder / "bomb.npz").read_bytes()[:-5])
    return [
        ("run", "net.xml", "--memory", more, "-i", f"a={path.name}")
        for path in sorted(folder.glob("*.npz"))
        for more in ("16M", "300M")
    ]


SIDECARS = {
    "deep": "[" * 100_000,
    "infinite": "[1e999]",
    "nan": "[NaN]",
    "digits": f"[{'9' * 5_000}]",
    "negative": "[-1]",
    "large": "[9223372036854775807, 9223372036854775807]",
    "null": "null",
    "words": '"\u0001\u202e"',
    "ranks": f"[{'1,' * 300_000}1]",
    "number": '[2, 3], "element_type": 5',
    "list": '[2, 3], "element_type": ["f32"]',
    "schema": '[2, 3], "schema": "\\u001b[31m\u202e<script>"',
    "half": '"\ud800"',
}
"""Shapes in the JSON beside a raw file, and what comes after them there."""


@case("raw values, described wrongly")
def _(folder: Path) -> Sequence[Command]:
    (folder / "net.xml").write_text(sum_of())
    (folder / "none.xml").write_text(sum_of(a=parameter(shape="0"), b=parameter(1, "b", "0")))
    for name, shape in SIDECARS.items():
        text = f'{{"schema": "addison/array/1", "element_type": "f32", "shape": {shape}}}'
        (folder / f"{name}.bin").write_bytes(FLOATS[:24])
        (folder / f"{name}.bin.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    for name in ("endless", "waiting", "inside"):
        (folder / f"{name}.bin").write_bytes(FLOATS[:24])
    (folder / "endless.bin.json").symlink_to("/dev/zero")
    os.mkfifo(folder / "waiting.bin.json")
    (folder / "inside.bin.json").mkdir()
    (folder / "zero.bin").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.bin")
    (folder / "folder.bin").mkdir()
    raw = [path.name for path in sorted(folder.glob("*.bin"))]
    return [
        *(("run", "net.xml", "-i", f"a={name}") for name in raw),
        *(("run", "none.xml", "-i", f"a={name}") for name in ("zero.bin", "pipe.bin")),
    ]


@case("sums that are too large")
def _(folder: Path) -> Sequence[Command]:
    (folder / "net.xml").write_text(sum_of(a=parameter(shape="?,1"), b=parameter(1, "b", "1,?")))
    return [
        ("run", "net.xml", "--memory", "64M", "--set", f"a={size},1", "--set", f"b=1,{size}", *engine)
        for size in (100_000, 2**31, 2**62, "9" * 5_000, "1," * 5_000)
        for engine in ((), ("--engine", "oracle"))
    ]


@case("what explain is asked")
def _(folder: Path) -> Sequence[Command]:
    asked = (
        ("f64", "1e999999999"),
        ("f64", "9" * 100_000),
        ("f64", "0." + "0" * 100_000 + "1"),
        ("f64", "0x" + "f" * 100_000),
        ("f64", "1e" + "9" * 5_000),
        ("u64", "9" * 5_000, "1"),
        ("1," * 50_000 + "1", "1"),
        ("?," * 50_000 + "1", "..."),
        ("9" * 5_000, "1"),
        ("A" * 100_000,),
        ("\x1b]0;x\x07\u202e\x9b",),
        ("f32", "\x1b[31m"),
        ("f32\u202e", "1"),
        ("\x1b", "+", "\x9b"),
        ("1..\x1b", "2"),
        ("../../etc/passwd",),
        ("A302/../A302",),
        ("1_0", "\u0661"),
        ("", ""),
    )
    return [("explain", *more, "--", *words) for words in asked for more in ((), ("--format", "json"))] + [
        ("explain", "2,3", "3", "--auto-broadcast", "\x1b[31m"),
        ("explain", "2,3", "3", "--axis", "9" * 5_000),
        ("explain", "2,3", "3", "--axis", "\x1b"),
        ("shapes", "1," * 50_000 + "1", "\x1b"),
        ("shapes", "?" * 50_000, "1"),
    ]


@case("command lines with names that steer a terminal")
def _(folder: Path) -> Sequence[Command]:
    odd = "\x1b]0;x\x07\u202e\x9b<script>"
    (folder / f"{odd}.xml").write_text(sum_of(b=parameter(1, "b", "9")))
    (folder / "net.xml").write_text(sum_of())
    model = f"{odd}.xml"
    forms = ("text", "json", "svg", "html")
    return [
        *((verb, model, "--format", form) for verb in ("check", "shapes", "run") for form in forms[:2]),
        *(("show", model, "--format", form) for form in forms),
        ("show", model, "net.xml"),
        ("run", model, model),
        ("shapes", model, model),
        (odd,),
        ("check", f"--{odd}"),
        ("check", f"-{odd}"),
        ("check", "net.xml", "--format", odd),
        ("check", "net.xml", "--nibbles", odd),
        ("check", "net.xml", "--weights", odd),
        ("show", "net.xml", "--around", odd),
        ("show", "net.xml", "--body", odd),
        ("show", "net.xml", "--depth", odd),
        ("show", "net.xml", "--diff", model),
        ("show", model, "--diff", "net.xml"),
        ("show", "net.xml", "-o", f"{odd}/x"),
        ("run", "net.xml", "-i", odd),
        ("run", "net.xml", "-i", f"{odd}={odd}"),
        ("run", "net.xml", "-i", f"a={odd}.npy"),
        ("run", "net.xml", "--only", odd),
        ("run", "net.xml", "--layer", odd),
        ("run", "net.xml", "--set", f"{odd}=1"),
        ("run", "net.xml", "--set", f"a={odd}"),
        ("run", "net.xml", "--seed", odd),
        ("run", "net.xml", "--engine", odd),
        ("run", "net.xml", "--memory", odd),
        ("run", "net.xml", "-o", odd),
        ("check", model, f"nowhere{odd}", "\udc9b.xml", "\udcff\x1b.xml"),
    ]
