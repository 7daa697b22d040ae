# Generated from spec/objects/animation-mixer.json by cargo xtask gen. Do not edit.
"""`animation-mixer`: The playing clips of a glTF model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class AnimationMixer(AttributeGroup):
    """The playing clips of a glTF model."""

    clampWhenFinished: bool | None = None
    """Whether the last pose stays when the clip is over. Default `false`."""
    clip: str | None = None
    """Names of the clips to play; `*` matches any letters. Default `"*"`."""
    crossFadeDuration: float | None = None
    """Duration of the cross-fade between clips. In seconds. Range: at least 0. Default `0`."""
    duration: float | None = None
    """Duration of one run of the clip; 0 is the clip's own. In seconds. Range: at least 0. Default `0`."""
    loop: Literal["once", "repeat", "pingpong"] | None = None
    """Behaviour at the end of the clip. Default `"repeat"`."""
    repetitions: float | None = None
    """Number of runs of the clip; endless if absent. Range: at least 0."""
    startAt: float | None = None
    """Start time in the clip. In seconds. Default `0`."""
    timeScale: float | None = None
    """Speed of the clip; negative plays backwards. Default `1`."""
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
