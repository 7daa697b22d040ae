# Generated from spec/objects/gltf-morph.json by cargo xtask gen. Do not edit.
"""`gltf-morph`: Weight of a morph target of a glTF model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class GltfMorph(AttributeGroup):
    """Weight of a morph target of a glTF model."""

    morphtarget: str | None = None
    """Name of the morph target. Default `""`."""
    value: float | str | None = None
    """Weight; arena-py writes the number as text. Default `0`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "morphtarget": Attribute("morphtarget", Shape("text")),
        "value": Attribute("value", Shape("choice", shapes=(Shape("number"), Shape("text"),))),
    }
