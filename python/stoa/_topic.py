"""Topics of a scene. Source: spec/topics.md section 1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from stoa._limits import NAME_BYTES_MAX
from stoa._reason import ContractViolationError, Reason

_NAME = re.compile(rf"[A-Za-z0-9_.-]{{1,{NAME_BYTES_MAX}}}")
_TOKENS_PUBLIC = 7
_TOKENS_PRIVATE = 8


class TopicKind(StrEnum):
    """The kind of a scene message: token 4 of its topic."""

    PRESENCE = "x"
    CHAT = "c"
    USER = "u"
    OBJECT = "o"
    RENDER = "r"
    ENVIRONMENT = "e"
    PROGRAM = "p"
    DEBUG = "d"


@dataclass(frozen=True, slots=True)
class SceneName:
    """`namespace/scene`."""

    namespace: str
    scene: str

    @classmethod
    def parse(cls, text: str) -> SceneName:
        """Parse `namespace/scene`. Raises `ContractViolationError` (bad_topic)."""
        namespace, _, scene = text.partition("/")
        for name in (namespace, scene):
            if _NAME.fullmatch(name) is None or name in {".", ".."}:
                raise ContractViolationError(Reason.BAD_TOPIC)
        return cls(namespace, scene)

    def __str__(self) -> str:
        return f"{self.namespace}/{self.scene}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneTopic:
    """`realm/s/<namespace>/<scene>/<kind>/<user_client>/<uuid>[/<to_uid>]`."""

    scene: SceneName
    kind: TopicKind
    user_client: str
    uuid: str
    to_uid: str | None = None

    @classmethod
    def parse(cls, text: str) -> SceneTopic:
        """Parse a scene topic. Raises `ContractViolationError` (bad_topic)."""
        tokens = text.split("/")
        if len(tokens) not in {_TOKENS_PUBLIC, _TOKENS_PRIVATE} or tokens[:2] != ["realm", "s"] or "" in tokens:
            raise ContractViolationError(Reason.BAD_TOPIC)
        try:
            kind = TopicKind(tokens[4])
        except ValueError as error:
            raise ContractViolationError(Reason.BAD_TOPIC) from error
        return cls(
            scene=SceneName.parse(f"{tokens[2]}/{tokens[3]}"),
            kind=kind,
            user_client=tokens[5],
            uuid=tokens[6],
            to_uid=tokens[7] if len(tokens) == _TOKENS_PRIVATE else None,
        )

    def __str__(self) -> str:
        public = f"realm/s/{self.scene}/{self.kind}/{self.user_client}/{self.uuid}"
        return public if self.to_uid is None else f"{public}/{self.to_uid}"


def author_and_uuid(topic: str) -> tuple[str, str]:
    """Return tokens 5 and 6 of a topic, empty strings if it has fewer than 7 tokens."""
    tokens = topic.split("/", maxsplit=_TOKENS_PUBLIC)
    return (tokens[5], tokens[6]) if len(tokens) >= _TOKENS_PUBLIC else ("", "")


def is_token(text: str) -> bool:
    """Whether `text` can be one token of a topic."""
    return text != "" and not any(mark in text for mark in "/+#\0")
