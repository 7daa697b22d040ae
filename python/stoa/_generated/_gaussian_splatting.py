# Generated from spec/objects/gaussian_splatting.json by cargo xtask gen. Do not edit.
"""`gaussian_splatting`: A cloud of Gaussian splats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, Shape
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class GaussianSplatting(AnyObject):
    """A cloud of Gaussian splats."""

    OBJECT_TYPE: ClassVar[str] = "gaussian_splatting"
    cutoutEntity: str | None = None
    """Id of an object whose box limits the drawn part. Default `""`."""
    pixelRatio: float | None = None
    """Pixels that are drawn for each pixel of the screen. Range: at least 0. Default `1.0`."""
    src: str | None = None
    """Address of the splat file."""
    xrPixelRatio: float | None = None
    """Pixels drawn for each pixel of the screen in VR and AR. Range: at least 0. Default `0.5`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
        "cutoutEntity": Attribute("cutoutEntity", Shape("text")),
        "pixelRatio": Attribute("pixelRatio", Shape("number", minimum=0)),
        "src": Attribute("src", Shape("text")),
        "xrPixelRatio": Attribute("xrPixelRatio", Shape("number", minimum=0)),
    }
