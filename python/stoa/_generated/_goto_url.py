# Generated from spec/objects/goto-url.json by cargo xtask gen. Do not edit.
"""`goto-url`: Opens an address at a click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class GotoUrl(AttributeGroup):
    """Opens an address at a click."""

    dest: Literal["popup", "newtab", "sametab"] | None = None
    """Tab or window in which the address opens. Default `"sametab"`."""
    on: Literal["mousedown", "mouseup"] | None = None
    """Event at which it happens. Default `"mousedown"`."""
    url: str | None = None
    """Address to open."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "dest": Attribute("dest", Shape("text", values=("popup", "newtab", "sametab",))),
        "on": Attribute("on", Shape("text", values=("mousedown", "mouseup",))),
        "url": Attribute("url", Shape("text")),
    }
