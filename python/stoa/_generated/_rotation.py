# Generated from spec/objects/rotation.json by cargo xtask gen. Do not edit.
"""`rotation`: Rotation of the object: a unit quaternion."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

Rotation: TypeAlias = tuple[float, float, float, float]
"""Rotation of the object: a unit quaternion. As (x, y, z, w)."""

ROTATION = Shape("tuple", axes=(("x", 0.0), ("y", 0.0), ("z", 0.0), ("w", 1.0)))
