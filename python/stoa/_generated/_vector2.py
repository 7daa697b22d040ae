# Generated from spec/objects/vector2.json by cargo xtask gen. Do not edit.
"""`vector2`: A pair of numbers."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

Vector2: TypeAlias = tuple[float, float]
"""A pair of numbers. As (x, y)."""

VECTOR2 = Shape("tuple", axes=(("x", 0.0), ("y", 0.0)))
