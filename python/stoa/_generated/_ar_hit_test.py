# Generated from spec/objects/ar-hit-test.json by cargo xtask gen. Do not edit.
"""`ar-hit-test`: A reticle that shows where a ray meets the real world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ArHitTest(AttributeGroup):
    """A reticle that shows where a ray meets the real world."""

    enabled: bool | None = None
    """Whether a reticle shows where a ray meets the real world. Default `true`."""
    footprintDepth: float | None = None
    """Thickness of the footprint. In metres. Range: at least 0. Default `0.1`."""
    mapSize: str | None = None
    """Width and height of the picture, apart by a blank. Default `"0.5 0.5"`."""
    src: str | None = None
    """Address of the picture of the reticle. Default `"static/images/reticle-gray.png"`."""
    type: Literal["footprint", "map"] | None = None
    """Whether the reticle is the object's footprint or a picture. Default `"footprint"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "enabled": Attribute("enabled", Shape("boolean")),
        "footprintDepth": Attribute("footprintDepth", Shape("number", minimum=0)),
        "mapSize": Attribute("mapSize", Shape("text")),
        "src": Attribute("src", Shape("text")),
        "type": Attribute("type", Shape("text", values=("footprint", "map",))),
    }
