# Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
"""`any-object`: Any."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from stoa._schema import Attribute, SchemaObject, Shape
from stoa._generated._click_listener import ClickListener
from stoa._generated._material import Material
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyObject(SchemaObject):
    """Any."""

    click_listener: bool | str | ClickListener | None = None
    """Clicks."""
    material: Material | None = None
    """Looks."""
    parent: str | None = None
    """Parent."""
    position: Vector3 | None = None
    """Where."""
    materials: Mapping[str, Material] = field(default_factory=dict[str, Material])
    """More. By what follows `material__`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "click-listener": Attribute("click_listener", Shape("choice", shapes=(Shape("boolean"), Shape("text"), Shape("group", group=ClickListener),))),
        "material": Attribute("material", Shape("group", group=Material)),
        "parent": Attribute("parent", Shape("text")),
        "position": Attribute("position", VECTOR3),
    }
    PREFIXES: ClassVar[Mapping[str, Attribute]] = {
        "material__": Attribute("materials", Shape("group", group=Material)),
    }
