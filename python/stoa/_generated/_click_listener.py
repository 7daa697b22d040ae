# Generated from spec/objects/click-listener.json by cargo xtask gen. Do not edit.
"""`click-listener`: Clicks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ClickListener(AttributeGroup):
    """Clicks."""

    enabled: bool | None = None
    """On. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "enabled": Attribute("enabled", Shape("boolean")),
    }
