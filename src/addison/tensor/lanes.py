"""Packing and unpacking of whole arrays, bit place by bit place, as ``spec.packing`` says where each bit lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from addison.spec.elements import ElementType, Packing
from addison.spec.packing import bytes_needed, group
from addison.tensor.dtypes import Array, code_dtype


def unpack(element: ElementType, data: Any, elements: int) -> Array:
    """The codes of the first ``elements`` elements of a bytes-like object, one an array element."""
    needed = bytes_needed(element, elements)
    raw = np.frombuffer(data, np.uint8, count=needed) if needed else np.empty(0, np.uint8)
    if element.packing is Packing.BYTES:
        return raw.view(code_dtype(element).newbyteorder("<")).astype(code_dtype(element), copy=False)
    one = group(element)
    bytes_ = raw.reshape(-1, one.bytes)
    codes = np.zeros((len(bytes_), one.elements), np.uint8)
    for i, places in enumerate(one.places):
        for k, (byte, bit) in enumerate(places):
            codes[:, i] |= (bytes_[:, byte] >> np.uint8(bit) & np.uint8(1)) << np.uint8(k)
    return codes.reshape(-1)[:elements]


def pack(element: ElementType, codes: Array) -> bytes:
    """Packed bytes of an array of codes in C order, unused bits 0."""
    flat = codes.reshape(-1)
    if element.packing is Packing.BYTES:
        return flat.astype(code_dtype(element).newbyteorder("<"), copy=False).tobytes()
    one = group(element)
    full = np.zeros(-(-len(flat) // one.elements) * one.elements, np.uint8)
    full[: len(flat)] = flat
    lanes = full.reshape(-1, one.elements)
    packed = np.zeros((len(lanes), one.bytes), np.uint8)
    for i, places in enumerate(one.places):
        for k, (byte, bit) in enumerate(places):
            packed[:, byte] |= (lanes[:, i] >> np.uint8(k) & np.uint8(1)) << np.uint8(bit)
    return packed.tobytes()
