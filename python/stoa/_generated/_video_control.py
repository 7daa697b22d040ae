# Generated from spec/objects/video-control.json by cargo xtask gen. Do not edit.
"""`video-control`: A video that starts and stops by clicks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoControl(AttributeGroup):
    """A video that starts and stops by clicks."""

    anyone_clicks: bool | None = None
    """Whether everybody may start it. Default `true`."""
    autoplay: bool | None = None
    """Whether it plays by itself. Default `false`."""
    cleanup: bool | None = None
    """Whether the picture returns at the end. Default `true`."""
    frame_object: str | None = None
    """Address of the picture that is shown before it plays."""
    video_loop: bool | None = None
    """Whether it begins anew at its end. Default `true`."""
    video_object: str | None = None
    """Id of the object that shows the video."""
    video_path: str | None = None
    """Address of the video."""
    volume: float | None = None
    """Loudness; 1 is that of the file. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "anyone_clicks": Attribute("anyone_clicks", Shape("boolean")),
        "autoplay": Attribute("autoplay", Shape("boolean")),
        "cleanup": Attribute("cleanup", Shape("boolean")),
        "frame_object": Attribute("frame_object", Shape("text")),
        "video_loop": Attribute("video_loop", Shape("boolean")),
        "video_object": Attribute("video_object", Shape("text")),
        "video_path": Attribute("video_path", Shape("text")),
        "volume": Attribute("volume", Shape("number", minimum=0)),
    }
