"""Refusal reasons of messages. Source: spec/topics.md section 2."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """The refusal reasons that this package checks itself. The realm has more."""

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


class ContractViolationError(ValueError):
    """A message, snapshot, topic or scene name breaks the contract. Internal: callers never see it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
