# Generated from spec/objects/button.json by cargo xtask gen. Do not edit.
"""`button`: A button of a panel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Button(AttributeGroup):
    """A button of a panel."""

    borderRadius: float | None = None
    """Radius of its corners. In metres. Range: at least 0."""
    height: float | None = None
    """Height of the button. In metres. Range: at least 0."""
    img: str | None = None
    """Address of a picture that takes the place of the text."""
    name: str | None = None
    """Text on it, and its name in events."""
    size: float | None = None
    """Height of the text or picture. In metres. Range: at least 0. Default `0.3`."""
    width: float | None = None
    """Width of the button. In metres. Range: at least 0."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "borderRadius": Attribute("borderRadius", Shape("number", minimum=0)),
        "height": Attribute("height", Shape("number", minimum=0)),
        "img": Attribute("img", Shape("text")),
        "name": Attribute("name", Shape("text")),
        "size": Attribute("size", Shape("number", minimum=0)),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
