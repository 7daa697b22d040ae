# Generated from spec/objects/scale.json by cargo xtask gen. Do not edit.
"""`scale`: Scale of the object along its axes."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

Scale: TypeAlias = tuple[float, float, float]
"""Scale of the object along its axes. As (x, y, z)."""

SCALE = Shape("tuple", axes=(("x", 1.0), ("y", 1.0), ("z", 1.0)))
