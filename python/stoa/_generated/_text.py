# Generated from spec/objects/text.json by cargo xtask gen. Do not edit.
"""`text`: A line or block of text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(AnyObject):
    """A line or block of text."""

    OBJECT_TYPE: ClassVar[str] = "text"
    align: Literal["left", "center", "right"] | None = None
    """To which side each line of text is flush. Default `"left"`."""
    alphaTest: float | None = None
    """Glyph pixels that are less opaque than this are not drawn. Range: 0 to 1. Default `0.5`."""
    anchor: Literal["left", "right", "center", "align"] | None = None
    """The part of the text at the object's position, left to right. Default `"center"`."""
    baseline: Literal["top", "center", "bottom"] | None = None
    """The part of the text at the object's position, top to bottom. Default `"center"`."""
    color: str | None = None
    """Colour of the glyphs. Default `"#FFF"`."""
    font: Literal["aileronsemibold", "dejavu", "exo2bold", "exo2semibold", "kelsonsans", "monoid", "mozillavr", "roboto", "sourcecodepro"] | None = None
    """Name of the font. Default `"roboto"`."""
    height: float | None = None
    """Height of the block of text; the text's own where absent. In metres. Range: at least 0."""
    letterSpacing: float | None = None
    """Additional space between letters, in units of the font. Default `0`."""
    lineHeight: float | None = None
    """Height of a line, in units of the font; the font's own where absent. Range: at least 0."""
    opacity: float | None = None
    """Opacity of the glyphs: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`."""
    shader: Literal["portal", "flat", "standard", "sdf", "msdf", "ios10hls", "skyshader", "gradientshader"] | None = None
    """Shader of the glyphs. Default `"sdf"`."""
    side: Literal["front", "back", "double"] | None = None
    """From which sides the text is seen. Default `"double"`."""
    tabSize: float | None = None
    """Width of a tab in spaces. Range: at least 0. Default `4`."""
    text: str | None = None
    """The text; write `value` instead. Deprecated."""
    transparent: bool | None = None
    """Whether the glyphs are transparent. Default `true`."""
    value: str | None = None
    """The text that is shown. Default `"Default Text"`."""
    whiteSpace: Literal["normal", "pre", "nowrap"] | None = None
    """Treatment of spaces and line ends, as in CSS. Default `"normal"`."""
    width: float | None = None
    """Width in which the text is wrapped. In metres. Range: at least 0. Default `5`."""
    wrapCount: float | None = None
    """About how many letters fit into a line. Range: at least 1. Default `40`."""
    wrapPixels: float | None = None
    """Width of a line in pixels of the font; takes the place of `wrapCount`. In px. Range: at least 1."""
    xOffset: float | None = None
    """Offset of the text to the right. In metres. Default `0`."""
    zOffset: float | None = None
    """Offset of the text towards the viewer, against flicker. In metres. Default `0.001`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "align": Attribute("align", Shape("text", values=("left", "center", "right",))),
        "alphaTest": Attribute("alphaTest", Shape("number", minimum=0, maximum=1)),
        "anchor": Attribute("anchor", Shape("text", values=("left", "right", "center", "align",))),
        "baseline": Attribute("baseline", Shape("text", values=("top", "center", "bottom",))),
        "color": Attribute("color", Shape("text")),
        "font": Attribute("font", Shape("text", values=("aileronsemibold", "dejavu", "exo2bold", "exo2semibold", "kelsonsans", "monoid", "mozillavr", "roboto", "sourcecodepro",))),
        "height": Attribute("height", Shape("number", minimum=0)),
        "letterSpacing": Attribute("letterSpacing", Shape("number")),
        "lineHeight": Attribute("lineHeight", Shape("number", minimum=0)),
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "shader": Attribute("shader", Shape("text", values=("portal", "flat", "standard", "sdf", "msdf", "ios10hls", "skyshader", "gradientshader",))),
        "side": Attribute("side", Shape("text", values=("front", "back", "double",))),
        "tabSize": Attribute("tabSize", Shape("number", minimum=0)),
        "text": Attribute("text", Shape("text")),
        "transparent": Attribute("transparent", Shape("boolean")),
        "value": Attribute("value", Shape("text")),
        "whiteSpace": Attribute("whiteSpace", Shape("text", values=("normal", "pre", "nowrap",))),
        "width": Attribute("width", Shape("number", minimum=0)),
        "wrapCount": Attribute("wrapCount", Shape("number", minimum=1)),
        "wrapPixels": Attribute("wrapPixels", Shape("number", minimum=1)),
        "xOffset": Attribute("xOffset", Shape("number")),
        "zOffset": Attribute("zOffset", Shape("number")),
    }
