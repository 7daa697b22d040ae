# Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
"""Types of scene objects and their components, with ARENA's attribute names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from stoa._schema import Shape, read_object
from stoa._generated._any_object import AnyObject
from stoa._generated._box import Box
from stoa._generated._click_listener import ClickListener
from stoa._generated._material import Material
from stoa._generated._vector3 import VECTOR3, Vector3

SceneAttributes: TypeAlias = Box
"""An object of any type that the schemas name."""

OBJECT_TYPES: Mapping[str, type[AnyObject]] = {
    "box": Box,
}
"""The class of each `object_type`."""

GROUPS: Mapping[str, Shape] = {
    "click-listener": Shape("group", group=ClickListener),
    "material": Shape("group", group=Material),
    "vector3": VECTOR3,
}
"""Components, values, options and messages, by the name of their schema."""


def decode_attributes(object_id: str, attributes: Mapping[str, object]) -> AnyObject:
    """Check and read attributes by their `object_type`. Raises AttributeValueError."""
    return read_object(OBJECT_TYPES, object_id, attributes)


__all__ = [
    "GROUPS",
    "OBJECT_TYPES",
    "VECTOR3",
    "AnyObject",
    "Box",
    "ClickListener",
    "Material",
    "SceneAttributes",
    "Vector3",
    "decode_attributes",
]
