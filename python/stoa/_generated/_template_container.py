# Generated from spec/objects/templateContainer.json by cargo xtask gen. Do not edit.
"""`templateContainer`: The parent of the objects that a template was copied to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute
from stoa._generated._any_object import AnyObject


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateContainer(AnyObject):
    """The parent of the objects that a template was copied to."""

    OBJECT_TYPE: ClassVar[str] = "templateContainer"
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        **AnyObject.ATTRIBUTES,
    }
