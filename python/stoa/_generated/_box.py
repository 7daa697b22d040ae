# Generated from spec/objects/box.json by cargo xtask gen. Do not edit.
"""`box`: A box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(AnyObject):
    """A box."""

    OBJECT_TYPE: ClassVar[str] = "box"
    width: float | None = None
    """Size along x. In metres. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "width": Attribute("width", Shape("number", minimum=0)),
    }
