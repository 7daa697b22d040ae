"""How an update changes attributes. Source: spec/topics.md section 2.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stoa._json import JsonObject, is_object

if TYPE_CHECKING:
    from stoa._json import Json


def merged(old: JsonObject, patch: JsonObject) -> JsonObject:
    """Merge deeply: objects key by key, arrays and values whole; a `null` removes its key. Neither argument is changed."""
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
    """Take out the keys that say `null`: in whole attributes they mean the same as their absence."""
    return merged({}, attributes)


def changed_keys(old: JsonObject, new: JsonObject) -> frozenset[str]:
    """Name the top-level keys whose values differ."""
    absent: Json = None
    return frozenset(key for key in old.keys() | new.keys() if old.get(key, absent) != new.get(key, absent))
