# Generated from spec/objects/look-at.json by cargo xtask gen. Do not edit.
"""`look-at`: A command to a person's camera: look at something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAt(AnyObject):
    """A command to a person's camera: look at something."""

    OBJECT_TYPE: ClassVar[str] = "look-at"
    target: str | Vector3 | None = None
    """Id of the object, or the place, to look at."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "target": Attribute("target", Shape("choice", shapes=(Shape("text"), VECTOR3,))),
    }
