"""Merges an update into attributes. Source: spec/topics.md section 2.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stoa._json import JsonObject, is_object

if TYPE_CHECKING:
    from stoa._json import Json


def merged(old: JsonObject, patch: JsonObject) -> JsonObject:
    """Merge objects key by key, replace other values, remove keys with `null`. Both arguments stay unchanged."""
    result = dict(old)
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        elif is_object(value):
            before = result.get(key)
            result[key] = merged(before if is_object(before) else {}, value)
        else:
            result[key] = value
    return result


def without_nulls(attributes: JsonObject) -> JsonObject:
    """Remove the keys with `null`, which means absence in a complete set of attributes."""
    return merged({}, attributes)


def changed_keys(old: JsonObject, new: JsonObject) -> frozenset[str]:
    """Return the top-level keys with different values."""
    absent: Json = None
    return frozenset(key for key in old.keys() | new.keys() if old.get(key, absent) != new.get(key, absent))
