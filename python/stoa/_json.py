"""Strict JSON: finite numbers, bounded depth, no repeated keys. Source: spec/topics.md section 2."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from stoa._limits import JSON_DEPTH_MAX
from stoa._reason import ContractViolationError, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""A JSON value."""

JsonObject: TypeAlias = "dict[str, Json]"
"""A JSON object."""

# Strings are matched too, so that a bracket within one doesn't count as a level.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{\]}]', re.DOTALL)


def parse(payload: bytes, *, depth_max: int = JSON_DEPTH_MAX) -> Json:
    """Decode `payload`. Raises `ContractViolationError`: bad_utf8, too_deep, not_finite, repeated_key or not_json."""
    try:
        text = payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ContractViolationError(Reason.BAD_UTF8) from error
    _check_depth(text, depth_max)
    try:
        value: Json = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant, parse_float=_finite, parse_int=_integer)
        # The parser accepts a lone surrogate, which has no UTF-8 form.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except ContractViolationError:
        raise
    except (ValueError, RecursionError) as error:
        raise ContractViolationError(Reason.NOT_JSON) from error
    return value


def encode(value: Mapping[str, Json]) -> bytes:
    """Encode `value` without whitespace. Raises `ContractViolationError` if JSON can't hold it."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ContractViolationError(Reason.NOT_JSON) from error
    except RecursionError as error:
        raise ContractViolationError(Reason.TOO_DEEP) from error
    except ValueError as error:
        raise ContractViolationError(Reason.NOT_FINITE) from error
    except TypeError as error:
        raise ContractViolationError(Reason.NOT_JSON) from error


def is_object(value: object) -> TypeGuard[JsonObject]:
    """Whether `value`, a result of `parse`, is an object."""
    return isinstance(value, dict)


def _check_depth(text: str, depth_max: int) -> None:
    depth = 0
    for token in _TOKEN.finditer(text):
        match token.group():
            case "{" | "[":
                depth += 1
                if depth > depth_max:
                    raise ContractViolationError(Reason.TOO_DEEP)
            case "}" | "]":
                depth -= 1
            case _:
                pass


def _object(pairs: Iterable[tuple[str, Json]]) -> JsonObject:
    found: JsonObject = {}
    for key, value in pairs:
        if key in found:
            raise ContractViolationError(Reason.REPEATED_KEY)
        found[key] = value
    return found


def _refuse_constant(_name: str) -> Any:  # noqa: ANN401  # never returns; json wants a value
    raise ContractViolationError(Reason.NOT_FINITE)


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ContractViolationError(Reason.NOT_FINITE)
    return value


def _integer(digits: str) -> int:
    _finite(digits)  # clients in JavaScript read integers as 64-bit floats
    return int(digits)
