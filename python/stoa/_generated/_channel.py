# Generated from spec/objects/channel.json by cargo xtask gen. Do not edit.
"""`channel`: A topic that a program reads or writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel(AttributeGroup):
    """A topic that a program reads or writes."""

    mode: Literal["r", "w", "rw"] | None = None
    """Whether it is read, written, or both."""
    params: Mapping[str, object] | None = None
    """Further settings, such as `topic`."""
    path: str | None = None
    """Path under which the program opens it."""
    type: Literal["pubsub", "client"] | None = None
    """Whether it is a topic or a socket. Default `"pubsub"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "mode": Attribute("mode", Shape("text", values=("r", "w", "rw",))),
        "params": Attribute("params", Shape("object")),
        "path": Attribute("path", Shape("text")),
        "type": Attribute("type", Shape("text", values=("pubsub", "client",))),
    }
