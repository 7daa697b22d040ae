# Generated from spec/objects/event.json by cargo xtask gen. Do not edit.
"""`event`: The `data` of a client event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._click_pos import CLICK_POS, ClickPos
from stoa._generated._vector3 import VECTOR3, Vector3


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientEventAttributes(AttributeGroup):
    """The `data` of a client event."""

    buttonIndex: int | None = None
    """Place of that button in its panel, from 0. Range: at least 0."""
    buttonName: str | None = None
    """Name of the button that was pressed."""
    clickPos: ClickPos | None = None
    """Position of the person, as in `originPosition`. Deprecated."""
    originPosition: Vector3 | None = None
    """From where it was pointed. In metres. Default `{"x":0,"y":1.6,"z":0}`."""
    source: str | None = None
    """Id of the person; the message's `object_id` says it. Deprecated."""
    target: str | None = None
    """Id of the object that was met."""
    targetPosition: Vector3 | None = None
    """Point at which the target was hit. In metres."""
    text: str | None = None
    """The typed text."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "buttonIndex": Attribute("buttonIndex", Shape("integer", minimum=0)),
        "buttonName": Attribute("buttonName", Shape("text")),
        "clickPos": Attribute("clickPos", CLICK_POS),
        "originPosition": Attribute("originPosition", VECTOR3),
        "source": Attribute("source", Shape("text")),
        "target": Attribute("target", Shape("text")),
        "targetPosition": Attribute("targetPosition", VECTOR3),
        "text": Attribute("text", Shape("text")),
    }
