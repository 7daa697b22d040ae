# Generated from spec/objects/physx-force-pushable.json by cargo xtask gen. Do not edit.
"""`physx-force-pushable`: Lets people push the body by a click."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class PhysxForcePushable(AttributeGroup):
    """Lets people push the body by a click."""

    force: float | None = None
    """Strength of the push. Default `10`."""
    on: Literal["mousedown", "mouseup"] | None = None
    """Event at which it happens. Default `"mousedown"`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "force": Attribute("force", Shape("number")),
        "on": Attribute("on", Shape("text", values=("mousedown", "mouseup",))),
    }
