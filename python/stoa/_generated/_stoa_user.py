# Generated from spec/objects/stoa-user.json by cargo xtask gen. Do not edit.
"""`stoa-user`: A person's gestures, at their camera, in addition to ARENA's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class StoaUser(AttributeGroup):
    """A person's gestures, at their camera, in addition to ARENA's."""

    body: Literal["full", "half"] | None = None
    """Whether the body has legs. Default `"full"`."""
    handRaised: bool | None = None
    """Whether the person has raised a hand. Default `false`."""
    laser: bool | None = None
    """Whether the person points at something. Default `false`."""
    laserFrom: Literal["head", "left", "right"] | None = None
    """Start of the beam: the head or a hand. Default `"head"`."""
    laserTo: Vector3 | None = None
    """The point the person indicates, in scene space. In metres."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "body": Attribute("body", Shape("text", values=("full", "half",))),
        "handRaised": Attribute("handRaised", Shape("boolean")),
        "laser": Attribute("laser", Shape("boolean")),
        "laserFrom": Attribute("laserFrom", Shape("text", values=("head", "left", "right",))),
        "laserTo": Attribute("laserTo", VECTOR3),
    }
