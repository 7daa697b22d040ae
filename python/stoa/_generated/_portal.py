# Generated from spec/objects/portal.json by cargo xtask gen. Do not edit.
"""`portal`: Takes people to another scene of this realm when they walk into it or press it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Portal(AttributeGroup):
    """Takes people to another scene of this realm when they walk into it or press it."""

    landmark: str | None = None
    """Id of the landmark at which people arrive; empty: where the scene begins. Default `""`."""
    radius: float | None = None
    """Distance from its centre at which people have walked into it; 0: only a press counts. In metres. Range: at least 0. Default `1`."""
    scene: str | None = None
    """Namespace and name of the scene, as `public/lobby`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "landmark": Attribute("landmark", Shape("text")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "scene": Attribute("scene", Shape("text")),
    }
