# Generated from spec/objects/vector3.json by cargo xtask gen. Do not edit.
"""`vector3`: A point or direction."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

Vector3: TypeAlias = tuple[float, float, float]
"""A point or direction. As (x, y, z)."""

VECTOR3 = Shape("tuple", axes=(("x", 0.0), ("y", 0.0), ("z", 0.0)))
