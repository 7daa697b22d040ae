# Generated from spec/objects/attribution.json by cargo xtask gen. Do not edit.
"""`attribution`: Author and licence of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution(AttributeGroup):
    """Author and licence of a model."""

    author: str | None = None
    """Author of the model."""
    authorURL: str | None = None
    """Address of a page about the author."""
    license: str | None = None
    """Name of the model's licence."""
    licenseURL: str | None = None
    """Address of the licence's text."""
    publish: bool | None = None
    """Whether clients show the attribution. Default `true`."""
    source: str | None = None
    """Source of the model."""
    sourceURL: str | None = None
    """Address of the source."""
    title: str | None = None
    """Title of the model."""
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
