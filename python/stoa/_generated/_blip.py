# Generated from spec/objects/blip.json by cargo xtask gen. Do not edit.
"""`blip`: An effect with which the object appears and disappears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Blip(AttributeGroup):
    """An effect with which the object appears and disappears."""

    applyDescendants: bool | None = None
    """Whether its children take part. Default `false`."""
    blipin: bool | None = None
    """Whether it appears with the effect. Default `true`."""
    blipout: bool | None = None
    """Whether it disappears with the effect. Default `true`."""
    duration: float | None = None
    """Duration of the effect. In ms. Range: at least 0. Default `750`."""
    geometry: Literal["rect", "disk", "ring"] | None = None
    """Form of the planes. Default `"rect"`."""
    planes: Literal["both", "top", "bottom"] | None = None
    """From which sides the planes come. Default `"both"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "applyDescendants": Attribute("applyDescendants", Shape("boolean")),
        "blipin": Attribute("blipin", Shape("boolean")),
        "blipout": Attribute("blipout", Shape("boolean")),
        "duration": Attribute("duration", Shape("number", minimum=0)),
        "geometry": Attribute("geometry", Shape("text", values=("rect", "disk", "ring",))),
        "planes": Attribute("planes", Shape("text", values=("both", "top", "bottom",))),
    }
