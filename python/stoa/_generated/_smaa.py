# Generated from spec/objects/smaa.json by cargo xtask gen. Do not edit.
"""`smaa`: Smoothing of edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Smaa(AttributeGroup):
    """Smoothing of edges."""

    options: str | None = None
    """Has no options yet. Default `" "`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "options": Attribute("options", Shape("text")),
    }
