# Generated from spec/objects/physx-material.json by cargo xtask gen. Do not edit.
"""`physx-material`: Friction and bounce of a body's surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxMaterial(AttributeGroup):
    """Friction and bounce of a body's surface."""

    collidesWithLayers: Sequence[float] | None = None
    """Layers that it collides with. Default `[1,2,3,4]`."""
    collisionGroup: float | None = None
    """Group within which nothing collides; 0 is none. Default `0`."""
    collisionLayers: Sequence[float] | None = None
    """Layers that it is in. Default `[1]`."""
    contactOffset: float | str | None = None
    """Distance at which a contact is foreseen. In metres."""
    density: float | None = None
    """Mass for each unit of volume. Range: at least 0."""
    dynamicFriction: float | None = None
    """Friction in motion. Range: at least 0. Default `0.2`."""
    restOffset: float | str | None = None
    """Distance at which bodies rest. In metres."""
    restitution: float | None = None
    """Bounciness. Range: at least 0. Default `0.2`."""
    staticFriction: float | None = None
    """Friction at rest. Range: at least 0. Default `0.2`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "collidesWithLayers": Attribute("collidesWithLayers", Shape("array", items=Shape("number"))),
        "collisionGroup": Attribute("collisionGroup", Shape("number")),
        "collisionLayers": Attribute("collisionLayers", Shape("array", items=Shape("number"))),
        "contactOffset": Attribute("contactOffset", Shape("choice", shapes=(Shape("number"), Shape("text"),))),
        "density": Attribute("density", Shape("number", minimum=0)),
        "dynamicFriction": Attribute("dynamicFriction", Shape("number", minimum=0)),
        "restOffset": Attribute("restOffset", Shape("choice", shapes=(Shape("number"), Shape("text"),))),
        "restitution": Attribute("restitution", Shape("number", minimum=0)),
        "staticFriction": Attribute("staticFriction", Shape("number", minimum=0)),
    }
