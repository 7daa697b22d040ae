# Generated from spec/objects/sound.json by cargo xtask gen. Do not edit.
"""`sound`: A sound at the object's place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Sound(AttributeGroup):
    """A sound at the object's place."""

    autoplay: bool | None = None
    """Whether it plays by itself. Default `false`."""
    distanceModel: Literal["linear", "inverse", "exponential"] | None = None
    """Model of the volume's decay with distance. Default `"inverse"`."""
    loop: bool | None = None
    """Whether it begins anew at its end. Default `false`."""
    maxDistance: float | None = None
    """Distance beyond which loudness falls no further. In metres. Range: at least 0. Default `10000`."""
    on: Literal["mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup"] | None = None
    """Event at which it plays. Default `"mousedown"`."""
    poolSize: float | None = None
    """Number that may play at once. Range: at least 1. Default `1`."""
    positional: bool | None = None
    """Whether it is heard from where the object is. Default `true`."""
    refDistance: float | None = None
    """Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`."""
    rolloffFactor: float | None = None
    """Decay of the volume with distance. Range: at least 0. Default `1`."""
    src: str | None = None
    """Address of the sound file."""
    volume: float | None = None
    """Loudness; 1 is that of the file. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "autoplay": Attribute("autoplay", Shape("boolean")),
        "distanceModel": Attribute("distanceModel", Shape("text", values=("linear", "inverse", "exponential",))),
        "loop": Attribute("loop", Shape("boolean")),
        "maxDistance": Attribute("maxDistance", Shape("number", minimum=0)),
        "on": Attribute("on", Shape("text", values=("mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup",))),
        "poolSize": Attribute("poolSize", Shape("number", minimum=1)),
        "positional": Attribute("positional", Shape("boolean")),
        "refDistance": Attribute("refDistance", Shape("number", minimum=0)),
        "rolloffFactor": Attribute("rolloffFactor", Shape("number", minimum=0)),
        "src": Attribute("src", Shape("text")),
        "volume": Attribute("volume", Shape("number", minimum=0)),
    }
