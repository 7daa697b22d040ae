# Generated from spec/objects/scene-options.json by cargo xtask gen. Do not edit.
"""`scene-options`: Settings of a scene for its visitors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._ar_hit_test import ArHitTest
from stoa._generated._head_model import HeadModel
from stoa._generated._openvps import OpenVps
from stoa._generated._physics import Physics


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOptions(AttributeGroup):
    """Settings of a scene for its visitors."""

    ar_hit_test: ArHitTest | None = None
    """The reticle in AR."""
    clickableOnlyEvents: bool | None = None
    """Whether only objects that listen to clicks send events. Default `true`."""
    distanceModel: Literal["exponential", "inverse", "linear"] | None = None
    """Model of the volume's decay with distance. Default `"inverse"`."""
    fly: bool | None = None
    """Whether visitors may leave the floor and fly. Default `false`."""
    jitsiHost: str | None = None
    """Host and port of the Jitsi server."""
    maxAVDist: float | None = None
    """Beyond which distance voice and video are not sent. In metres. Range: at least 0. Default `20`."""
    navMesh: str | None = None
    """Address of a glTF file with the floor on which people may walk. Default `""`."""
    networkedLocationSolver: bool | None = None
    """Whether the network solves where people are. Default `false`."""
    openvps: OpenVps | None = None
    """Localisation by pictures."""
    originMarker: bool | None = None
    """Whether a marker is shown at the scene's origin. If absent, Stoa's pages show none. Default `true`."""
    physics: Physics | None = None
    """Settings of the physics engine."""
    privateScene: bool | None = None
    """Whether visitors are kept from each other's sight. Default `false`."""
    refDistance: float | None = None
    """Distance up to which loudness does not fall. In metres. Range: at least 0. Default `1`."""
    rolloffFactor: float | None = None
    """Decay of the volume with distance. Range: at least 0. Default `1`."""
    sceneHeadModels: Sequence[HeadModel] | None = None
    """Heads that people may choose in this scene; the first is the default. Default `[]`."""
    screenshare: str | None = None
    """Name of the object that shows shared screens. Default `"screenshare"`."""
    videoDefaultResolutionConstraint: float | None = None
    """Height of video at the start. In px. Range: at least 0. Default `180`."""
    videoDistanceConstraints: bool | None = None
    """Whether video of people far away has a lower resolution. Default `true`."""
    videoFrustumCulling: bool | None = None
    """Whether video of people out of sight is paused. Default `true`."""
    volume: float | None = None
    """Loudness of everybody's voice. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "ar-hit-test": Attribute("ar_hit_test", Shape("group", group=ArHitTest)),
        "clickableOnlyEvents": Attribute("clickableOnlyEvents", Shape("boolean")),
        "distanceModel": Attribute("distanceModel", Shape("text", values=("exponential", "inverse", "linear",))),
        "fly": Attribute("fly", Shape("boolean")),
        "jitsiHost": Attribute("jitsiHost", Shape("text")),
        "maxAVDist": Attribute("maxAVDist", Shape("number", minimum=0)),
        "navMesh": Attribute("navMesh", Shape("text")),
        "networkedLocationSolver": Attribute("networkedLocationSolver", Shape("boolean")),
        "openvps": Attribute("openvps", Shape("group", group=OpenVps)),
        "originMarker": Attribute("originMarker", Shape("boolean")),
        "physics": Attribute("physics", Shape("group", group=Physics)),
        "privateScene": Attribute("privateScene", Shape("boolean")),
        "refDistance": Attribute("refDistance", Shape("number", minimum=0)),
        "rolloffFactor": Attribute("rolloffFactor", Shape("number", minimum=0)),
        "sceneHeadModels": Attribute("sceneHeadModels", Shape("array", items=Shape("group", group=HeadModel))),
        "screenshare": Attribute("screenshare", Shape("text")),
        "videoDefaultResolutionConstraint": Attribute("videoDefaultResolutionConstraint", Shape("number", minimum=0)),
        "videoDistanceConstraints": Attribute("videoDistanceConstraints", Shape("boolean")),
        "videoFrustumCulling": Attribute("videoFrustumCulling", Shape("boolean")),
        "volume": Attribute("volume", Shape("number", minimum=0)),
    }
