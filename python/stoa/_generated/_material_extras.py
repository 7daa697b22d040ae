# Generated from spec/objects/material-extras.json by cargo xtask gen. Do not edit.
"""`material-extras`: Further properties of a material."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class MaterialExtras(AttributeGroup):
    """Further properties of a material."""

    colorSpace: Literal["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"] | None = None
    """Colour space of the picture. Default `"SRGBColorSpace"`."""
    colorWrite: bool | None = None
    """Whether colours are drawn. Default `true`."""
    gltfOpacity: float | None = None
    """Opacity of the model: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`."""
    overrideSrc: str | None = None
    """Address of a picture that replaces that of the model. Default `""`."""
    renderOrder: float | None = None
    """Place in the order of drawing; lower is earlier. Default `1`."""
    transparentOccluder: bool | None = None
    """Whether it hides objects behind it while invisible itself. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "colorSpace": Attribute("colorSpace", Shape("text", values=("SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace",))),
        "colorWrite": Attribute("colorWrite", Shape("boolean")),
        "gltfOpacity": Attribute("gltfOpacity", Shape("number", minimum=0, maximum=1)),
        "overrideSrc": Attribute("overrideSrc", Shape("text")),
        "renderOrder": Attribute("renderOrder", Shape("number")),
        "transparentOccluder": Attribute("transparentOccluder", Shape("boolean")),
    }
