# Generated from spec/objects/box-collision-listener.json by cargo xtask gen. Do not edit.
"""`box-collision-listener`: Reports when a person's head or hand enters the object's box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxCollisionListener(AttributeGroup):
    """Reports when a person's head or hand enters the object's box."""

    dynamic: bool | None = None
    """Whether its box is measured again while it moves. Default `false`."""
    enabled: bool | None = None
    """Whether it listens. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "dynamic": Attribute("dynamic", Shape("boolean")),
        "enabled": Attribute("enabled", Shape("boolean")),
    }
