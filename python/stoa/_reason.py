"""Why a message is refused. Source: spec/topics.md section 2."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """A refusal reason that this package itself can find; the realm knows more."""

    BAD_TOPIC = "bad_topic"
    NOT_JSON = "not_json"
    NOT_AN_OBJECT = "not_an_object"
    BAD_UTF8 = "bad_utf8"
    TOO_LARGE = "too_large"
    TOO_DEEP = "too_deep"
    NOT_FINITE = "not_finite"
    REPEATED_KEY = "repeated_key"
    ID_MISMATCH = "id_mismatch"
    MISSING_KEY = "missing_key"
    BAD_VALUE = "bad_value"
    RESERVED_KEY = "reserved_key"


class ReasonError(ValueError):
    """A message, topic or filter that the contract refuses. Stays inside the package."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
