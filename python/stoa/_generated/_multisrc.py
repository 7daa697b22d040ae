# Generated from spec/objects/multisrc.json by cargo xtask gen. Do not edit.
"""`multisrc`: Several pictures, one for each face."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class MultiSrc(AttributeGroup):
    """Several pictures, one for each face."""

    srcs: str | None = None
    """Names of the files, apart by commas."""
    srcspath: str | None = None
    """Address of the folder of the files."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "srcs": Attribute("srcs", Shape("text")),
        "srcspath": Attribute("srcspath", Shape("text")),
    }
