# Generated from spec/objects/bloom.json by cargo xtask gen. Do not edit.
"""`bloom`: Glow around bright places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Bloom(AttributeGroup):
    """Glow around bright places."""

    radius: float | None = None
    """Radius of the glow. Range: at least 0. Default `0.1`."""
    resolution: float | None = None
    """Resolution at which the effect is computed. In px. Range: at least 0. Default `256`."""
    strength: float | None = None
    """Strength of the glow. Range: at least 0. Default `0.5`."""
    threshold: float | None = None
    """Brightness from which places glow. Range: 0 to 1. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "resolution": Attribute("resolution", Shape("number", minimum=0)),
        "strength": Attribute("strength", Shape("number", minimum=0)),
        "threshold": Attribute("threshold", Shape("number", minimum=0, maximum=1)),
    }
