# Generated from spec/objects/pcd-model.json by cargo xtask gen. Do not edit.
"""`pcd-model`: A cloud of points in the PCD format; `url` names it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PcdModel(AnyObject):
    """A cloud of points in the PCD format; `url` names it."""

    OBJECT_TYPE: ClassVar[str] = "pcd-model"
    opacity: float | None = None
    """Opacity of the points: 0 is invisible, 1 is opaque. Range: 0 to 1. Default `1`."""
    pointColor: str | None = None
    """Colour of all points; each point's own where empty. Default `""`."""
    pointSize: float | None = None
    """Size of each point. In metres. Range: at least 0. Default `0.01`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "opacity": Attribute("opacity", Shape("number", minimum=0, maximum=1)),
        "pointColor": Attribute("pointColor", Shape("text")),
        "pointSize": Attribute("pointSize", Shape("number", minimum=0)),
    }
