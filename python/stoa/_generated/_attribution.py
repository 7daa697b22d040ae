# Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
"""`attribution`: Its author and the licence of its use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution(AttributeGroup):
    """Its author and the licence of its use."""

    author: str | None = None
    """The author."""
    authorURL: str | None = None
    """Address of a page about the author."""
    license: str | None = None
    """Name of its licence."""
    licenseURL: str | None = None
    """Address of that licence."""
    publish: bool | None = None
    """Whether it is shown. Default `true`."""
    source: str | None = None
    """The source."""
    sourceURL: str | None = None
    """Address of the source."""
    title: str | None = None
    """Its name."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "author": Attribute("author", Shape("text")),
        "authorURL": Attribute("authorURL", Shape("text")),
        "license": Attribute("license", Shape("text")),
        "licenseURL": Attribute("licenseURL", Shape("text")),
        "publish": Attribute("publish", Shape("boolean")),
        "source": Attribute("source", Shape("text")),
        "sourceURL": Attribute("sourceURL", Shape("text")),
        "title": Attribute("title", Shape("text")),
    }
