# Generated from spec/objects/physx-joint-driver.json by cargo xtask gen. Do not edit.
"""`physx-joint-driver`: The motor of a joint."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxJointDriver(AttributeGroup):
    """The motor of a joint."""

    angularVelocity: Vector3 | None = None
    """Turning speed that is aimed at. In rad/s. Default `{"x":0,"y":0,"z":0}`."""
    axes: Sequence[str] | None = None
    """Axes that are driven. Default `[]`."""
    damping: float | None = None
    """Damping of the motion. Range: at least 0. Default `1`."""
    forceLimit: float | None = None
    """Greatest force. Default `3.402823466385289e+38`."""
    linearVelocity: Vector3 | None = None
    """Speed that is aimed at. In m/s. Default `{"x":0,"y":0,"z":0}`."""
    lockOtherAxes: bool | None = None
    """Whether all other axes are locked. Default `false`."""
    slerpRotation: bool | None = None
    """Whether turning takes the shortest way. Default `true`."""
    stiffness: float | None = None
    """Strength of the pull back. Default `1`."""
    useAcceleration: bool | None = None
    """Whether masses are left out of account. Default `true`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "angularVelocity": Attribute("angularVelocity", VECTOR3),
        "axes": Attribute("axes", Shape("array", items=Shape("text"))),
        "damping": Attribute("damping", Shape("number", minimum=0)),
        "forceLimit": Attribute("forceLimit", Shape("number")),
        "linearVelocity": Attribute("linearVelocity", VECTOR3),
        "lockOtherAxes": Attribute("lockOtherAxes", Shape("boolean")),
        "slerpRotation": Attribute("slerpRotation", Shape("boolean")),
        "stiffness": Attribute("stiffness", Shape("number")),
        "useAcceleration": Attribute("useAcceleration", Shape("boolean")),
    }
