# Generated from spec/objects/gltf-model.json by cargo xtask gen. Do not edit.
"""`gltf-model`: A glTF model; `url` names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class GltfModel(AnyObject):
    """A glTF model; `url` names it."""

    OBJECT_TYPE: ClassVar[str] = "gltf-model"
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "color": Attribute("color", Shape("text")),
    }
