# Generated from spec/objects/goto-landmark.json by cargo xtask gen. Do not edit.
"""`goto-landmark`: Takes the person to a landmark at a click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class GotoLandmark(AttributeGroup):
    """Takes the person to a landmark at a click."""

    landmark: str | None = None
    """Id of the landmark to go to."""
    on: Literal["mousedown", "mouseup"] | None = None
    """Event at which it happens. Default `"mousedown"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "landmark": Attribute("landmark", Shape("text")),
        "on": Attribute("on", Shape("text", values=("mousedown", "mouseup",))),
    }
