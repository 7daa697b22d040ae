# Generated from spec/objects/material.json by cargo xtask gen. Do not edit.
"""`material`: Looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Material(AttributeGroup):
    """Looks."""

    color: str | None = None
    """Colour."""
    opacity: float | None = None
    """How solid. Range: 0 to 1. Default `1`."""
    side: Literal["front", "back"] | None = None
    """Sides."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "color": Attribute("color", Shape("text")),
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "side": Attribute("side", Shape("text", values=("front", "back",))),
    }
