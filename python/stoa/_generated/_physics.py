# Generated from spec/objects/physics.json by cargo xtask gen. Do not edit.
"""`physics`: Settings of the physics engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Physics(AttributeGroup):
    """Settings of the physics engine."""

    delay: float | None = None
    """Delay after loading. In ms. Range: at least 0. Default `5000`."""
    enabled: bool | None = None
    """Whether physics is simulated. Where nothing is said, Stoa's pages simulate it. Default `false`."""
    gravity: Vector3 | None = None
    """Acceleration of all that falls. In m/s². Default `{"x":0,"y":-9.8,"z":0}`."""
    groundCollisionLayers: Sequence[float] | None = None
    """Collision layers of the ground. Default `[2]`."""
    groundCollisionMask: Sequence[float] | None = None
    """Layers that collide with the ground. Default `[1,2,3,4]`."""
    speed: float | None = None
    """Speed of simulated time. Default `1`."""
    stats: Sequence[str] | None = None
    """Shown statistics. Default `[]`."""
    throttle: float | None = None
    """Least time between two steps. In ms. Range: at least 0. Default `10`."""
    useDefaultScene: bool | None = None
    """Whether the floor and other defaults exist. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "delay": Attribute("delay", Shape("number", minimum=0)),
        "enabled": Attribute("enabled", Shape("boolean")),
        "gravity": Attribute("gravity", VECTOR3),
        "groundCollisionLayers": Attribute("groundCollisionLayers", Shape("array", items=Shape("number"))),
        "groundCollisionMask": Attribute("groundCollisionMask", Shape("array", items=Shape("number"))),
        "speed": Attribute("speed", Shape("number")),
        "stats": Attribute("stats", Shape("array", items=Shape("text"))),
        "throttle": Attribute("throttle", Shape("number", minimum=0)),
        "useDefaultScene": Attribute("useDefaultScene", Shape("boolean")),
    }
