# Generated from spec/objects/urdf-model.json by cargo xtask gen. Do not edit.
"""`urdf-model`: A robot in the URDF format; `url` names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class UrdfModel(AnyObject):
    """A robot in the URDF format; `url` names it."""

    OBJECT_TYPE: ClassVar[str] = "urdf-model"
    joints: str | Mapping[str, object] | None = None
    """Positions of the joints, by name."""
    urlBase: str | None = None
    """Address that the file's relative addresses begin at."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "joints": Attribute("joints", Shape("choice", shapes=(Shape("text"), Shape("object"),))),
        "urlBase": Attribute("urlBase", Shape("text")),
    }
