"""CRC-32C (Castagnoli, as in iSCSI, RFC 3720), the checksum of networks and of files of positions."""

import numpy as np
from numba import njit

#: Castagnoli's polynomial, bits reversed.
_POLYNOMIAL = 0x82F63B78
_ALL_BITS = 0xFFFFFFFF


def _table() -> np.ndarray:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return np.array(table, np.uint32)


_TABLE = _table()


def crc32c(data: bytes) -> int:
    """The checksum of some bytes."""
    return int(_fold(np.frombuffer(data, np.uint8), _TABLE)) ^ _ALL_BITS


@njit(cache=True)
def _fold(data, table):
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = crc >> np.uint32(8) ^ table[(crc ^ byte) & np.uint32(0xFF)]
    return crc
