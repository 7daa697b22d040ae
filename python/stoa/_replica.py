"""Keeps a model in sync with the realm by epoch and revision. Pure. Source: spec/topics.md section 4."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stoa._envelope import Envelope
from stoa._json import is_object, parse
from stoa._limits import DELIVERIES_MAX, SNAPSHOT_DEPTH_MAX
from stoa._reason import ContractViolationError, Reason
from stoa._scene_state import SceneState
from stoa._topic import SceneTopic

if TYPE_CHECKING:
    from stoa._json import Json
    from stoa._values import SceneEvent

LOG = logging.getLogger("stoa")


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """A message from the realm. Epoch and revision are None unless the message changed the scene."""

    topic: str
    payload: bytes
    epoch: int | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A scene at one revision, as the ordered messages that recreate it."""

    epoch: int
    revision: int
    messages: tuple[tuple[SceneTopic, Envelope], ...]

    @classmethod
    def parse(cls, body: bytes) -> Snapshot:
        """Parse the HTTP response. Raises `ContractViolationError`."""
        document = parse(body, depth_max=SNAPSHOT_DEPTH_MAX)
        if not is_object(document):
            raise ContractViolationError(Reason.BAD_VALUE)
        epoch, revision, messages = document.get("epoch"), document.get("revision"), document.get("messages")
        if not isinstance(epoch, int) or not isinstance(revision, int) or not isinstance(messages, list):
            raise ContractViolationError(Reason.BAD_VALUE)
        return cls(epoch=epoch, revision=revision, messages=tuple(_message(each) for each in messages))


class Replica:
    """Applies each message newer than the snapshot once, and reports when it needs a new snapshot."""

    def __init__(self) -> None:
        self.model = SceneState()
        self.wants_snapshot = True
        self._epoch: int | None = None
        self._revision = 0
        # Messages received while a snapshot loads; None while none loads.
        self._meanwhile: list[Delivery] | None = None

    @property
    def epoch(self) -> int | None:
        """The epoch of the last snapshot."""
        return self._epoch

    def begin_stream(self) -> None:
        """Start a new connection. Its messages need a snapshot that was taken after the subscription."""
        self._meanwhile = None
        self.wants_snapshot = True

    def begin_snapshot(self) -> None:
        """Start loading a snapshot. Messages from now on are kept, as they may be newer."""
        self._meanwhile = []
        self.wants_snapshot = False

    def receive(self, delivery: Delivery) -> list[SceneEvent]:
        """Handle one message of the stream."""
        if delivery.revision is None:
            return self._apply(delivery)
        if self._meanwhile is not None and len(self._meanwhile) < DELIVERIES_MAX:
            self._meanwhile.append(delivery)  # beyond the limit, the gap needs another snapshot
        if delivery.epoch != self._epoch:
            self.wants_snapshot = self.wants_snapshot or self._meanwhile is None
            return []
        return self._apply_newer(delivery, delivery.revision)

    def adopt(self, snapshot: Snapshot) -> list[SceneEvent]:
        """Replace the model by the loaded snapshot, then apply the messages received meanwhile."""
        model = SceneState()
        for topic, envelope in snapshot.messages:
            model.apply(topic, envelope)
        events = self.model.differences(model)
        self.model = model
        self._epoch, self._revision = snapshot.epoch, snapshot.revision
        meanwhile, self._meanwhile = self._meanwhile or [], None
        for delivery in meanwhile:
            events += self.receive(delivery)
        return events

    def _apply_newer(self, delivery: Delivery, revision: int) -> list[SceneEvent]:
        if revision <= self._revision:
            return []
        if revision > self._revision + 1 and self._meanwhile is None:
            # The message is applied despite the gap: it is valid, but earlier changes are missing.
            self.wants_snapshot = True
        self._revision = revision
        return self._apply(delivery)

    def _apply(self, delivery: Delivery) -> list[SceneEvent]:
        try:
            topic = SceneTopic.parse(delivery.topic)
            envelope = Envelope.parse(topic.kind, topic.uuid, delivery.payload)
        except ContractViolationError as error:
            LOG.debug("ignored a message on %s: %s", delivery.topic, error.reason)
            return []
        return self.model.apply(topic, envelope)


def _message(value: Json) -> tuple[SceneTopic, Envelope]:
    if not is_object(value):
        raise ContractViolationError(Reason.BAD_VALUE)
    name, payload = value.get("topic"), value.get("payload")
    if not isinstance(name, str) or not is_object(payload):
        raise ContractViolationError(Reason.BAD_VALUE)
    topic = SceneTopic.parse(name)
    return topic, Envelope.of(topic.kind, topic.uuid, payload)
