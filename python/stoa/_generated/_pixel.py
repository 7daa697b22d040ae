# Generated from spec/objects/pixel.json by cargo xtask gen. Do not edit.
"""`pixel`: An effect that draws the picture in coarse pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Pixel(AttributeGroup):
    """An effect that draws the picture in coarse pixels."""

    depthEdgeStrength: float | None = None
    """Strength of the outlines where depth changes. Default `0.4`."""
    normalEdgeStrength: float | None = None
    """Strength of the outlines where the direction of the surface changes. Default `0.3`."""
    pixelSize: float | None = None
    """Size of the coarse pixels. In px. Range: at least 1. Default `6`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "depthEdgeStrength": Attribute("depthEdgeStrength", Shape("number")),
        "normalEdgeStrength": Attribute("normalEdgeStrength", Shape("number")),
        "pixelSize": Attribute("pixelSize", Shape("number", minimum=1)),
    }
