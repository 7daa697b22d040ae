# Generated from spec/objects/glitch.json by cargo xtask gen. Do not edit.
"""`glitch`: Disturbances of the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Glitch(AttributeGroup):
    """Disturbances of the picture."""

    dtSize: float | None = None
    """Size of the disturbance's texture. Range: at least 1. Default `64`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "dtSize": Attribute("dtSize", Shape("number", minimum=1)),
    }
