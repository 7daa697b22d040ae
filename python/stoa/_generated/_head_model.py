# Generated from spec/objects/head-model.json by cargo xtask gen. Do not edit.
"""`head-model`: A head that people may choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadModel(AttributeGroup):
    """A head that people may choose."""

    name: str | None = None
    """Name that people choose by."""
    url: str | None = None
    """Address of the head's glTF file."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "name": Attribute("name", Shape("text")),
        "url": Attribute("url", Shape("text")),
    }
