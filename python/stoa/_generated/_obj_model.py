# Generated from spec/objects/obj-model.json by cargo xtask gen. Do not edit.
"""`obj-model`: A model in Wavefront's OBJ format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjModel(AnyObject):
    """A model in Wavefront's OBJ format."""

    OBJECT_TYPE: ClassVar[str] = "obj-model"
    mtl: str | None = None
    """Address of the MTL file with its materials."""
    obj: str | None = None
    """Address of the OBJ file."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "mtl": Attribute("mtl", Shape("text")),
        "obj": Attribute("obj", Shape("text")),
    }
