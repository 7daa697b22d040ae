# Generated from spec/objects/position.json by cargo xtask gen. Do not edit.
"""`position`: Position of the object: metres, right-handed, y up."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

Position: TypeAlias = tuple[float, float, float]
"""Position of the object: metres, right-handed, y up. As (x, y, z)."""

POSITION = Shape("tuple", axes=(("x", 0.0), ("y", 0.0), ("z", 0.0)))
