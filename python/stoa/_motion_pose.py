"""Poses in whole millimetres and smallest-three rotations. Source: spec/wire.md section 3."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, TypeAlias

from stoa._limits import MOTION_EXTENT_M

Vector3: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]
Millimetres: TypeAlias = tuple[int, int, int]

POSE_BYTES: Final = 17
ROTATION_BYTES: Final = 5
STEPS: Final = 4_095
"""The largest number of twelve bits."""


@dataclass(frozen=True, slots=True)
class PackedPose:
    """A quantized pose, within 0.5 mm an axis and 0.07° of the original."""

    position: Millimetres
    rotation: bytes

    def to_bytes(self) -> bytes:
        """Encode 17 bytes."""
        return b"".join(axis.to_bytes(4, "little", signed=True) for axis in self.position) + self.rotation

    @classmethod
    def from_bytes(cls, data: bytes) -> PackedPose:
        """Decode 17 bytes."""
        x, y, z = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (0, 4, 8))
        return cls((x, y, z), data[12:POSE_BYTES])


def _rounded(number: float) -> int:
    """Round to the nearest integer, halves away from zero."""
    whole = math.floor(abs(number))
    # The difference is exact, while adding 0.5 may round.
    whole += abs(number) - whole >= 0.5  # noqa: PLR2004  # a half
    return -whole if number < 0 else whole


def pack_position(position: Vector3) -> Millimetres:
    """Convert metres. Errors: `ValueError` for an axis that is NaN or beyond `MOTION_EXTENT_M`."""
    for axis in position:
        if math.isnan(axis):
            raise ValueError(f"{axis} is no number of metres")
        if not abs(axis) <= MOTION_EXTENT_M:
            raise ValueError(f"{axis} m is not within {MOTION_EXTENT_M:,.0f} m of the origin")
    x, y, z = position
    return (_rounded(x * 1_000), _rounded(y * 1_000), _rounded(z * 1_000))


def pack_rotation(rotation: Quaternion) -> bytes:
    """Pack a quaternion of any length. Errors: `ValueError` if the length is zero or not finite."""
    length = math.sqrt(sum(part * part for part in rotation))
    if not 0 < length < math.inf:
        raise ValueError(f"{rotation} is no rotation")
    largest = max(range(4), key=lambda which: abs(rotation[which]))
    sign = -1 if rotation[largest] < 0 else 1
    bits, shift = largest, 2
    for which, part in enumerate(rotation):
        if which != largest:
            step = _rounded((sign * part / length / math.sqrt(2) + 0.5) * STEPS)
            bits |= min(max(step, 0), STEPS) << shift
            shift += 12
    return bits.to_bytes(ROTATION_BYTES, "little")


def unpack_rotation(packed: bytes) -> Quaternion:
    """Return a unit quaternion. All bytes are valid."""
    bits = int.from_bytes(packed, "little")
    largest = bits & 3
    small = [((bits >> shift & STEPS) / STEPS - 0.5) * math.sqrt(2) for shift in (2, 14, 26)]
    parts = [*small[:largest], math.sqrt(max(0.0, 1 - sum(part * part for part in small))), *small[largest:]]
    length = math.sqrt(sum(part * part for part in parts))
    x, y, z, w = (part / length for part in parts)
    return (x, y, z, w)


def unpack_position(packed: Millimetres) -> Vector3:
    """Convert to metres."""
    x, y, z = packed
    return (x / 1_000, y / 1_000, z / 1_000)
