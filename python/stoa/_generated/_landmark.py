# Generated from spec/objects/landmark.json by cargo xtask gen. Do not edit.
"""`landmark`: A place that people can go to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class Landmark(AttributeGroup):
    """A place that people can go to."""

    constrainToNavMesh: Literal["false", "any", "coplanar"] | bool | None = None
    """Whether people arrive on the navigation mesh. Default `"false"`."""
    label: str | None = None
    """Name in the list of landmarks. Default `""`."""
    lookAtLandmark: bool | None = None
    """Whether people arrive with their eyes on the object. Default `true`."""
    offsetPosition: Vector3 | None = None
    """Arrival point, relative to the object. In metres. Default `{"x":0,"y":1.6,"z":0}`."""
    randomRadiusMax: float | None = None
    """Greatest distance at which people arrive. In metres. Range: at least 0. Default `0`."""
    randomRadiusMin: float | None = None
    """Least distance at which people arrive. In metres. Range: at least 0. Default `0`."""
    startingPosition: bool | None = None
    """Whether people may enter the scene here. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "constrainToNavMesh": Attribute("constrainToNavMesh", Shape("choice", shapes=(Shape("text", values=("false", "any", "coplanar",)), Shape("boolean"),))),
        "label": Attribute("label", Shape("text")),
        "lookAtLandmark": Attribute("lookAtLandmark", Shape("boolean")),
        "offsetPosition": Attribute("offsetPosition", VECTOR3),
        "randomRadiusMax": Attribute("randomRadiusMax", Shape("number", minimum=0)),
        "randomRadiusMin": Attribute("randomRadiusMin", Shape("number", minimum=0)),
        "startingPosition": Attribute("startingPosition", Shape("boolean")),
    }
