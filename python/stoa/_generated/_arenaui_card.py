# Generated from spec/objects/arenaui-card.json by cargo xtask gen. Do not edit.
"""`arenaui-card`: A panel with text and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaUiCard(AnyObject):
    """A panel with text and a picture."""

    OBJECT_TYPE: ClassVar[str] = "arenaui-card"
    body: str | None = None
    """Main text. Default `""`."""
    bodyAlign: Literal["left", "center", "right", "justify"] | None = None
    """To which side the text is flush. Default `"left"`."""
    closeButton: bool | None = None
    """Whether there is a button that closes it. Default `false`."""
    font: Literal["Roboto", "Roboto-Mono"] | None = None
    """Name of the font. Default `"Roboto"`."""
    fontSize: float | None = None
    """Height of the text. In metres. Range: at least 0. Default `0.035`."""
    img: str | None = None
    """Address of a picture. Default `""`."""
    imgCaption: str | None = None
    """Line below the picture. Default `""`."""
    imgDirection: Literal["left", "right"] | None = None
    """On which side the picture is. Default `"right"`."""
    imgSize: Literal["cover", "contain", "stretch"] | None = None
    """Fit of the picture in its space. Default `"cover"`."""
    materialSides: Literal["both", "front"] | None = None
    """From which sides it is seen. Default `"both"`."""
    textImageRatio: float | None = None
    """Share of the width that the text takes. Range: 0 to 1. Default `0.5`."""
    theme: Literal["light", "dark"] | None = None
    """Colour theme. Default `"light"`."""
    themeOverride: Sequence[object] | Mapping[str, object] | None = None
    """Colours that replace those of the theme. Default `[]`."""
    title: str | None = None
    """Heading. Default `""`."""
    widthScale: float | None = None
    """Factor of the width. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "body": Attribute("body", Shape("text")),
        "bodyAlign": Attribute("bodyAlign", Shape("text", values=("left", "center", "right", "justify",))),
        "closeButton": Attribute("closeButton", Shape("boolean")),
        "font": Attribute("font", Shape("text", values=("Roboto", "Roboto-Mono",))),
        "fontSize": Attribute("fontSize", Shape("number", minimum=0)),
        "img": Attribute("img", Shape("text")),
        "imgCaption": Attribute("imgCaption", Shape("text")),
        "imgDirection": Attribute("imgDirection", Shape("text", values=("left", "right",))),
        "imgSize": Attribute("imgSize", Shape("text", values=("cover", "contain", "stretch",))),
        "materialSides": Attribute("materialSides", Shape("text", values=("both", "front",))),
        "textImageRatio": Attribute("textImageRatio", Shape("number", minimum=0, maximum=1)),
        "theme": Attribute("theme", Shape("text", values=("light", "dark",))),
        "themeOverride": Attribute("themeOverride", Shape("choice", shapes=(Shape("array", items=Shape("any")), Shape("object"),))),
        "title": Attribute("title", Shape("text")),
        "widthScale": Attribute("widthScale", Shape("number", minimum=0)),
    }
