# Generated from spec/objects/animation.json by cargo xtask gen. Do not edit.
"""`animation`: A change of one property over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Animation(AttributeGroup):
    """A change of one property over time."""

    autoplay: bool | None = None
    """Whether it starts by itself. Default `true`."""
    delay: float | None = None
    """Delay before it starts. In ms. Range: at least 0. Default `0`."""
    dir: Literal["normal", "alternate", "reverse"] | None = None
    """In which direction it runs. Default `"normal"`."""
    dur: float | None = None
    """Duration of one run. In ms. Range: at least 0. Default `1000`."""
    easing: Literal["easeInQuad", "easeInCubic", "easeInQuart", "easeInQuint", "easeInSine", "easeInExpo", "easeInCirc", "easeInBack", "easeInElastic", "easeOutQuad", "easeOutCubic", "easeOutQuart", "easeOutQuint", "easeOutSine", "easeOutExpo", "easeOutCirc", "easeOutBack", "easeOutElastic", "easeInOutQuad", "easeInOutCubic", "easeInOutQuart", "easeInOutQuint", "easeInOutSine", "easeInOutExpo", "easeInOutCirc", "easeInOutBack", "easeInOutElastic", "linear"] | None = None
    """Easing: the change of speed during a run. Default `"easeInQuad"`."""
    elasticity: float | None = None
    """Strength of an elastic easing. Range: at least 0. Default `400`."""
    enabled: bool | None = None
    """Whether it may run. Default `true`."""
    from_: str | float | bool | Mapping[str, object] | None = None
    """The value at the start; the present one where empty. Default `""`."""
    isRawProperty: bool | None = None
    """Whether the property is one of three.js and not of a component. Default `false`."""
    loop: str | float | bool | None = None
    """Number of repetitions; `true` is endless. Default `0`."""
    pauseEvents: Sequence[str] | str | None = None
    """Events that halt it. Default `[]`."""
    property: str | None = None
    """The animated property, such as `position` or `material.opacity`. Default `""`."""
    resumeEvents: Sequence[str] | str | None = None
    """Events that let it go on. Default `[]`."""
    round: bool | None = None
    """Whether values are rounded to whole numbers. Default `false`."""
    startEvents: Sequence[str] | str | None = None
    """Events that start it; it then does not start by itself. Default `[]`."""
    to: str | float | bool | Mapping[str, object] | None = None
    """The value at the end. Default `""`."""
    type: str | None = None
    """`color` where the values are colours. Default `""`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "autoplay": Attribute("autoplay", Shape("boolean")),
        "delay": Attribute("delay", Shape("number", minimum=0)),
        "dir": Attribute("dir", Shape("text", values=("normal", "alternate", "reverse",))),
        "dur": Attribute("dur", Shape("number", minimum=0)),
        "easing": Attribute("easing", Shape("text", values=("easeInQuad", "easeInCubic", "easeInQuart", "easeInQuint", "easeInSine", "easeInExpo", "easeInCirc", "easeInBack", "easeInElastic", "easeOutQuad", "easeOutCubic", "easeOutQuart", "easeOutQuint", "easeOutSine", "easeOutExpo", "easeOutCirc", "easeOutBack", "easeOutElastic", "easeInOutQuad", "easeInOutCubic", "easeInOutQuart", "easeInOutQuint", "easeInOutSine", "easeInOutExpo", "easeInOutCirc", "easeInOutBack", "easeInOutElastic", "linear",))),
        "elasticity": Attribute("elasticity", Shape("number", minimum=0)),
        "enabled": Attribute("enabled", Shape("boolean")),
        "from": Attribute("from_", Shape("choice", shapes=(Shape("text"), Shape("number"), Shape("boolean"), Shape("object"),))),
        "isRawProperty": Attribute("isRawProperty", Shape("boolean")),
        "loop": Attribute("loop", Shape("choice", shapes=(Shape("text"), Shape("number"), Shape("boolean"),))),
        "pauseEvents": Attribute("pauseEvents", Shape("choice", shapes=(Shape("array", items=Shape("text")), Shape("text"),))),
        "property": Attribute("property", Shape("text")),
        "resumeEvents": Attribute("resumeEvents", Shape("choice", shapes=(Shape("array", items=Shape("text")), Shape("text"),))),
        "round": Attribute("round", Shape("boolean")),
        "startEvents": Attribute("startEvents", Shape("choice", shapes=(Shape("array", items=Shape("text")), Shape("text"),))),
        "to": Attribute("to", Shape("choice", shapes=(Shape("text"), Shape("number"), Shape("boolean"), Shape("object"),))),
        "type": Attribute("type", Shape("text")),
    }
