# Generated from spec/objects/animation-mixer.json by cargo xtask gen. Do not edit.
"""`animation-mixer`: Which clips of a glTF model play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class AnimationMixer(AttributeGroup):
    """Which clips of a glTF model play."""

    clampWhenFinished: bool | None = None
    """Whether the last pose stays when the clip is over. Default `false`."""
    clip: str | None = None
    """Which clips play; `*` stands for any letters. Default `"*"`."""
    crossFadeDuration: float | None = None
    """How long one clip fades into the next. In seconds. Range: at least 0. Default `0`."""
    duration: float | None = None
    """How long one run of the clip takes; 0 is as long as it was made. In seconds. Range: at least 0. Default `0`."""
    loop: Literal["once", "repeat", "pingpong"] | None = None
    """What happens at the end of the clip. Default `"repeat"`."""
    repetitions: float | None = None
    """How often the clip plays; without end where absent. Range: at least 0."""
    startAt: float | None = None
    """Where in the clip it begins. In seconds. Default `0`."""
    timeScale: float | None = None
    """How fast the clip plays; negative is backwards. Default `1`."""
    useRegExp: bool | None = None
    """Whether `clip` is a regular expression. Default `false`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "clampWhenFinished": Attribute("clampWhenFinished", Shape("boolean")),
        "clip": Attribute("clip", Shape("text")),
        "crossFadeDuration": Attribute("crossFadeDuration", Shape("number", minimum=0)),
        "duration": Attribute("duration", Shape("number", minimum=0)),
        "loop": Attribute("loop", Shape("text", values=("once", "repeat", "pingpong",))),
        "repetitions": Attribute("repetitions", Shape("number", minimum=0)),
        "startAt": Attribute("startAt", Shape("number")),
        "timeScale": Attribute("timeScale", Shape("number")),
        "useRegExp": Attribute("useRegExp", Shape("boolean")),
    }
