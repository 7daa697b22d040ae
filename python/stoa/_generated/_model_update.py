# Generated from spec/objects/modelUpdate.json by cargo xtask gen. Do not edit.
"""`modelUpdate`: Poses of parts of a glTF model, by the part's name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUpdate(AttributeGroup):
    """Poses of parts of a glTF model, by the part's name."""

    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
    }
