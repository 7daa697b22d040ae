# Generated from spec/objects/clickPos.json by cargo xtask gen. Do not edit.
"""`clickPos`: Position of the person at a click."""

from __future__ import annotations

from typing import TypeAlias

from stoa._schema import Shape

ClickPos: TypeAlias = tuple[float, float, float]
"""Position of the person at a click. As (x, y, z)."""

CLICK_POS = Shape("tuple", axes=(("x", 0.0), ("y", 0.0), ("z", 0.0)))
