# Generated from spec/objects/handLeft.json by cargo xtask gen. Do not edit.
"""`handLeft`: A person's left hand or controller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class HandLeft(AnyObject):
    """A person's left hand or controller."""

    OBJECT_TYPE: ClassVar[str] = "handLeft"
    dep: str | None = None
    """Id of the person that the hand belongs to. Default `""`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "dep": Attribute("dep", Shape("text")),
    }
