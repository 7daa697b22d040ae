"""Extends aiomqtt by the reason code and reason string of PUBACK and CONNACK.

aiomqtt 2.5 drops both, so this subclass reads them in the callbacks `_on_publish` and `_on_connect`. It publishes by
the paho client in `_client` to learn the message's id. It uses no other private names; `tests/test_mqtt.py` fails
without one of the three.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import aiomqtt
from paho.mqtt.client import MQTT_ERR_SUCCESS
from paho.mqtt.subscribeoptions import SubscribeOptions

from stoa._errors import refused_by_code
from stoa._limits import DELIVERIES_MAX, IN_FLIGHT_MAX
from stoa._replica import Delivery
from stoa._transport import ConnectionLostError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from paho.mqtt.client import Client, ConnectFlags
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

_FAILURE = 0x80
"""Smallest reason code of a failure (MQTT 5 section 2.4)."""


class ReasonCodeClient(aiomqtt.Client):
    """An aiomqtt client that returns the server's reason codes."""

    def __init__(self, hostname: str, port: int, **options: Any) -> None:  # noqa: ANN401  # aiomqtt's own options
        super().__init__(
            hostname,
            port,
            protocol=aiomqtt.ProtocolVersion.V5,
            max_queued_incoming_messages=DELIVERIES_MAX,
            **options,
        )
        self.refused_with: tuple[int, str | None] | None = None
        self._answers: dict[int, asyncio.Future[tuple[int, str | None]]] = {}

    async def publish_acknowledged(self, topic: str, payload: bytes) -> tuple[int, str | None]:
        """Publish with QoS 1 and return the PUBACK's reason code and reason string. Raises `ConnectionLostError`."""
        publication = self._client.publish(topic, payload, qos=1)
        if publication.rc != MQTT_ERR_SUCCESS:
            raise ConnectionLostError
        answer = asyncio.get_running_loop().create_future()
        self._answers[publication.mid] = answer
        try:
            return await answer
        finally:
            del self._answers[publication.mid]

    def lose_answers(self) -> None:
        """Fail pending publications with `ConnectionLostError`."""
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionLostError())

    # aiomqtt defines the signatures of these two.

    def _on_publish(
        self,
        client: Client,
        userdata: Any,  # noqa: ANN401
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        answer = self._answers.get(mid)
        if answer is not None and not answer.done():
            answer.set_result((reason_code.value, _reason_string(properties)))
        super()._on_publish(client, userdata, mid, reason_code, properties)

    def _on_connect(
        self,
        client: Client,
        userdata: Any,  # noqa: ANN401
        flags: ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        if reason_code.value >= _FAILURE:
            self.refused_with = (reason_code.value, _reason_string(properties))
        super()._on_connect(client, userdata, flags, reason_code, properties)


class MqttConnection:
    """`stoa._transport.Connection` by aiomqtt."""

    def __init__(self, client: ReasonCodeClient) -> None:
        self._client = client
        self._in_flight = asyncio.Semaphore(IN_FLIGHT_MAX)

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe with QoS 0: a lost message leaves a gap in the revisions, which a snapshot fills."""
        options = SubscribeOptions(qos=0)
        try:
            codes = await self._client.subscribe([(each, options) for each in filters])
        except aiomqtt.MqttError as error:
            raise ConnectionLostError from error
        for each, code in zip(filters, codes, strict=True):
            value = code if isinstance(code, int) else code.value
            if value >= _FAILURE:
                raise refused_by_code(f"subscription to {each}", value, None)

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish with QoS 1 and wait for the acknowledgement."""
        async with self._in_flight:
            code, words = await self._client.publish_acknowledged(topic, payload)
        if code >= _FAILURE:
            raise refused_by_code(f"message on {topic}", code, words)

    async def deliveries(self) -> AsyncIterator[Delivery]:
        """Iterate over incoming messages."""
        try:
            async for message in self._client.messages:
                epoch, revision = _revision(message.properties)
                payload = message.payload
                yield Delivery(topic=str(message.topic), payload=payload, epoch=epoch, revision=revision)
        except aiomqtt.MqttError as error:
            raise ConnectionLostError(str(error.__cause__ or error)) from error


def _reason_string(properties: Properties | None) -> str | None:
    words: object = getattr(properties, "ReasonString", None)
    return words if isinstance(words, str) and words else None


def _revision(properties: Properties | None) -> tuple[int | None, int | None]:
    pairs: object = getattr(properties, "UserProperty", ())
    found: dict[str, int] = {}
    # paho sets the attribute by name, so it has no type.
    for name, value in pairs if isinstance(pairs, (list, tuple)) else ():  # pyright: ignore[reportUnknownVariableType]
        if isinstance(name, str) and isinstance(value, str) and name.startswith("stoa-"):
            with contextlib.suppress(ValueError):
                found[name] = int(value)
    epoch, revision = found.get("stoa-epoch"), found.get("stoa-revision")
    return (None, None) if epoch is None or revision is None else (epoch, revision)
