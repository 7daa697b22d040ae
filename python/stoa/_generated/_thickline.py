# Generated from spec/objects/thickline.json by cargo xtask gen. Do not edit.
"""`thickline`: A line along several points, with a width."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ThickLine(AnyObject):
    """A line along several points, with a width."""

    OBJECT_TYPE: ClassVar[str] = "thickline"
    color: str | None = None
    """Colour of the line. Default `"#000000"`."""
    lineWidth: float | None = None
    """Width of the line. In px. Range: at least 0. Default `1`."""
    lineWidthStyler: Literal["default", "grow", "shrink", "center-sharp", "center-smooth", "sine-wave"] | None = None
    """Change of the width along the line. Default `"default"`."""
    path: str | None = None
    """The points of the way: coordinates apart by blanks, points apart by commas. Default `"-2 -1 0, 0 20 0, 10 -1 10"`."""
    sizeAttenuation: bool | None = None
    """Whether the line looks thinner from further away. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
        "lineWidth": Attribute("lineWidth", Shape("number", minimum=0)),
        "lineWidthStyler": Attribute("lineWidthStyler", Shape("text", values=("default", "grow", "shrink", "center-sharp", "center-smooth", "sine-wave",))),
        "path": Attribute("path", Shape("text")),
        "sizeAttenuation": Attribute("sizeAttenuation", Shape("boolean")),
    }
