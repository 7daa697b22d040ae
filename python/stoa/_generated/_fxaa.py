# Generated from spec/objects/fxaa.json by cargo xtask gen. Do not edit.
"""`fxaa`: Fast smoothing of edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Fxaa(AttributeGroup):
    """Fast smoothing of edges."""

    options: str | None = None
    """Has no options yet. Default `" "`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "options": Attribute("options", Shape("text")),
    }
