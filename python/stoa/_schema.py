"""Checks, reads and writes attribute values by the schemas of `spec/objects/`.

The classes with their tables are in `_generated/`. The checks in Rust and TypeScript are the same; all three are tested
by `spec/vectors/objects/`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias, TypeVar, cast

if TYPE_CHECKING:
    from stoa._json import Json, JsonObject

ShapeKind: TypeAlias = Literal["any", "boolean", "text", "number", "integer", "object", "array", "group", "tuple", "choice"]

Readable = TypeVar("Readable", bound="SchemaObject")


class ViolationReason(StrEnum):
    """Why a value breaks its schema."""

    WRONG_TYPE = "wrong type"
    NOT_ALLOWED = "not allowed"
    OUT_OF_RANGE = "out of range"
    UNKNOWN_OBJECT_TYPE = "unknown object type"


class AttributeValueError(ValueError):
    """An attribute breaks its schema. `path` leads to it, such as `material.opacity` or `buttons.0.size`."""

    def __init__(self, reason: ViolationReason, path: str = "") -> None:
        super().__init__(f"attribute {path!r}: {reason}")
        self.path = path
        self.reason = reason

    def below(self, key: str) -> AttributeValueError:
        """Return this error with `key` prepended to its path."""
        return AttributeValueError(self.reason, f"{key}.{self.path}" if self.path else key)


@dataclass(frozen=True, slots=True)
class Shape:
    """The set of allowed values. The shapes of a choice have different JSON types."""

    kind: ShapeKind
    values: tuple[str, ...] = ()
    minimum: float = -math.inf
    maximum: float = math.inf
    axes: tuple[tuple[str, float], ...] = ()
    items: Shape | None = None
    group: type[AttributeGroup] | None = None
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: the field that holds it, and its shape."""

    field: str
    shape: Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class AttributeGroup:
    """The attributes of one schema. `None` means absent."""

    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {}
    PREFIXES: ClassVar[Mapping[str, Attribute]] = {}

    other: Mapping[str, object] = field(default_factory=dict[str, object])
    """Keys outside of the schema, unchanged."""

    def to_attributes(self) -> JsonObject:
        """Return the attributes that were set, by their names in messages. Raises `AttributeValueError`."""
        written = _write_group(self)
        _read_fields(type(self), written)
        return written

    @classmethod
    def attribute(cls, key: str) -> Attribute | None:
        """Find the attribute of a key, by name or prefix."""
        named = cls.ATTRIBUTES.get(key)
        if named is not None:
            return named
        return next((entry for prefix, entry in cls.PREFIXES.items() if key.startswith(prefix)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaObject(AttributeGroup):
    """The attributes of an object, and its id."""

    OBJECT_TYPE: ClassVar[str] = ""

    object_id: str
    """The id of the object; not an attribute."""

    def to_attributes(self) -> JsonObject:
        """Return a message's `data`: `object_type` and the attributes that were set. Raises `AttributeValueError`."""
        return {"object_type": self.OBJECT_TYPE, **AttributeGroup.to_attributes(self)}

    @classmethod
    def from_attributes(cls, object_id: str, attributes: Mapping[str, object]) -> Self:
        """Check and read attributes. `None` means absent. Raises `AttributeValueError`."""
        if attributes.get("object_type", cls.OBJECT_TYPE) != cls.OBJECT_TYPE:
            raise AttributeValueError(ViolationReason.NOT_ALLOWED, "object_type")
        own = {key: value for key, value in attributes.items() if key != "object_type"}
        return cls(**cast("dict[str, Any]", {**_read_fields(cls, own), "object_id": object_id}))


def read_object(types: Mapping[str, type[Readable]], object_id: str, attributes: Mapping[str, object]) -> Readable:
    """Check and read attributes by the class of their `object_type`. Raises `AttributeValueError`."""
    object_type = attributes.get("object_type")
    if not isinstance(object_type, str):
        raise AttributeValueError(ViolationReason.WRONG_TYPE, "object_type")
    if object_type not in types:
        raise AttributeValueError(ViolationReason.UNKNOWN_OBJECT_TYPE, "object_type")
    return types[object_type].from_attributes(object_id, attributes)


def read(shape: Shape, value: object) -> object:
    """Check a JSON value and convert it to a Python value. Raises `AttributeValueError`."""
    if shape.kind == "choice":
        fitting = next((candidate for candidate in shape.shapes if _has_type_of(candidate, value)), None)
        if fitting is None:
            raise AttributeValueError(ViolationReason.WRONG_TYPE)
        return read(fitting, value)
    if not _has_type_of(shape, value):
        raise AttributeValueError(ViolationReason.WRONG_TYPE)
    match shape.kind:
        case "text" if shape.values and value not in shape.values:
            raise AttributeValueError(ViolationReason.NOT_ALLOWED)
        case "number" | "integer":
            return _read_number(shape, cast("float", value))
        case "array":
            return _read_array(shape, cast("Sequence[object]", value))
        case "tuple":
            return _read_tuple(shape, cast("Mapping[str, object]", value))
        case "group" if shape.group is not None:
            return shape.group(**cast("dict[str, Any]", _read_fields(shape.group, cast("Mapping[str, object]", value))))
        case _:
            return value


def write(shape: Shape, value: object) -> Json:
    """Give the JSON value for a Python value."""
    if isinstance(value, AttributeGroup):
        return _write_group(value)
    if not isinstance(value, (tuple, list)):
        return cast("Json", value)
    values = cast("Sequence[object]", value)
    if shape.kind == "choice":
        shape = next((candidate for candidate in shape.shapes if candidate.kind in {"array", "tuple"}), shape)
    # Too few or too many numbers stay a list, which the check then refuses by name.
    if shape.kind == "tuple" and len(values) == len(shape.axes):
        return {axis: cast("Json", number) for (axis, _), number in zip(shape.axes, values, strict=True)}
    return [cast("Json", item) if shape.items is None else write(shape.items, item) for item in values]


def _read_fields(group: type[AttributeGroup], attributes: Mapping[str, object]) -> dict[str, object]:
    fields: dict[str, object] = {}
    other: dict[str, object] = {}
    for key, value in attributes.items():
        attribute = group.attribute(key)
        if value is None:
            continue
        if attribute is None:
            other[key] = value
            continue
        try:
            decoded = read(attribute.shape, value)
        except AttributeValueError as error:
            raise error.below(key) from None
        if key in group.ATTRIBUTES:
            fields[attribute.field] = decoded
        else:
            prefix = next(prefix for prefix in group.PREFIXES if key.startswith(prefix))
            named = cast("dict[str, object]", fields.setdefault(attribute.field, {}))
            named[key.removeprefix(prefix)] = decoded
    return {**fields, "other": other}


def _write_group(group: AttributeGroup) -> JsonObject:
    written: JsonObject = {key: cast("Json", value) for key, value in group.other.items()}
    for key, attribute in group.ATTRIBUTES.items():
        value: object = getattr(group, attribute.field)
        if value is not None:
            written[key] = write(attribute.shape, value)
    for prefix, attribute in group.PREFIXES.items():
        named: Mapping[str, object] = getattr(group, attribute.field)
        written |= {prefix + key: write(attribute.shape, value) for key, value in named.items()}
    return written


def _read_number(shape: Shape, value: float) -> float:
    if not math.isfinite(value) or (shape.kind == "integer" and value != int(value)):
        raise AttributeValueError(ViolationReason.WRONG_TYPE)
    if not shape.minimum <= value <= shape.maximum:
        raise AttributeValueError(ViolationReason.OUT_OF_RANGE)
    return int(value) if shape.kind == "integer" else value


def _read_array(shape: Shape, values: Sequence[object]) -> tuple[object, ...]:
    decoded: list[object] = []
    for index, value in enumerate(values):
        try:
            decoded.append(value if shape.items is None else read(shape.items, value))
        except AttributeValueError as error:
            raise error.below(str(index)) from None
    return tuple(decoded)


def _read_tuple(shape: Shape, value: Mapping[str, object]) -> tuple[float, ...]:
    coordinates: list[float] = []
    for axis, default in shape.axes:
        coordinate = value.get(axis)
        if coordinate is None:
            coordinates.append(default)
        elif _has_type_of(Shape("number"), coordinate):
            coordinates.append(cast("float", coordinate))
        else:
            raise AttributeValueError(ViolationReason.WRONG_TYPE, axis)
    # Older ARENA clients write a rotation as Euler angles in degrees, without w.
    if shape.axes[-1][0] == "w" and value.get("w") is None and value:
        return _quaternion(coordinates[0], coordinates[1], coordinates[2])
    return tuple(coordinates)


def _quaternion(x_degrees: float, y_degrees: float, z_degrees: float) -> tuple[float, ...]:
    """Turn A-Frame's Euler angles (order YXZ) into a unit quaternion xyzw."""
    halves = [math.radians(angle) / 2 for angle in (x_degrees, y_degrees, z_degrees)]
    (cx, cy, cz), (sx, sy, sz) = [math.cos(half) for half in halves], [math.sin(half) for half in halves]
    return (
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )


def _has_type_of(shape: Shape, value: object) -> bool:
    match shape.kind:
        case "any" | "choice":
            return True
        case "boolean":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str)
        case "number" | "integer":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "array":
            return isinstance(value, (list, tuple))
        case "object" | "group" | "tuple":
            return isinstance(value, Mapping)
