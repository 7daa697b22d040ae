# Generated from spec/objects/arenaui-prompt.json by cargo xtask gen. Do not edit.
"""`arenaui-prompt`: A window that asks something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaUiPrompt(AnyObject):
    """A window that asks something."""

    OBJECT_TYPE: ClassVar[str] = "arenaui-prompt"
    buttons: Sequence[str] | None = None
    """Texts of the buttons, in order. Default `["Confirm","Cancel"]`."""
    description: str | None = None
    """The question. Default `"This is a prompt. Please confirm or cancel."`."""
    font: Literal["Roboto", "Roboto-Mono"] | None = None
    """Name of the font. Default `"Roboto"`."""
    materialSides: Literal["both", "front"] | None = None
    """From which sides it is seen. Default `"both"`."""
    theme: Literal["light", "dark"] | None = None
    """Colour theme. Default `"light"`."""
    themeOverride: Sequence[object] | Mapping[str, object] | None = None
    """Colours that replace those of the theme. Default `[]`."""
    title: str | None = None
    """Heading. Default `"Prompt"`."""
    width: float | None = None
    """Width of the window. In metres. Range: at least 0. Default `1.5`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "buttons": Attribute("buttons", Shape("array", items=Shape("text"))),
        "description": Attribute("description", Shape("text")),
        "font": Attribute("font", Shape("text", values=("Roboto", "Roboto-Mono",))),
        "materialSides": Attribute("materialSides", Shape("text", values=("both", "front",))),
        "theme": Attribute("theme", Shape("text", values=("light", "dark",))),
        "themeOverride": Attribute("themeOverride", Shape("choice", shapes=(Shape("array", items=Shape("any")), Shape("object"),))),
        "title": Attribute("title", Shape("text")),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
