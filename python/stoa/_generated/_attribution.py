# Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
"""`attribution`: Who made it and under which licence it is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution(AttributeGroup):
    """Who made it and under which licence it is used."""

    author: str | None = None
    """Who made it."""
    authorURL: str | None = None
    """Where more is said of who made it."""
    license: str | None = None
    """Name of its licence."""
    licenseURL: str | None = None
    """Where that licence is."""
    publish: bool | None = None
    """Whether it is shown. Default `true`."""
    source: str | None = None
    """Where it comes from."""
    sourceURL: str | None = None
    """Address of where it comes from."""
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
