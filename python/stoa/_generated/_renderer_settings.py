# Generated from spec/objects/renderer-settings.json by cargo xtask gen. Do not edit.
"""`renderer-settings`: Settings of the renderer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class RendererSettings(AttributeGroup):
    """Settings of the renderer."""

    localClippingEnabled: bool | None = None
    """Whether materials may have clipping planes of their own. Default `false`."""
    outputColorSpace: Literal["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"] | None = None
    """Colour space of the picture. Default `"SRGBColorSpace"`."""
    physicallyCorrectLights: bool | None = None
    """Whether lights are in physical units. Default `false`."""
    sortObjects: bool | None = None
    """Whether objects are sorted before they are drawn. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "localClippingEnabled": Attribute("localClippingEnabled", Shape("boolean")),
        "outputColorSpace": Attribute("outputColorSpace", Shape("text", values=("SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace",))),
        "physicallyCorrectLights": Attribute("physicallyCorrectLights", Shape("boolean")),
        "sortObjects": Attribute("sortObjects", Shape("boolean")),
    }
