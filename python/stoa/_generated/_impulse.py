# Generated from spec/objects/impulse.json by cargo xtask gen. Do not edit.
"""`impulse`: A push, by the former physics engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class Impulse(AttributeGroup):
    """A push, by the former physics engine."""

    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
    }
