# Generated from spec/objects/gltf-model-lod.json by cargo xtask gen. Do not edit.
"""`gltf-model-lod`: A more detailed model for near by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class GltfModelLod(AttributeGroup):
    """A more detailed model for near by."""

    detailedDistance: float | None = None
    """Within which distance the detailed model is shown. In metres. Range: at least 0. Default `10`."""
    detailedUrl: str | None = None
    """Address of the detailed model. Default `""`."""
    retainCache: bool | None = None
    """Whether the detailed model stays in memory. Default `false`."""
    updateRate: float | None = None
    """Time between two looks at the distance. In ms. Range: at least 0. Default `333`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "detailedDistance": Attribute("detailedDistance", Shape("number", minimum=0)),
        "detailedUrl": Attribute("detailedUrl", Shape("text")),
        "retainCache": Attribute("retainCache", Shape("boolean")),
        "updateRate": Attribute("updateRate", Shape("number", minimum=0)),
    }
