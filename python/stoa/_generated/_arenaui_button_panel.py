# Generated from spec/objects/arenaui-button-panel.json by cargo xtask gen. Do not edit.
"""`arenaui-button-panel`: A panel of buttons; a click on one is the event `buttonClick`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject
from stoa._generated._button import Button


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaUiButtonPanel(AnyObject):
    """A panel of buttons; a click on one is the event `buttonClick`."""

    OBJECT_TYPE: ClassVar[str] = "arenaui-button-panel"
    buttons: Sequence[Button | str] | None = None
    """The buttons, in order. Default `[{"name":"Confirm"},{"name":"Cancel"}]`."""
    font: Literal["Roboto", "Roboto-Mono"] | None = None
    """Name of the font. Default `"Roboto"`."""
    materialSides: Literal["both", "front"] | None = None
    """From which sides it is seen. Default `"both"`."""
    theme: Literal["light", "dark"] | None = None
    """Colour theme. Default `"light"`."""
    themeOverride: Sequence[object] | Mapping[str, object] | None = None
    """Colours that replace those of the theme. Default `[]`."""
    title: str | None = None
    """Heading. Default `""`."""
    vertical: bool | None = None
    """Whether the buttons are arranged vertically. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "buttons": Attribute("buttons", Shape("array", items=Shape("choice", shapes=(Shape("group", group=Button), Shape("text"),)))),
        "font": Attribute("font", Shape("text", values=("Roboto", "Roboto-Mono",))),
        "materialSides": Attribute("materialSides", Shape("text", values=("both", "front",))),
        "theme": Attribute("theme", Shape("text", values=("light", "dark",))),
        "themeOverride": Attribute("themeOverride", Shape("choice", shapes=(Shape("array", items=Shape("any")), Shape("object"),))),
        "title": Attribute("title", Shape("text")),
        "vertical": Attribute("vertical", Shape("boolean")),
    }
