"""Matching and covering of MQTT topic filters. Only the realm uses them, but the vectors test them in all languages.

Source: MQTT 5 section 4.7, spec/topics.md section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

from stoa._reason import ContractViolationError, Reason

FILTER_BYTES_MAX = 65_535
"""The length prefix of an MQTT string has two bytes."""

FILTER_LEVELS_MAX = 32


@dataclass(frozen=True, slots=True)
class TopicFilter:
    """A valid filter."""

    levels: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> TopicFilter:
        """Parse a filter. Raises `ReasonError` (bad_topic)."""
        levels = tuple(text.split("/"))
        if text == "" or "\0" in text or len(text.encode("utf-8", "surrogatepass")) > FILTER_BYTES_MAX:
            raise ContractViolationError(Reason.BAD_TOPIC)
        if len(levels) > FILTER_LEVELS_MAX:
            raise ContractViolationError(Reason.BAD_TOPIC)
        if any(("+" in level or "#" in level) and len(level) > 1 for level in levels) or "#" in levels[:-1]:
            raise ContractViolationError(Reason.BAD_TOPIC)
        return cls(levels)

    def matches(self, topic: str) -> bool:
        """Whether the filter matches `topic`."""
        tokens = topic.split("/")
        if topic.startswith("$") and self.levels[0] in {"+", "#"}:
            return False
        for index, level in enumerate(self.levels):
            if level == "#":
                return True  # also `a/#` for `a` itself
            if index >= len(tokens) or level not in {"+", tokens[index]}:
                return False
        return len(self.levels) == len(tokens)

    def covers(self, other: TopicFilter) -> bool:
        """Whether this right covers `other`: `+` covers a name or `+`, `#` covers one or more remaining levels."""
        for index, level in enumerate(self.levels):
            if index >= len(other.levels):
                return False
            if level == "#":
                return True
            if other.levels[index] == "#" or level not in {"+", other.levels[index]}:
                return False
        return len(self.levels) == len(other.levels)

    def __str__(self) -> str:
        return "/".join(self.levels)
