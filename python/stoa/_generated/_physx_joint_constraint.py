# Generated from spec/objects/physx-joint-constraint.json by cargo xtask gen. Do not edit.
"""`physx-joint-constraint`: Limits of a joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector2 import VECTOR2, Vector2


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxJointConstraint(AttributeGroup):
    """Limits of a joint."""

    angularLimit: Vector2 | None = None
    """Least and greatest angle."""
    constrainedAxes: Sequence[str] | None = None
    """Axes with limits. Default `[]`."""
    damping: float | None = None
    """Damping of the motion. Range: at least 0. Default `0`."""
    freeAxes: Sequence[str] | None = None
    """Axes without limits. Default `[]`."""
    limitCone: Vector2 | None = None
    """Opening of the cone of swing, both ways."""
    linearLimit: Vector2 | None = None
    """Least and greatest distance."""
    lockedAxes: Sequence[str] | None = None
    """Axes along or around which nothing moves. Default `[]`."""
    restitution: float | None = None
    """Bounciness. Range: at least 0. Default `0`."""
    stiffness: float | None = None
    """Strength of the pull back. Default `0`."""
    twistLimit: Vector2 | None = None
    """Least and greatest twist."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "angularLimit": Attribute("angularLimit", VECTOR2),
        "constrainedAxes": Attribute("constrainedAxes", Shape("array", items=Shape("text"))),
        "damping": Attribute("damping", Shape("number", minimum=0)),
        "freeAxes": Attribute("freeAxes", Shape("array", items=Shape("text"))),
        "limitCone": Attribute("limitCone", VECTOR2),
        "linearLimit": Attribute("linearLimit", VECTOR2),
        "lockedAxes": Attribute("lockedAxes", Shape("array", items=Shape("text"))),
        "restitution": Attribute("restitution", Shape("number", minimum=0)),
        "stiffness": Attribute("stiffness", Shape("number")),
        "twistLimit": Attribute("twistLimit", VECTOR2),
    }
