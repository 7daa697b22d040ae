# Generated from spec/objects/jitsi-video.json by cargo xtask gen. Do not edit.
"""`jitsi-video`: Shows a person's video on the object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class JitsiVideo(AttributeGroup):
    """Shows a person's video on the object."""

    displayName: str | None = None
    """Name of the person whose video is shown."""
    jitsiId: str | None = None
    """Id of a connection to Jitsi."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "displayName": Attribute("displayName", Shape("text")),
        "jitsiId": Attribute("jitsiId", Shape("text")),
    }
