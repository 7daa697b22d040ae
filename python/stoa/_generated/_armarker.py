# Generated from spec/objects/armarker.json by cargo xtask gen. Do not edit.
"""`armarker`: A marker in the real world that ties the scene to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ArMarker(AttributeGroup):
    """A marker in the real world that ties the scene to it."""

    buildable: bool | None = None
    """Whether editors of the scene may move it. Default `false`."""
    dynamic: bool | None = None
    """Whether it moves, and moves the objects fixed to it. Default `false`."""
    ele: float | None = None
    """Height above sea level. In metres. Default `0`."""
    lat: float | None = None
    """Latitude. In degrees. Range: -90 to 90. Default `0`."""
    long: float | None = None
    """Longitude. In degrees. Range: -180 to 180. Default `0`."""
    markerid: str | float | None = None
    """Id of the marker: a text or a number. Default `"0"`."""
    markertype: Literal["apriltag_36h11", "lightanchor", "uwb", "vive", "optitrack"] | None = None
    """Kind of marker. Default `"apriltag_36h11"`."""
    publish: bool | None = None
    """Whether its detections are published. Default `false`."""
    size: float | None = None
    """Length of an edge. In mm. Range: at least 0. Default `150`."""
    url: str | None = None
    """Address that belongs to the marker."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "buildable": Attribute("buildable", Shape("boolean")),
        "dynamic": Attribute("dynamic", Shape("boolean")),
        "ele": Attribute("ele", Shape("number")),
        "lat": Attribute("lat", Shape("number", minimum=-90, maximum=90)),
        "long": Attribute("long", Shape("number", minimum=-180, maximum=180)),
        "markerid": Attribute("markerid", Shape("choice", shapes=(Shape("text"), Shape("number"),))),
        "markertype": Attribute("markertype", Shape("text", values=("apriltag_36h11", "lightanchor", "uwb", "vive", "optitrack",))),
        "publish": Attribute("publish", Shape("boolean")),
        "size": Attribute("size", Shape("number", minimum=0)),
        "url": Attribute("url", Shape("text")),
    }
