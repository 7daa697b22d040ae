# Generated from spec/objects/material.json by cargo xtask gen. Do not edit.
"""`material`: Look of the surface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._vector2 import VECTOR2, Vector2


@dataclass(frozen=True, slots=True, kw_only=True)
class Material(AttributeGroup):
    """Look of the surface."""

    alphaTest: float | None = None
    """Pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0`."""
    ambientOcclusionMap: str | None = None
    """Address of the texture of shaded corners."""
    ambientOcclusionMapIntensity: float | None = None
    """Strength of the texture of shaded corners. Range: at least 0. Default `1`."""
    ambientOcclusionTextureOffset: Vector2 | None = None
    """Offset of the texture of shaded corners. Default `{"x":0,"y":0}`."""
    ambientOcclusionTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of shaded corners each way. Default `{"x":1,"y":1}`."""
    anisotropy: float | None = None
    """Samples of the texture at a slant; 0 is the renderer's choice. Range: at least 0. Default `0`."""
    blending: Literal["none", "normal", "additive", "subtractive", "multiply"] | None = None
    """Blending of the colour with the background. Default `"normal"`."""
    bumpMap: str | None = None
    """Address of the texture of heights, for shading only."""
    bumpMapScale: float | None = None
    """Strength of the texture of heights. Default `1`."""
    bumpTextureOffset: Vector2 | None = None
    """Offset of the texture of heights for shading. Default `{"x":0,"y":0}`."""
    bumpTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of heights for shading each way. Default `{"x":1,"y":1}`."""
    color: str | None = None
    """Colour of the surface. Default `"#FFF"`."""
    combine: Literal["mix", "add", "multiply"] | None = None
    """Mixing of the surroundings' reflection with the colour. Default `"mix"`."""
    depthTest: bool | None = None
    """Whether closer objects hide it. Default `true`."""
    depthWrite: bool | None = None
    """Whether it hides objects behind it. Default `true`."""
    displacementBias: float | None = None
    """Offset of the displacement. Default `0.5`."""
    displacementMap: str | None = None
    """Address of the texture of heights that moves the surface."""
    displacementScale: float | None = None
    """Distance by which that texture moves the surface. Default `1`."""
    displacementTextureOffset: Vector2 | None = None
    """Offset of the texture of heights that move the surface. Default `{"x":0,"y":0}`."""
    displacementTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of heights that move the surface each way. Default `{"x":1,"y":1}`."""
    dithering: bool | None = None
    """Whether noise hides steps between colours. Default `true`."""
    emissive: str | None = None
    """Colour of the surface's own light. Default `"#000000"`."""
    emissiveIntensity: float | None = None
    """Strength of the surface's own light. Range: at least 0. Default `1`."""
    envMap: str | None = None
    """Address of the picture of the surroundings. Default `""`."""
    flatShading: bool | None = None
    """Whether faces are drawn flat. Default `false`."""
    fog: bool | None = None
    """Whether fog falls on it. Default `true`."""
    metalness: float | None = None
    """Metalness. Range: 0 to 1. Default `0`."""
    metalnessMap: str | None = None
    """Address of the texture of metalness."""
    metalnessTextureOffset: Vector2 | None = None
    """Offset of the texture of metalness. Default `{"x":0,"y":0}`."""
    metalnessTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of metalness each way. Default `{"x":1,"y":1}`."""
    normalMap: str | None = None
    """Address of the texture of normals."""
    normalScale: Vector2 | None = None
    """Strength of that texture, both ways. Default `{"x":1,"y":1}`."""
    normalTextureOffset: Vector2 | None = None
    """Offset of the texture of normals. Default `{"x":0,"y":0}`."""
    normalTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of normals each way. Default `{"x":1,"y":1}`."""
    npot: bool | None = None
    """Whether the texture's size need not be a power of two. Default `false`."""
    offset: Vector2 | None = None
    """Offset of the texture. Default `{"x":0,"y":0}`."""
    opacity: float | None = None
    """Opacity: 0 is invisible, 1 is opaque; needs `transparent`. Range: 0 to 1. Default `1`."""
    reflectivity: float | None = None
    """Strength of the reflection of the surroundings. Range: 0 to 1. Default `0.9`."""
    refract: bool | None = None
    """Whether it bends light instead of reflecting it. Default `false`."""
    refractionRatio: float | None = None
    """Refraction of light. Range: 0 to 1. Default `0.98`."""
    repeat: Vector2 | None = None
    """Repetitions of the texture each way. Default `{"x":1,"y":1}`."""
    roughness: float | None = None
    """Roughness. Range: 0 to 1. Default `0.5`."""
    roughnessMap: str | None = None
    """Address of the texture of roughness."""
    roughnessTextureOffset: Vector2 | None = None
    """Offset of the texture of roughness. Default `{"x":0,"y":0}`."""
    roughnessTextureRepeat: Vector2 | None = None
    """Repetitions of the texture of roughness each way. Default `{"x":1,"y":1}`."""
    shader: Literal["flat", "standard", "phong"] | None = None
    """Lighting model. Default `"standard"`."""
    shininess: float | None = None
    """Size of highlights, for `phong`: larger values make them smaller. Range: at least 0. Default `30`."""
    side: Literal["front", "back", "double"] | None = None
    """Drawn sides of its faces. Default `"front"`."""
    specular: str | None = None
    """Colour of highlights, for `phong`. Default `"#111111"`."""
    sphericalEnvMap: str | None = None
    """Address of a round picture of the surroundings."""
    src: str | None = None
    """Address of the picture or video on the surface."""
    toneMapped: bool | None = None
    """Whether brightness is fitted to the screen. Default `true`."""
    transparent: bool | None = None
    """Whether `opacity` makes it transparent. Default `false`."""
    vertexColorsEnabled: bool | None = None
    """Whether the mesh's own colours are used. Default `false`."""
    visible: bool | None = None
    """Whether it is drawn. Default `true`."""
    wireframe: bool | None = None
    """Whether only edges are drawn. Default `false`."""
    wireframeLinewidth: int | None = None
    """Width of those edges. In px. Range: at least 0. Default `2`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "alphaTest": Attribute("alphaTest", Shape("number", minimum=0, maximum=1)),
        "ambientOcclusionMap": Attribute("ambientOcclusionMap", Shape("text")),
        "ambientOcclusionMapIntensity": Attribute("ambientOcclusionMapIntensity", Shape("number", minimum=0)),
        "ambientOcclusionTextureOffset": Attribute("ambientOcclusionTextureOffset", VECTOR2),
        "ambientOcclusionTextureRepeat": Attribute("ambientOcclusionTextureRepeat", VECTOR2),
        "anisotropy": Attribute("anisotropy", Shape("number", minimum=0)),
        "blending": Attribute("blending", Shape("text", values=("none", "normal", "additive", "subtractive", "multiply",))),
        "bumpMap": Attribute("bumpMap", Shape("text")),
        "bumpMapScale": Attribute("bumpMapScale", Shape("number")),
        "bumpTextureOffset": Attribute("bumpTextureOffset", VECTOR2),
        "bumpTextureRepeat": Attribute("bumpTextureRepeat", VECTOR2),
        "color": Attribute("color", Shape("text")),
        "combine": Attribute("combine", Shape("text", values=("mix", "add", "multiply",))),
        "depthTest": Attribute("depthTest", Shape("boolean")),
        "depthWrite": Attribute("depthWrite", Shape("boolean")),
        "displacementBias": Attribute("displacementBias", Shape("number")),
        "displacementMap": Attribute("displacementMap", Shape("text")),
        "displacementScale": Attribute("displacementScale", Shape("number")),
        "displacementTextureOffset": Attribute("displacementTextureOffset", VECTOR2),
        "displacementTextureRepeat": Attribute("displacementTextureRepeat", VECTOR2),
        "dithering": Attribute("dithering", Shape("boolean")),
        "emissive": Attribute("emissive", Shape("text")),
        "emissiveIntensity": Attribute("emissiveIntensity", Shape("number", minimum=0)),
        "envMap": Attribute("envMap", Shape("text")),
        "flatShading": Attribute("flatShading", Shape("boolean")),
        "fog": Attribute("fog", Shape("boolean")),
        "metalness": Attribute("metalness", Shape("number", minimum=0, maximum=1)),
        "metalnessMap": Attribute("metalnessMap", Shape("text")),
        "metalnessTextureOffset": Attribute("metalnessTextureOffset", VECTOR2),
        "metalnessTextureRepeat": Attribute("metalnessTextureRepeat", VECTOR2),
        "normalMap": Attribute("normalMap", Shape("text")),
        "normalScale": Attribute("normalScale", VECTOR2),
        "normalTextureOffset": Attribute("normalTextureOffset", VECTOR2),
        "normalTextureRepeat": Attribute("normalTextureRepeat", VECTOR2),
        "npot": Attribute("npot", Shape("boolean")),
        "offset": Attribute("offset", VECTOR2),
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "reflectivity": Attribute("reflectivity", Shape("number", minimum=0, maximum=1)),
        "refract": Attribute("refract", Shape("boolean")),
        "refractionRatio": Attribute("refractionRatio", Shape("number", minimum=0, maximum=1)),
        "repeat": Attribute("repeat", VECTOR2),
        "roughness": Attribute("roughness", Shape("number", minimum=0, maximum=1)),
        "roughnessMap": Attribute("roughnessMap", Shape("text")),
        "roughnessTextureOffset": Attribute("roughnessTextureOffset", VECTOR2),
        "roughnessTextureRepeat": Attribute("roughnessTextureRepeat", VECTOR2),
        "shader": Attribute("shader", Shape("text", values=("flat", "standard", "phong",))),
        "shininess": Attribute("shininess", Shape("number", minimum=0)),
        "side": Attribute("side", Shape("text", values=("front", "back", "double",))),
        "specular": Attribute("specular", Shape("text")),
        "sphericalEnvMap": Attribute("sphericalEnvMap", Shape("text")),
        "src": Attribute("src", Shape("text")),
        "toneMapped": Attribute("toneMapped", Shape("boolean")),
        "transparent": Attribute("transparent", Shape("boolean")),
        "vertexColorsEnabled": Attribute("vertexColorsEnabled", Shape("boolean")),
        "visible": Attribute("visible", Shape("boolean")),
        "wireframe": Attribute("wireframe", Shape("boolean")),
        "wireframeLinewidth": Attribute("wireframeLinewidth", Shape("integer", minimum=0)),
    }
