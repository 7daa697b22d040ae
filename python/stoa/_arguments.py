"""Converts a script's arguments to attributes in JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, cast

from stoa._errors import InvalidError
from stoa._generated import OBJECT_TYPES, AnyObject
from stoa._limits import OBJECT_ID_BYTES_MAX
from stoa._schema import Attribute, AttributeGroup, AttributeValueError, read, write
from stoa._topic import is_token

if TYPE_CHECKING:
    from stoa._json import Json, JsonObject

_SINGLE_UNDERSCORE = re.compile(r"(?<!_)_(?!_)")


class ObjectAttributes(Protocol):
    """Interface of `Box`, `Text` and the other object classes."""

    @property
    def object_id(self) -> str:
        """The object's id, unique in its scene."""
        ...

    def to_attributes(self) -> Mapping[str, object]:
        """Return ARENA's attributes: those that were set, and `object_type`."""
        ...


def checked_id(object_id: str) -> str:
    """Return `object_id` if it is valid. Raises `InvalidError`."""
    if not is_token(object_id) or len(object_id.encode("utf-8", "replace")) > OBJECT_ID_BYTES_MAX:
        raise InvalidError(f"the object id {object_id[:64]!r}", f"it must have 1 to {OBJECT_ID_BYTES_MAX} bytes without / + #")
    return object_id


def described_attributes(described: ObjectAttributes) -> JsonObject:
    """Return the attributes of an object class such as `Box(…)`. Raises `InvalidError`."""
    try:
        attributes = described.to_attributes()
    except AttributeValueError as error:
        raise InvalidError(f"object {described.object_id!r}", str(error)) from error
    return {key: _json(key, value) for key, value in attributes.items()}


def named_attributes(arguments: Mapping[str, object], object_type: str | None) -> JsonObject:
    """Turn keyword arguments into attributes.

    Attributes that the schema of `object_type` names are checked by it. Raises `InvalidError`.
    """
    group = OBJECT_TYPES.get(object_type or "", AnyObject)
    known = {attribute.field: (key, attribute) for key, attribute in group.ATTRIBUTES.items()}
    written: JsonObject = {}
    for name, value in arguments.items():
        key, attribute = known.get(name, (_wire_name(name), None))
        written[key] = None if value is None else _json(name, _checked(name, attribute, value))
    return written


def _wire_name(name: str) -> str:
    """Turn `my_component` into `my-component`.

    ARENA's `object_type` and A-Frame's double underscore, as in `animation__position`, stay unchanged.
    """
    return name if name == "object_type" else _SINGLE_UNDERSCORE.sub("-", name)


def _checked(name: str, attribute: Attribute | None, value: object) -> object:
    if attribute is None:
        return value
    try:
        written = write(attribute.shape, value)
        read(attribute.shape, written)
    except AttributeValueError as error:
        raise InvalidError("an update", str(error.below(name))) from error
    return written


def _json(name: str, value: object) -> Json:
    if isinstance(value, AttributeGroup):
        value = value.to_attributes()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _json(name, each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_json(name, each) for each in cast("Sequence[object]", value)]
    raise InvalidError(f"the attribute {name!r}", f"JSON can't hold a {type(value).__name__}")
