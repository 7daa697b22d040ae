# Generated from spec/objects/post-processing.json by cargo xtask gen. Do not edit.
"""`post-processing`: Effects on the whole picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._bloom import Bloom
from stoa._generated._fxaa import Fxaa
from stoa._generated._glitch import Glitch
from stoa._generated._pixel import Pixel
from stoa._generated._sao import Sao
from stoa._generated._smaa import Smaa
from stoa._generated._ssao import Ssao


@dataclass(frozen=True, slots=True, kw_only=True)
class PostProcessing(AttributeGroup):
    """Effects on the whole picture."""

    bloom: Bloom | None = None
    """Glow around bright places."""
    fxaa: Fxaa | None = None
    """Fast smoothing of edges."""
    glitch: Glitch | None = None
    """Disturbances of the picture."""
    pixel: Pixel | None = None
    """Coarse pixels."""
    sao: Sao | None = None
    """Shadows in corners, the older way."""
    smaa: Smaa | None = None
    """Smoothing of edges."""
    ssao: Ssao | None = None
    """Shadows in corners."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "bloom": Attribute("bloom", Shape("group", group=Bloom)),
        "fxaa": Attribute("fxaa", Shape("group", group=Fxaa)),
        "glitch": Attribute("glitch", Shape("group", group=Glitch)),
        "pixel": Attribute("pixel", Shape("group", group=Pixel)),
        "sao": Attribute("sao", Shape("group", group=Sao)),
        "smaa": Attribute("smaa", Shape("group", group=Smaa)),
        "ssao": Attribute("ssao", Shape("group", group=Ssao)),
    }
