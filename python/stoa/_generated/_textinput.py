# Generated from spec/objects/textinput.json by cargo xtask gen. Do not edit.
"""`textinput`: A form that opens at an event and sends the typed text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class TextInput(AttributeGroup):
    """A form that opens at an event and sends the typed text."""

    inputOptions: Sequence[str] | None = None
    """The choices. Default `[]`."""
    inputType: Literal["text", "email", "password", "number", "tel", "range", "textarea", "url", "select", "radio", "checkbox", "date", "datetime-local", "time", "week", "month"] | None = None
    """Kind of field, as in HTML. Default `"text"`."""
    inputValue: str | None = None
    """Initial content of the field. Default `""`."""
    label: str | None = None
    """Text beside the field. Default `""`."""
    on: Literal["mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup"] | None = None
    """Event at which the form opens. Default `"mousedown"`."""
    placeholder: str | None = None
    """Text in the empty field. Default `""`."""
    title: str | None = None
    """Heading of the form. Default `""`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "inputOptions": Attribute("inputOptions", Shape("array", items=Shape("text"))),
        "inputType": Attribute("inputType", Shape("text", values=("text", "email", "password", "number", "tel", "range", "textarea", "url", "select", "radio", "checkbox", "date", "datetime-local", "time", "week", "month",))),
        "inputValue": Attribute("inputValue", Shape("text")),
        "label": Attribute("label", Shape("text")),
        "on": Attribute("on", Shape("text", values=("mousedown", "mouseup", "mouseenter", "mouseleave", "triggerdown", "triggerup", "gripdown", "gripup", "menudown", "menuup", "systemdown", "systemup", "trackpaddown", "trackpadup",))),
        "placeholder": Attribute("placeholder", Shape("text")),
        "title": Attribute("title", Shape("text")),
    }
