# Generated from spec/objects/model-container.json by cargo xtask gen. Do not edit.
"""`model-container`: A box that the model is scaled to fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelContainer(AttributeGroup):
    """A box that the model is scaled to fit."""

    uniform: bool | None = None
    """Whether the model keeps its proportions. Default `true`."""
    x: float | None = None
    """Width of the box that the model is fitted into. In metres. Default `1`."""
    y: float | None = None
    """Height of the box that the model is fitted into. In metres. Default `1`."""
    z: float | None = None
    """Depth of the box that the model is fitted into. In metres. Default `1`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "uniform": Attribute("uniform", Shape("boolean")),
        "x": Attribute("x", Shape("number")),
        "y": Attribute("y", Shape("number")),
        "z": Attribute("z", Shape("number")),
    }
