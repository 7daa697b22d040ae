# Generated from spec/objects/videosphere.json by cargo xtask gen. Do not edit.
"""`videosphere`: A sphere seen from inside, with a video around the viewer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class VideoSphere(AnyObject):
    """A sphere seen from inside, with a video around the viewer."""

    OBJECT_TYPE: ClassVar[str] = "videosphere"
    autoplay: bool | None = None
    """Whether it plays by itself. Default `true`."""
    color: str | None = None
    """Colour of the surface; write `material.color` instead. Deprecated."""
    crossOrigin: str | None = None
    """The CORS setting with which the file is fetched. Default `"anonymous"`."""
    loop: bool | None = None
    """Whether it begins anew at its end. Default `true`."""
    radius: float | None = None
    """Distance from the centre to the surface. In metres. Range: at least 0. Default `500`."""
    segmentsHeight: int | None = None
    """Into how many parts the mesh is cut from pole to pole. Range: at least 1. Default `32`."""
    segmentsWidth: int | None = None
    """Into how many parts the mesh is cut around the vertical axis. Range: at least 1. Default `64`."""
    src: str | None = None
    """Address of the video or picture that is shown on the inside."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "autoplay": Attribute("autoplay", Shape("boolean")),
        "color": Attribute("color", Shape("text")),
        "crossOrigin": Attribute("crossOrigin", Shape("text")),
        "loop": Attribute("loop", Shape("boolean")),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "segmentsHeight": Attribute("segmentsHeight", Shape("integer", minimum=1)),
        "segmentsWidth": Attribute("segmentsWidth", Shape("integer", minimum=1)),
        "src": Attribute("src", Shape("text")),
    }
