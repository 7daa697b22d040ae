# Generated from spec/objects/arena-user.json by cargo xtask gen. Do not edit.
"""`arena-user`: A person's identity, at their camera."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaUser(AttributeGroup):
    """A person's identity, at their camera."""

    color: str | None = None
    """Colour of the person's name and head."""
    displayName: str | None = None
    """Display name. Default `""`."""
    hasAudio: bool | None = None
    """Whether the microphone is on. Default `false`."""
    hasAvatar: bool | None = None
    """Whether the face is tracked. Default `false`."""
    hasVideo: bool | None = None
    """Whether the camera is on. Default `false`."""
    headModelPath: str | None = None
    """Address of the head's glTF file. Default `"/static/models/avatars/robobit.glb"`."""
    jitsiId: str | None = None
    """Id of the person's connection to Jitsi. Default `""`."""
    presence: Literal["Standard", "Portal"] | None = None
    """Presence of the person in the scene. Default `"Standard"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "color": Attribute("color", Shape("text")),
        "displayName": Attribute("displayName", Shape("text")),
        "hasAudio": Attribute("hasAudio", Shape("boolean")),
        "hasAvatar": Attribute("hasAvatar", Shape("boolean")),
        "hasVideo": Attribute("hasVideo", Shape("boolean")),
        "headModelPath": Attribute("headModelPath", Shape("text")),
        "jitsiId": Attribute("jitsiId", Shape("text")),
        "presence": Attribute("presence", Shape("text", values=("Standard", "Portal",))),
    }
