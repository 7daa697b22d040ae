# Generated from spec/objects/click-listener.json by cargo xtask gen. Do not edit.
"""`click-listener`: Makes the object report clicks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickListener(AttributeGroup):
    """Makes the object report clicks."""

    bubble: bool | None = None
    """Whether a click also reaches the objects it belongs to. Default `true`."""
    enabled: bool | None = None
    """Whether it listens. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "bubble": Attribute("bubble", Shape("boolean")),
        "enabled": Attribute("enabled", Shape("boolean")),
    }
