# Generated from spec/objects/remote-render.json by cargo xtask gen. Do not edit.
"""`remote-render`: Whether a render server draws the object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteRender(AttributeGroup):
    """Whether a render server draws the object."""

    enabled: bool | None = None
    """Whether it is drawn by a render server. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "enabled": Attribute("enabled", Shape("boolean")),
    }
