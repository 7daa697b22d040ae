# Generated from spec/objects/panel.json by cargo xtask gen. Do not edit.
"""`panel`: A flat box for user interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel(AttributeGroup):
    """A flat box for user interfaces."""

    depth: float | None = None
    """Thickness. In metres. Range: at least 0. Default `0.05`."""
    height: float | None = None
    """Size along y. In metres. Range: at least 0. Default `1`."""
    width: float | None = None
    """Size along x. In metres. Range: at least 0. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "depth": Attribute("depth", Shape("number", minimum=0)),
        "height": Attribute("height", Shape("number", minimum=0)),
        "width": Attribute("width", Shape("number", minimum=0)),
    }
