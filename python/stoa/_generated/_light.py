# Generated from spec/objects/light.json by cargo xtask gen. Do not edit.
"""`light`: A light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Light(AnyObject):
    """A light."""

    OBJECT_TYPE: ClassVar[str] = "light"
    angle: float | None = None
    """Half the opening of a spot light's cone. In degrees. Range: 0 to 180. Default `60`."""
    castShadow: bool | None = None
    """Whether objects in this light cast shadows. Default `false`."""
    color: str | None = None
    """Colour of the light. Default `"#FFF"`."""
    decay: float | None = None
    """Decay of the light with distance. Range: at least 0. Default `1`."""
    distance: float | None = None
    """Beyond which distance the light is gone; 0 is never. In metres. Range: at least 0. Default `0`."""
    groundColor: str | None = None
    """Colour of the light from below, for a hemisphere light. Default `"#FFF"`."""
    intensity: float | None = None
    """Strength of the light. Range: at least 0. Default `3.14`."""
    penumbra: float | None = None
    """Share of a spot light's cone that is a soft edge. Range: 0 to 1. Default `0`."""
    shadowBias: float | None = None
    """Small offset of depths, against stripes in shadows. Default `0`."""
    shadowCameraBottom: float | None = None
    """Lower edge of the region in which a directional light's shadows are found. In metres. Default `-5`."""
    shadowCameraFar: float | None = None
    """Furthest distance at which objects cast shadows. In metres. Range: at least 0. Default `500`."""
    shadowCameraFov: float | None = None
    """Opening of the view from which a point or spot light's shadows are found. In degrees. Range: 0 to 180. Default `90`."""
    shadowCameraLeft: float | None = None
    """Left edge of the region in which a directional light's shadows are found. In metres. Default `-5`."""
    shadowCameraNear: float | None = None
    """Nearest distance at which objects cast shadows. In metres. Range: at least 0. Default `0.5`."""
    shadowCameraRight: float | None = None
    """Right edge of the region in which a directional light's shadows are found. In metres. Default `5`."""
    shadowCameraTop: float | None = None
    """Upper edge of the region in which a directional light's shadows are found. In metres. Default `5`."""
    shadowCameraVisible: bool | None = None
    """Whether that region is drawn, to find mistakes. Default `false`."""
    shadowMapHeight: int | None = None
    """Height of the shadow texture. In px. Range: at least 1. Default `512`."""
    shadowMapWidth: int | None = None
    """Width of the shadow texture. In px. Range: at least 1. Default `512`."""
    shadowRadius: float | None = None
    """Softness of the edges of shadows. Range: at least 0. Default `1`."""
    target: str | None = None
    """Id of the object that a directional or spot light points to."""
    type: Literal["ambient", "directional", "hemisphere", "point", "spot"] | None = None
    """Kind of light. Default `"directional"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "angle": Attribute("angle", Shape("number", minimum=0, maximum=180)),
        "castShadow": Attribute("castShadow", Shape("boolean")),
        "color": Attribute("color", Shape("text")),
        "decay": Attribute("decay", Shape("number", minimum=0)),
        "distance": Attribute("distance", Shape("number", minimum=0)),
        "groundColor": Attribute("groundColor", Shape("text")),
        "intensity": Attribute("intensity", Shape("number", minimum=0)),
        "penumbra": Attribute("penumbra", Shape("number", minimum=0, maximum=1)),
        "shadowBias": Attribute("shadowBias", Shape("number")),
        "shadowCameraBottom": Attribute("shadowCameraBottom", Shape("number")),
        "shadowCameraFar": Attribute("shadowCameraFar", Shape("number", minimum=0)),
        "shadowCameraFov": Attribute("shadowCameraFov", Shape("number", minimum=0, maximum=180)),
        "shadowCameraLeft": Attribute("shadowCameraLeft", Shape("number")),
        "shadowCameraNear": Attribute("shadowCameraNear", Shape("number", minimum=0)),
        "shadowCameraRight": Attribute("shadowCameraRight", Shape("number")),
        "shadowCameraTop": Attribute("shadowCameraTop", Shape("number")),
        "shadowCameraVisible": Attribute("shadowCameraVisible", Shape("boolean")),
        "shadowMapHeight": Attribute("shadowMapHeight", Shape("integer", minimum=1)),
        "shadowMapWidth": Attribute("shadowMapWidth", Shape("integer", minimum=1)),
        "shadowRadius": Attribute("shadowRadius", Shape("number", minimum=0)),
        "target": Attribute("target", Shape("text")),
        "type": Attribute("type", Shape("text", values=("ambient", "directional", "hemisphere", "point", "spot",))),
    }
