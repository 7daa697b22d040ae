# Generated from spec/objects/renderer-settings.json by cargo xtask gen. Do not edit.
"""`renderer-settings`: How the scene is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class RendererSettings(AttributeGroup):
    """How the scene is drawn."""

    localClippingEnabled: bool | None = None
    """Whether materials may have clipping planes of their own. Default `false`."""
    outputColorSpace: Literal["SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace"] | None = None
    """Colour space of what is drawn. Default `"SRGBColorSpace"`."""
    physicallyCorrectLights: bool | None = None
    """Whether lights are in physical units. Default `false`."""
    sortObjects: bool | None = None
    """Whether things are sorted before they are drawn. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "localClippingEnabled": Attribute("localClippingEnabled", Shape("boolean")),
        "outputColorSpace": Attribute("outputColorSpace", Shape("text", values=("SRGBColorSpace", "LinearSRGBColorSpace", "DisplayP3ColorSpace", "NoColorSpace",))),
        "physicallyCorrectLights": Attribute("physicallyCorrectLights", Shape("boolean")),
        "sortObjects": Attribute("sortObjects", Shape("boolean")),
    }
