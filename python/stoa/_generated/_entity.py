# Generated from spec/objects/entity.json by cargo xtask gen. Do not edit.
"""`entity`: An object without a shape of its own: a parent, or the effect of its components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._panel import Panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(AnyObject):
    """An object without a shape of its own: a parent, or the effect of its components."""

    OBJECT_TYPE: ClassVar[str] = "entity"
    panel: Panel | None = None
    """A flat box for user interfaces."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "panel": Attribute("panel", Shape("group", group=Panel)),
    }
