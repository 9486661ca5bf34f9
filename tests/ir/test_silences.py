"""Comments that silence findings, as the reader keeps them."""

import pytest

from addison.errors import InvalidModel
from addison.ir import silences
from addison.ir.reader import examine, read_model
from addison.ir.silences import codes_of
from tests.ir.build import add, data, layer, net, parameter, port, result, sum_of

COMMENT = "<!-- addison: ignore A302 -->"


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        (" addison: ignore A302 ", ("A302",)),
        ("addison:ignore A302", ("A302",)),
        ("addison: ignore A302,W106", ("A302", "W106")),
        (" addison: ignore  A302 ,\n W106\tA105 ", ("A302", "W106", "A105")),
        (" addison: ignore a302 x ", ("a302", "x")),
        (" addison: ignore ", ()),
        (" addison: ignored A302 ", ()),
        (" addison: ", ()),
        (" Addison: ignore A302", ()),
        (" addison: ignore A302 " + " " * 2000 + "A303", ("A302",)),
    ],
)
def test_the_codes_of_a_comment(text, codes):
    assert codes_of(text) == codes


def test_a_model_has_them_with_the_layer_around():
    marked = add(inside=f'{COMMENT}<data auto_broadcast="numpy"/>')
    text = "<!-- addison: ignore A105 -->" + sum_of(add_layer=marked)[len('<?xml version="1.0"?>') :]
    outside, inside = read_model(text.encode()).silences
    assert (outside.codes, outside.at, outside.inside) == (("A105",), 0, None)
    assert (inside.codes, inside.at) == (("A302",), text.index(COMMENT))
    assert inside.inside == (text.index('<layer id="2"'), text.index("</layer>", text.index(COMMENT)))


def test_in_a_body_the_innermost_layer_is_meant():
    inner = sum_of(add_layer=add(tail=COMMENT))
    body = inner[inner.index("<layers>") :].replace("</net>", "")
    loop = layer(
        1, "loop", "Loop", inputs=[port(0)], outputs=[port(1)], tail=f"<body>{body}</body><!-- addison: ignore A105 -->"
    )
    text = net([parameter(), loop, result()], [(0, 0, 1, 0), (1, 1, 3, 0)])
    first, second = read_model(text.encode()).silences
    start = text.index('<layer id="2"')
    assert first.inside == (start, text.index("</layer>", start))
    assert second.inside == (
        text.index('<layer id="1" name="loop"'),
        text.index("</layer>", text.index("<!-- addison: ignore A105")),
    )


@pytest.mark.parametrize(
    "comment", ["<!-- A302 -->", "<!-- see addison: ignore A302 -->", "<!---->", "<?addison: ignore A302?>"]
)
def test_other_comments_are_nothing(comment):
    assert read_model(sum_of(add_layer=add(tail=comment)).encode()).silences == ()


def test_reading_still_refuses_what_is_silenced():
    text = sum_of(b=parameter(1, "b", "2,,3").replace("<data", "<!-- addison: ignore F112 --><data"))
    with pytest.raises(InvalidModel) as caught:
        read_model(text.encode())
    assert [one.code for one in caught.value.fields["findings"]] == ["F112"]


def test_a_comment_inside_a_dim_leaves_its_number_whole():
    text = sum_of(add_layer=add(outputs=[port(2, [2, 34])])).replace("<dim>34", f"<dim>3{COMMENT}4")
    model = read_model(text.encode())
    assert model.layers[2].outputs[0].dims == (2, 34)
    assert model.silences[0].inside is not None


def test_utf_16():
    text = sum_of(add_layer=add(inside=COMMENT + data(auto_broadcast="numpy")))
    data_16 = b"\xff\xfe" + text.encode("utf-16-le")
    (one,) = read_model(data_16).silences
    assert data_16[one.at : one.at + 8].decode("utf-16-le") == "<!--"


def test_so_many_are_kept_and_no_more():
    text = sum_of(add_layer=add(tail=COMMENT * (silences.MOST_SILENCES + 5)))
    model, found = examine(text.encode())
    assert found == ()
    assert len(model.silences) == silences.MOST_SILENCES
