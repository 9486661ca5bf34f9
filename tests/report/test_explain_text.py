"""Explanations as text, a handful written by hand in full."""

import pytest

from addison import explain
from addison.report.blocks import Heading, Lines, Table, Title, Verbatim
from addison.report.explain_text import _block, text
from tests.same_bits import NAMES

EXPECTED = {
    ("f8e4m3", "448", "-32"): """\
f8e4m3: 448 + -32 = 416

        code  sign     exponent       mantissa           value
a       0x7e  0     +  1111      2^8  110       1 + 6/8    448
b       0xe0  1     -  1100      2^5  000       1          -32
result  0x7d  0     +  1111      2^8  101       1 + 5/8    416

exact sum  416
exact      416 is a value of f8e4m3: nothing is rounded""",
    ("u4", "15", "0x1"): """\
u4: 15 + 0x1 (1) = 0

        code  bits      value
a       0xf   1111  15     15
b       0x1   0001  1       1
result  0x0   0000  0       0

exact sum  16
wrap       16 is past 15, so it wraps modulo 2^4: 16 - 16 = 0""",
    ("bf16", "0.1", "1"): """\
bf16: 0.1 (0.10009765625) + 1 = 1.1015625

        code    sign     exponent        mantissa                      value
a       0x3dcd  0     +  01111011  2^-4  1001101   1 + 77/128  0.10009765625
b       0x3f80  0     +  01111111  2^0   0000000   1                       1
result  0x3f8d  0     +  01111111  2^0   0001101   1 + 13/128      1.1015625

a          0.1 becomes a value of bf16 first: nearer to 0.10009765625 (0.00009765625 away) than to 0.099609375 \
(0.000390625 away)
exact sum  2253/2048 = 1.10009765625
below      1.09375 (0x3f8c), 0.00634765625 away
above      1.1015625 (0x3f8d), 0.00146484375 away
nearest    nearer to 1.1015625 (0.00146484375 away) than to 1.09375 (0.00634765625 away)""",
    ("f16", "nan", "1"): """\
f16: nan + 1 = nan

        code    sign     exponent            mantissa                value
a       0x7e00  0     +  11111     all ones  1000000000  not 0: NaN    nan
b       0x3c00  0     +  01111     2^0       0000000000  1               1
result  0x7e00  0     +  11111     all ones  1000000000  not 0: NaN    nan

exact sum  nan
nan        a is NaN, and NaN plus anything is NaN; the canonical NaN of f16 is 0x7e00, and any of its NaNs is right""",
    ("u3",): """\
u3

3 bits, no sign: 0 to 7.
A sum wraps modulo 2^3; it never saturates.

all values
code  bits  value
0x0   000       0  zero
0x1   001       1  one
0x2   010       2
0x3   011       3
0x4   100       4
0x5   101       5
0x6   110       6
0x7   111       7  largest

8 elements in 3 bytes
bit       7    6    5    4    3    2    1    0
byte 0  0.1  0.0  1.1  1.0  2.1  2.0  3.1  3.0
byte 1  4.1  4.0  5.1  5.0  6.1  6.0  7.1  7.0
byte 2  0.2  1.2  2.2  3.2  4.2  5.2  6.2  7.2

7.2 is bit 2 of element 7; bit 0 is the least significant.""",
    ("f16", "2049"): """\
f16: 2049 (2048)

  code    sign     exponent        mantissa       value
  0x6800  0     +  11010     2^11  0000000000  1   2048

written  2049
below    2048 (0x6800), 1 away
above    2050 (0x6801), 1 away
tie      halfway between 2048 and 2050: the even code, 0x6800, wins""",
    ("i4", "-8"): """\
i4: -8

  code  sign bit      other bits     value
  0x8   1         -8  000         0     -8

exactly  -8
exact    -8 is within -8 to 7: nothing wraps""",
    ("none",): """\
auto_broadcast="none"

The shapes must be equal: the same rank, and the same size on every axis.
Nothing is stretched, and a 1 is a size like any other.
A size that is not known yet has to turn out equal; until then the result has the sizes that both allow.
In files the rule is also called explicit.

[256,56] + [256,56] -> [256,56] under none

axis    a    b  result  why
  -2  256  256     256  equal
  -1   56   56      56  equal""",
    ("2,3,4", "5,3,2"): """\
[2,3,4] + [5,3,2] clash under numpy

axis  a  b  result  why
  -3  2  5   clash  2 against 5, and neither is 1
  -2  3  3       3  equal
  -1  4  2   clash  4 against 2, and neither is 1

what would work
give b size 1 on axes -3, -1: [1,3,1]    [2,3,4] + [1,3,1] -> [2,3,4] under numpy
give b a's size on axes -3, -1: [2,3,4]  [2,3,4] + [2,3,4] -> [2,3,4] under numpy""",
}


@pytest.mark.parametrize("what", EXPECTED)
def test_in_full(what):
    shown = text(explain(*what))
    assert shown == EXPECTED[what]


def test_ranks_that_differ_are_a_clash_without_columns():
    shown = text(explain("2,3", "3", auto_broadcast="none"))
    wanted = """\
[2,3] + [3] clash under none

rank 2 against rank 1

what would work
use numpy                     [2,3] + [3] -> [2,3] under numpy
use pdpd with axis 1          [2,3] + [3] -> [2,3] under pdpd, axis 1
give b the shape of a, [2,3]  [2,3] + [2,3] -> [2,3] under none"""
    assert shown == wanted


def test_long_types_list_their_values_in_columns():
    lines = text(explain("f8e4m3")).splitlines()
    grid = lines[lines.index("all values") + 1 :][:65]
    assert grid[0].split() == ["code", "value"] * 4
    assert grid[1].split() == ["0x00", "0", "0x40", "2", "0x80", "-0", "0xc0", "-2"]
    assert grid[64].split() == ["0x3f", "1.875", "0x7f", "nan", "0xbf", "-1.875", "0xff", "nan"]
    assert max(map(len, lines)) <= 130


@pytest.mark.parametrize("name", NAMES)
def test_every_type_has_a_text_without_trailing_blanks(name):
    lines = text(explain(name)).splitlines()
    assert lines[0] == name
    assert all(line == line.rstrip() for line in lines)
    assert lines[-1].endswith("bit 0 is the least significant.")


def test_str_is_the_text():
    reason = explain("f16", 1, 2)
    assert str(reason) == text(reason)


def test_pages_are_shown_as_they_stand():
    reason = explain("A302")
    assert text(reason) == reason.page.rstrip("\n")


@pytest.mark.parametrize(
    "block",
    [
        Title("\x1b[31m"),
        Heading("\x1b[31m"),
        Lines(("\x1b[31m",)),
        Verbatim("\x1b[31m"),
        Table((), (("\x1b[31m",),)),
        Table(("\x1b[31m",), ()),
    ],
)
def test_nothing_steers_a_terminal(block):
    assert _block(block) == "\\e[31m"
