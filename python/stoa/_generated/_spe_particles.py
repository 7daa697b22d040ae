# Generated from spec/objects/spe-particles.json by cargo xtask gen. Do not edit.
"""`spe-particles`: A source of particles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector2 import VECTOR2, Vector2
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeParticles(AttributeGroup):
    """A source of particles."""

    acceleration: Vector3 | None = None
    """Acceleration of each particle. In m/s². Default `{"x":0,"y":0,"z":0}`."""
    accelerationDistribution: Literal["none", "box", "sphere", "disc"] | None = None
    """Spread of the accelerations. Default `"none"`."""
    accelerationSpread: Vector3 | None = None
    """By how much accelerations differ. In m/s². Default `{"x":0,"y":0,"z":0}`."""
    activeMultiplier: float | None = None
    """Share of particles that is born at once. Range: 0 to 1. Default `1`."""
    affectedByFog: bool | None = None
    """Whether fog falls on them. Default `true`."""
    alphaTest: float | None = None
    """Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`."""
    angle: Sequence[float] | None = None
    """Turn of each particle over its life. In rad. Default `[0]`."""
    angleSpread: Sequence[float] | None = None
    """By how much turns differ. In rad. Default `[0]`."""
    blending: Literal["no", "normal", "additive", "subtractive", "multiply", "custom"] | None = None
    """Blending of their colours with the background. Default `"normal"`."""
    color: Sequence[str] | str | None = None
    """Colours over a particle's life."""
    colorSpread: Sequence[Vector3] | None = None
    """By how much colours differ. Default `[]`."""
    depthTest: bool | None = None
    """Whether closer objects hide them. Default `true`."""
    depthWrite: bool | None = None
    """Whether they hide objects behind them. Default `false`."""
    direction: Literal["forward", "backward"] | None = None
    """Whether their life runs forward or backward. Default `"forward"`."""
    distribution: Literal["box", "sphere", "disc"] | None = None
    """From which form they start. Default `"box"`."""
    drag: float | None = None
    """Drag on the motion. Default `0`."""
    dragSpread: float | None = None
    """By how much braking differs. Default `0`."""
    duration: float | None = None
    """Duration of the emission; -1 is endless. In seconds. Range: at least -1. Default `-1`."""
    emitterScale: float | None = None
    """Size of particles in all. Default `100`."""
    enableInEditor: bool | None = None
    """Whether they move while a scene is edited. Default `false`."""
    enabled: bool | None = None
    """Whether particles are made. Default `true`."""
    frustumCulled: bool | None = None
    """Whether nothing is drawn when the object is out of sight. Default `false`."""
    hasPerspective: bool | None = None
    """Whether particles look smaller from further away. Default `true`."""
    maxAge: float | None = None
    """Lifetime of a particle. In seconds. Range: at least 0. Default `1`."""
    maxAgeSpread: float | None = None
    """By how much lives differ. In seconds. Range: at least 0. Default `0`."""
    opacity: Sequence[float] | None = None
    """Opacity of a particle over its life. Default `[1]`."""
    opacitySpread: Sequence[float] | None = None
    """By how much that differs. Default `[0]`."""
    particleCount: int | None = None
    """Number of particles. Range: at least 0. Default `100`."""
    positionDistribution: Literal["none", "box", "sphere", "disc"] | None = None
    """From which form they start, in place of `distribution`. Default `"none"`."""
    positionOffset: Vector3 | None = None
    """Start position, relative to the object. In metres. Default `{"x":0,"y":0,"z":0}`."""
    positionSpread: Vector3 | None = None
    """By how much starts differ. In metres. Default `{"x":0,"y":0,"z":0}`."""
    radius: float | None = None
    """Radius of a sphere or disc they start from. In metres. Range: at least 0. Default `1`."""
    radiusScale: Vector3 | None = None
    """Scale of that sphere or disc. Default `{"x":1,"y":1,"z":1}`."""
    randomizeAcceleration: bool | None = None
    """Whether each life has a new acceleration. Default `false`."""
    randomizeAngle: bool | None = None
    """Whether each life has a new turn. Default `false`."""
    randomizeColor: bool | None = None
    """Whether each life has a new colour. Default `false`."""
    randomizeDrag: bool | None = None
    """Whether each life has a new braking. Default `false`."""
    randomizeOpacity: bool | None = None
    """Whether each life has a new opacity. Default `false`."""
    randomizePosition: bool | None = None
    """Whether each life has a new start. Default `false`."""
    randomizeRotation: bool | None = None
    """Whether each life has a new rotation. Default `false`."""
    randomizeSize: bool | None = None
    """Whether each life has a new size. Default `false`."""
    randomizeVelocity: bool | None = None
    """Whether each life has a new velocity. Default `false`."""
    relative: Literal["local", "world"] | None = None
    """Whether particles go with the object or stay in the world. Default `"local"`."""
    rotationAxis: Vector3 | None = None
    """Axis around which all turn. Default `{"x":0,"y":0,"z":0}`."""
    rotationAxisSpread: Vector3 | None = None
    """By how much axes differ. Default `{"x":0,"y":0,"z":0}`."""
    rotationSpread: float | None = None
    """By how much that differs. In rad. Default `0`."""
    rotationStatic: bool | None = None
    """Whether they are turned once and stay so. Default `false`."""
    size: Sequence[float] | None = None
    """Size of a particle over its life. Default `[1]`."""
    sizeSpread: Sequence[float] | None = None
    """By how much sizes differ. Default `[0]`."""
    texture: str | None = None
    """Address of the picture of a particle. Default `""`."""
    textureFrameCount: int | None = None
    """Number of frames in the picture; -1 is all. Default `-1`."""
    textureFrameLoop: int | None = None
    """Repetitions of the frames in a life. Default `1`."""
    textureFrames: Vector2 | None = None
    """Frames of the picture each way. Default `{"x":1,"y":1}`."""
    useTransparency: bool | None = None
    """Whether they are transparent. Default `true`."""
    velocity: Vector3 | None = None
    """Velocity at the start. In m/s. Default `{"x":0,"y":0,"z":0}`."""
    velocityDistribution: Literal["none", "box", "sphere", "disc"] | None = None
    """Spread of the velocities. Default `"none"`."""
    velocitySpread: Vector3 | None = None
    """By how much velocities differ. In m/s. Default `{"x":0,"y":0,"z":0}`."""
    wiggle: float | None = None
    """Wiggle of the particles. Default `0`."""
    wiggleSpread: float | None = None
    """By how much that differs. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "acceleration": Attribute("acceleration", VECTOR3),
        "accelerationDistribution": Attribute("accelerationDistribution", Shape("text", values=("none", "box", "sphere", "disc",))),
        "accelerationSpread": Attribute("accelerationSpread", VECTOR3),
        "activeMultiplier": Attribute("activeMultiplier", Shape("number", minimum=0, maximum=1)),
        "affectedByFog": Attribute("affectedByFog", Shape("boolean")),
        "alphaTest": Attribute("alphaTest", Shape("number", minimum=0, maximum=1)),
        "angle": Attribute("angle", Shape("array", items=Shape("number"))),
        "angleSpread": Attribute("angleSpread", Shape("array", items=Shape("number"))),
        "blending": Attribute("blending", Shape("text", values=("no", "normal", "additive", "subtractive", "multiply", "custom",))),
        "color": Attribute("color", Shape("choice", shapes=(Shape("array", items=Shape("text")), Shape("text"),))),
        "colorSpread": Attribute("colorSpread", Shape("array", items=VECTOR3)),
        "depthTest": Attribute("depthTest", Shape("boolean")),
        "depthWrite": Attribute("depthWrite", Shape("boolean")),
        "direction": Attribute("direction", Shape("text", values=("forward", "backward",))),
        "distribution": Attribute("distribution", Shape("text", values=("box", "sphere", "disc",))),
        "drag": Attribute("drag", Shape("number")),
        "dragSpread": Attribute("dragSpread", Shape("number")),
        "duration": Attribute("duration", Shape("number", minimum=-1)),
        "emitterScale": Attribute("emitterScale", Shape("number")),
        "enableInEditor": Attribute("enableInEditor", Shape("boolean")),
        "enabled": Attribute("enabled", Shape("boolean")),
        "frustumCulled": Attribute("frustumCulled", Shape("boolean")),
        "hasPerspective": Attribute("hasPerspective", Shape("boolean")),
        "maxAge": Attribute("maxAge", Shape("number", minimum=0)),
        "maxAgeSpread": Attribute("maxAgeSpread", Shape("number", minimum=0)),
        "opacity": Attribute("opacity", Shape("array", items=Shape("number"))),
        "opacitySpread": Attribute("opacitySpread", Shape("array", items=Shape("number"))),
        "particleCount": Attribute("particleCount", Shape("integer", minimum=0)),
        "positionDistribution": Attribute("positionDistribution", Shape("text", values=("none", "box", "sphere", "disc",))),
        "positionOffset": Attribute("positionOffset", VECTOR3),
        "positionSpread": Attribute("positionSpread", VECTOR3),
        "radius": Attribute("radius", Shape("number", minimum=0)),
        "radiusScale": Attribute("radiusScale", VECTOR3),
        "randomizeAcceleration": Attribute("randomizeAcceleration", Shape("boolean")),
        "randomizeAngle": Attribute("randomizeAngle", Shape("boolean")),
        "randomizeColor": Attribute("randomizeColor", Shape("boolean")),
        "randomizeDrag": Attribute("randomizeDrag", Shape("boolean")),
        "randomizeOpacity": Attribute("randomizeOpacity", Shape("boolean")),
        "randomizePosition": Attribute("randomizePosition", Shape("boolean")),
        "randomizeRotation": Attribute("randomizeRotation", Shape("boolean")),
        "randomizeSize": Attribute("randomizeSize", Shape("boolean")),
        "randomizeVelocity": Attribute("randomizeVelocity", Shape("boolean")),
        "relative": Attribute("relative", Shape("text", values=("local", "world",))),
        "rotationAxis": Attribute("rotationAxis", VECTOR3),
        "rotationAxisSpread": Attribute("rotationAxisSpread", VECTOR3),
        "rotationSpread": Attribute("rotationSpread", Shape("number")),
        "rotationStatic": Attribute("rotationStatic", Shape("boolean")),
        "size": Attribute("size", Shape("array", items=Shape("number"))),
        "sizeSpread": Attribute("sizeSpread", Shape("array", items=Shape("number"))),
        "texture": Attribute("texture", Shape("text")),
        "textureFrameCount": Attribute("textureFrameCount", Shape("integer")),
        "textureFrameLoop": Attribute("textureFrameLoop", Shape("integer")),
        "textureFrames": Attribute("textureFrames", VECTOR2),
        "useTransparency": Attribute("useTransparency", Shape("boolean")),
        "velocity": Attribute("velocity", VECTOR3),
        "velocityDistribution": Attribute("velocityDistribution", Shape("text", values=("none", "box", "sphere", "disc",))),
        "velocitySpread": Attribute("velocitySpread", VECTOR3),
        "wiggle": Attribute("wiggle", Shape("number")),
        "wiggleSpread": Attribute("wiggleSpread", Shape("number")),
    }
