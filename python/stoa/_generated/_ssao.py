# Generated from spec/objects/ssao.json by cargo xtask gen. Do not edit.
"""`ssao`: Shadows in corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Ssao(AttributeGroup):
    """Shadows in corners."""

    kernelRadius: float | None = None
    """Radius around a point that is sampled. Range: at least 0. Default `8`."""
    maxDistance: float | None = None
    """Greatest difference of depth that makes a shadow. Range: at least 0. Default `0.1`."""
    minDistance: float | None = None
    """Least difference of depth that makes a shadow. Default `0.005`."""
    resolution: float | None = None
    """Resolution at which the effect is computed. In px. Range: at least 0. Default `512`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "kernelRadius": Attribute("kernelRadius", Shape("number", minimum=0)),
        "maxDistance": Attribute("maxDistance", Shape("number", minimum=0)),
        "minDistance": Attribute("minDistance", Shape("number")),
        "resolution": Attribute("resolution", Shape("number", minimum=0)),
    }
