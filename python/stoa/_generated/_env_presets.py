# Generated from spec/objects/env-presets.json by cargo xtask gen. Do not edit.
"""`env-presets`: The surroundings: sky, ground and decoration."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvPresets(AttributeGroup):
    """The surroundings: sky, ground and decoration."""

    active: bool | None = None
    """Whether the surroundings are drawn. Default `true`."""
    dressing: Literal["apparatus", "arches", "cubes", "cylinders", "hexagons", "mushrooms", "none", "pyramids", "stones", "torii", "towers", "trees"] | None = None
    """The decoration. Default `"none"`."""
    dressingAmount: int | None = None
    """Their number. Range: at least 0. Default `10`."""
    dressingColor: str | None = None
    """Their colour. Default `"#795449"`."""
    dressingOnPlayArea: float | None = None
    """Share of the decoration within the play area. Range: 0 to 1. Default `0`."""
    dressingScale: float | None = None
    """Their height. In metres. Default `5`."""
    dressingUniformScale: bool | None = None
    """Whether width and depth go with the height. Default `true`."""
    dressingVariance: Vector3 | None = None
    """By how much their sizes differ. Default `{"x":1,"y":1,"z":1}`."""
    flatShading: bool | None = None
    """Whether faces are drawn flat. Default `false`."""
    fog: float | None = None
    """Density of the fog. Range: at least 0. Default `0`."""
    grid: Literal["1x1", "2x2", "crosses", "dots", "none", "xlines", "ylines"] | None = None
    """Pattern of lines on the ground. Default `"none"`."""
    gridColor: str | None = None
    """Colour of those lines. Default `"#ccc"`."""
    ground: Literal["canyon", "flat", "hills", "noise", "none", "spikes"] | None = None
    """Form of the ground. Default `"hills"`."""
    groundColor: str | None = None
    """Colour of the ground. Default `"#553e35"`."""
    groundColor2: str | None = None
    """Second colour of the ground. Default `"#694439"`."""
    groundDensity: float | None = None
    """Into how many parts the ground is cut each way. Range: at least 1. Default `64`."""
    groundFrequency: float | None = None
    """Density of the hills. Default `10`."""
    groundScale: Vector3 | None = None
    """Scale of the ground. Default `{"x":1,"y":1,"z":1}`."""
    groundTexture: Literal["checkerboard", "none", "squares", "walkernoise"] | None = None
    """Pattern of the ground's colours. Default `"none"`."""
    groundYScale: float | None = None
    """Height of hills and valleys. Default `3`."""
    hideInAR: bool | None = None
    """Whether it is hidden in AR. Default `true`."""
    horizonColor: str | None = None
    """Colour of the horizon. Default `"#ffa500"`."""
    lightPosition: Vector3 | None = None
    """Position of that light. Default `{"x":0,"y":1,"z":-0.2}`."""
    lighting: Literal["distant", "none", "point"] | None = None
    """Lights in addition to the scene's own. Default `"distant"`."""
    playArea: float | None = None
    """Radius of the free area around the origin. In metres. Range: at least 0. Default `1`."""
    preset: Literal["arches", "checkerboard", "contact", "default", "dream", "egypt", "forest", "goaland", "goldmine", "japan", "none", "osiris", "poison", "starry", "threetowers", "tron", "volcano", "yavapai"] | None = None
    """The preset that supplies missing values. Default `"default"`."""
    seed: int | None = None
    """Number from which all chance is drawn. Default `1`."""
    shadowSize: float | None = None
    """Size of the area in which shadows are found. In metres. Range: at least 0. Default `10`."""
    skyColor: str | None = None
    """Colour of the sky. Default `"#ffa500"`."""
    skyType: Literal["atmosphere", "color", "gradient", "none"] | None = None
    """Kind of sky. Default `"color"`."""
    stageSize: float | None = None
    """Size of the ground. In metres. Range: at least 0. Default `200`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "active": Attribute("active", Shape("boolean")),
        "dressing": Attribute("dressing", Shape("text", values=("apparatus", "arches", "cubes", "cylinders", "hexagons", "mushrooms", "none", "pyramids", "stones", "torii", "towers", "trees",))),
        "dressingAmount": Attribute("dressingAmount", Shape("integer", minimum=0)),
        "dressingColor": Attribute("dressingColor", Shape("text")),
        "dressingOnPlayArea": Attribute("dressingOnPlayArea", Shape("number", minimum=0, maximum=1)),
        "dressingScale": Attribute("dressingScale", Shape("number")),
        "dressingUniformScale": Attribute("dressingUniformScale", Shape("boolean")),
        "dressingVariance": Attribute("dressingVariance", VECTOR3),
        "flatShading": Attribute("flatShading", Shape("boolean")),
        "fog": Attribute("fog", Shape("number", minimum=0)),
        "grid": Attribute("grid", Shape("text", values=("1x1", "2x2", "crosses", "dots", "none", "xlines", "ylines",))),
        "gridColor": Attribute("gridColor", Shape("text")),
        "ground": Attribute("ground", Shape("text", values=("canyon", "flat", "hills", "noise", "none", "spikes",))),
        "groundColor": Attribute("groundColor", Shape("text")),
        "groundColor2": Attribute("groundColor2", Shape("text")),
        "groundDensity": Attribute("groundDensity", Shape("number", minimum=1)),
        "groundFrequency": Attribute("groundFrequency", Shape("number")),
        "groundScale": Attribute("groundScale", VECTOR3),
        "groundTexture": Attribute("groundTexture", Shape("text", values=("checkerboard", "none", "squares", "walkernoise",))),
        "groundYScale": Attribute("groundYScale", Shape("number")),
        "hideInAR": Attribute("hideInAR", Shape("boolean")),
        "horizonColor": Attribute("horizonColor", Shape("text")),
        "lightPosition": Attribute("lightPosition", VECTOR3),
        "lighting": Attribute("lighting", Shape("text", values=("distant", "none", "point",))),
        "playArea": Attribute("playArea", Shape("number", minimum=0)),
        "preset": Attribute("preset", Shape("text", values=("arches", "checkerboard", "contact", "default", "dream", "egypt", "forest", "goaland", "goldmine", "japan", "none", "osiris", "poison", "starry", "threetowers", "tron", "volcano", "yavapai",))),
        "seed": Attribute("seed", Shape("integer")),
        "shadowSize": Attribute("shadowSize", Shape("number", minimum=0)),
        "skyColor": Attribute("skyColor", Shape("text")),
        "skyType": Attribute("skyType", Shape("text", values=("atmosphere", "color", "gradient", "none",))),
        "stageSize": Attribute("stageSize", Shape("number", minimum=0)),
    }
