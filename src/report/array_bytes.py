"""Arrays for the page as few bytes as possible: differences, bytes of equal weight together, gzip, base64. browser/arrays.js reads them.

The page shows pictures, so their arrays hold what an eye can distinguish; the numbers themselves are in the history.
"""
import base64
import zlib

import numpy as np

TYPES = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def gzipped(data):
    """Without a date, so that the same page has the same bytes. Level 9 takes four times as long as 6 for 1 % fewer bytes."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def text_of(data):
    """Compressed, as text inside HTML."""
    return base64.b64encode(gzipped(data)).decode("ascii")


def _differences(values, stride):
    """Modulo the range of the type: from the number `stride` before; the first `stride` numbers from their neighbour."""
    flat = values.ravel()
    out = flat.copy()
    out[stride:] -= flat[:-stride]
    out[1:min(stride, len(out))] -= flat[:min(stride, len(out)) - 1]
    return out


def _planes(values):
    """All lowest bytes, then all second bytes, ..."""
    size = values.dtype.itemsize
    return values.astype(values.dtype.newbyteorder("<")).view(np.uint8).reshape(-1, size).T.tobytes()


def size_of(data):
    return len(zlib.compress(data, 6))


class Pack:
    """Named arrays in one block of bytes."""

    def __init__(self):
        self.arrays, self._parts, self._length = {}, [], 0

    def add(self, name, values, stride=0):
        """`values`: unsigned integers. `stride`: from which number the differences are; 0: choose whether the numbers themselves or
        differences of neighbouring numbers are shorter."""
        values = np.ascontiguousarray(values)
        if values.size == 0:
            stride, data = 0, b""
        elif stride:
            data = _planes(_differences(values, stride))
        else:
            plain, differences = _planes(values), _planes(_differences(values, 1))
            part = slice(0, 1 << 18)
            stride = 1 if size_of(differences[part]) < size_of(plain[part]) else 0
            data = differences if stride else plain
        self.arrays[name] = [values.dtype.itemsize, self._length, int(values.size), stride]
        self._parts.append(data)
        self._length += len(data)

    def data(self):
        return b"".join(self._parts)
