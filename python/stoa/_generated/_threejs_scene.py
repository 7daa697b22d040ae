# Generated from spec/objects/threejs-scene.json by cargo xtask gen. Do not edit.
"""`threejs-scene`: A scene that three.js wrote as JSON; `url` names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreejsScene(AnyObject):
    """A scene that three.js wrote as JSON; `url` names it."""

    OBJECT_TYPE: ClassVar[str] = "threejs-scene"
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
    }
