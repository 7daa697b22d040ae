# Generated from spec/objects/ocean.json by cargo xtask gen. Do not edit.
"""`ocean`: A moving surface of water."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Ocean(AnyObject):
    """A moving surface of water."""

    OBJECT_TYPE: ClassVar[str] = "ocean"
    amplitude: float | None = None
    """Height of the waves. In metres. Default `0.1`."""
    amplitudeVariance: float | None = None
    """By how much the heights of waves differ. In metres. Default `0.3`."""
    color: str | None = None
    """Colour of the water. Default `"#7AD2F7"`."""
    density: float | None = None
    """Into how many parts the surface is cut each way. Range: at least 0. Default `10`."""
    depth: float | None = None
    """Size along z. In metres. Range: at least 0. Default `10`."""
    opacity: float | None = None
    """Opacity of the water: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `0.8`."""
    speed: float | None = None
    """Speed of the waves. Default `1`."""
    speedVariance: float | None = None
    """By how much the speeds of waves differ. Default `2`."""
    width: float | None = None
    """Size along x. In metres. Range: at least 0. Default `10`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "amplitude": Attribute("amplitude", Shape("number")),
        "amplitudeVariance": Attribute("amplitudeVariance", Shape("number")),
        "color": Attribute("color", Shape("text")),
        "density": Attribute("density", Shape("number", minimum=0)),
        "depth": Attribute("depth", Shape("number", minimum=0)),
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "speed": Attribute("speed", Shape("number")),
        "speedVariance": Attribute("speedVariance", Shape("number")),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
