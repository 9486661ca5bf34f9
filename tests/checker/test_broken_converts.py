"""A Convert without inputs, on the way to an Add."""

import pytest

from addison import check
from tests.ir.build import add, const, data, layer, net, parameter, port, result


@pytest.mark.parametrize("inputs", [(), (port(0, (), "FP16"),)], ids=["no port", "no edge"])
def test_it_is_a_finding_and_no_crash(inputs):
    wide = layer(4, "wide", "Convert", inside=data(destination_type="f32"), inputs=inputs, outputs=[port(1)])
    text = net(
        [parameter(), const(1, "f16", "3", 0, 6), add(), result(), wide], [(0, 0, 2, 0), (4, 1, 2, 1), (2, 2, 3, 0)]
    )
    codes = {one.code for one in check(text.encode(), bytes(6), runtime="openvino-cpu")}
    assert codes & {"G106", "G111"}


def test_old_nibbles_are_told_through_a_convert():
    wide = layer(
        4, "wide", "Convert", inside=data(destination_type="f32"), inputs=[port(0, (), "U4")], outputs=[port(1)]
    )
    text = net(
        [parameter(), const(1, "u4", "3", 0, 2), add(), result(), wide],
        [(0, 0, 2, 0), (1, 0, 4, 0), (4, 1, 2, 1), (2, 2, 3, 0)],
        tail='<rt_info><Runtime_version value="2023.3.0-13775"/></rt_info>',
    )
    assert "H110" in {one.code for one in check(text.encode(), bytes(2), runtime="openvino-cpu")}
