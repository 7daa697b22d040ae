# Generated from spec/objects/sao.json by cargo xtask gen. Do not edit.
"""`sao`: Shadows in corners, the older way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Sao(AttributeGroup):
    """Shadows in corners, the older way."""

    resolution: float | None = None
    """Resolution at which the effect is computed. In px. Range: at least 0. Default `256`."""
    saoBias: float | None = None
    """Offset against shadows on flat faces. Default `0.5`."""
    saoBlur: bool | None = None
    """Whether the shadows are blurred. Default `true`."""
    saoBlurDepthCutoff: float | None = None
    """Difference of depth that ends the blur. Default `0.01`."""
    saoBlurRadius: float | None = None
    """Radius of their blur. Default `8`."""
    saoBlurStdDev: float | None = None
    """Standard deviation of the blur. Default `4`."""
    saoIntensity: float | None = None
    """Darkness of the shadows. Default `0.18`."""
    saoKernelRadius: float | None = None
    """Radius around a point that is sampled. Range: at least 0. Default `100`."""
    saoMinResolution: float | None = None
    """Least resolution that is looked at. Range: at least 0. Default `0`."""
    saoScale: float | None = None
    """Scale of distances. Default `1`."""
    useDepthTexture: bool | None = None
    """Whether depths come from a texture. Default `false`."""
    useNormals: bool | None = None
    """Whether normals are drawn for it. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "resolution": Attribute("resolution", Shape("number", minimum=0)),
        "saoBias": Attribute("saoBias", Shape("number")),
        "saoBlur": Attribute("saoBlur", Shape("boolean")),
        "saoBlurDepthCutoff": Attribute("saoBlurDepthCutoff", Shape("number")),
        "saoBlurRadius": Attribute("saoBlurRadius", Shape("number")),
        "saoBlurStdDev": Attribute("saoBlurStdDev", Shape("number")),
        "saoIntensity": Attribute("saoIntensity", Shape("number")),
        "saoKernelRadius": Attribute("saoKernelRadius", Shape("number", minimum=0)),
        "saoMinResolution": Attribute("saoMinResolution", Shape("number", minimum=0)),
        "saoScale": Attribute("saoScale", Shape("number")),
        "useDepthTexture": Attribute("useDepthTexture", Shape("boolean")),
        "useNormals": Attribute("useNormals", Shape("boolean")),
    }
