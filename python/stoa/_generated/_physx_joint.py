# Generated from spec/objects/physx-joint.json by cargo xtask gen. Do not edit.
"""`physx-joint`: A joint between two bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector2 import VECTOR2, Vector2


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxJoint(AttributeGroup):
    """A joint between two bodies."""

    breakForce: Vector2 | None = None
    """Force and torque at which it breaks; -1 is never. Default `{"x":-1,"y":-1}`."""
    collideWithTarget: bool | None = None
    """Whether both still collide. Default `false`."""
    projectionTolerance: Vector2 | None = None
    """Distance and angle beyond which the joint is put right; -1 is never. Default `{"x":-1,"y":-1}`."""
    removeElOnBreak: bool | None = None
    """Whether the joint is removed when it breaks. Default `false`."""
    softFixed: bool | None = None
    """Whether a fixed joint gives a little. Default `false`."""
    target: str | None = None
    """Id of the other object."""
    type: Literal["Spherical", "Fixed", "Revolute", "Prismatic", "D6"] | None = None
    """Kind of joint. Default `"Spherical"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "breakForce": Attribute("breakForce", VECTOR2),
        "collideWithTarget": Attribute("collideWithTarget", Shape("boolean")),
        "projectionTolerance": Attribute("projectionTolerance", VECTOR2),
        "removeElOnBreak": Attribute("removeElOnBreak", Shape("boolean")),
        "softFixed": Attribute("softFixed", Shape("boolean")),
        "target": Attribute("target", Shape("text")),
        "type": Attribute("type", Shape("text", values=("Spherical", "Fixed", "Revolute", "Prismatic", "D6",))),
    }
