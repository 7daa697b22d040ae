# Generated from spec/objects/dynamic-body.json by cargo xtask gen. Do not edit.
"""`dynamic-body`: A moving body, by the former physics engine; write `physx-body` instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicBody(AttributeGroup):
    """A moving body, by the former physics engine; write `physx-body` instead."""

    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
    }
