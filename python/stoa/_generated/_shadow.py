# Generated from spec/objects/shadow.json by cargo xtask gen. Do not edit.
"""`shadow`: Shadows of the object and on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow(AttributeGroup):
    """Shadows of the object and on it."""

    cast: bool | None = None
    """Whether it throws a shadow. Default `false`."""
    receive: bool | None = None
    """Whether shadows fall on it. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "cast": Attribute("cast", Shape("boolean")),
        "receive": Attribute("receive", Shape("boolean")),
    }
