# Generated from spec/objects/openvps.json by cargo xtask gen. Do not edit.
"""`openvps`: Localisation by pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenVps(AttributeGroup):
    """Localisation by pictures."""

    enabled: bool | None = None
    """Whether pictures are sent to find where people are. Default `false`."""
    imageUrl: str | None = None
    """Address of the picture service. Default `""`."""
    imgQuality: float | None = None
    """Quality of the picture's compression. Range: 0 to 1. Default `0.8`."""
    interval: float | None = None
    """Time between two pictures. In ms. Range: at least 0. Default `5000`."""
    meshUrl: str | None = None
    """Address of the mesh of the place. Default `""`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "enabled": Attribute("enabled", Shape("boolean")),
        "imageUrl": Attribute("imageUrl", Shape("text")),
        "imgQuality": Attribute("imgQuality", Shape("number", minimum=0, maximum=1)),
        "interval": Attribute("interval", Shape("number", minimum=0)),
        "meshUrl": Attribute("meshUrl", Shape("text")),
    }
