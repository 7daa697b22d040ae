"""A realm of one scene in memory, as a transport for tests."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from topic_filter import TopicFilter

from stoa._envelope import Envelope
from stoa._errors import RefusedError, refused_by_code
from stoa._replica import Delivery
from stoa._scene_state import SceneState
from stoa._topic import SceneTopic
from stoa._transport import Connection, ConnectionLostError, Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from scripted_plane import ScriptedPlane

    from stoa._transport import DatagramSocket, HttpRequest, MqttLogin, RealmAddress

SCENE = "public/lobby"
BELOW = f"realm/s/{SCENE}"


@dataclass
class ScriptedRealm:
    """Answers as the realm does. Tests set its faults."""

    epoch: int = 7
    revision: int = 100
    up: bool = True
    role: str = "editor"
    token_status: int = 200
    refuse_publish: tuple[int, str | None] | None = None
    refuse_login: RefusedError | None = None
    withhold: bool = False
    """Neither acknowledge nor forward messages."""
    echo: bool = True
    """Publishers receive their own messages, as in MQTT."""
    echo_after_s: float = 0.0
    """The stream lags behind the acknowledgements."""
    acknowledges: asyncio.Event | None = None
    """Acknowledgements wait for this event; None acknowledges at once."""
    objects: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    people: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    snapshot_gate: asyncio.Event | None = None
    requests: list[str] = field(default_factory=list[str])
    published: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    connections: list[ScriptedConnection] = field(default_factory=list["ScriptedConnection"])
    addresses: list[RealmAddress] = field(default_factory=list["RealmAddress"])
    bearers: list[str | None] = field(default_factory=list[str | None])
    plane: ScriptedPlane | None = None
    """None means no motion plane."""

    async def request(self, address: RealmAddress, request: HttpRequest, /) -> Response:
        self.requests.append(f"{request.method} {request.path}")
        if not self.up:
            raise ConnectionLostError("connection refused")
        if request.path == "/api/v1/token":
            self.addresses.append(address)
            self.bearers.append(request.bearer)
            return self._token(len(self.addresses))
        if request.path == "/api/v1/motion-ticket":
            return self._motion_ticket(request)
        if request.path.endswith("/snapshot"):
            body = self._snapshot()
            if self.snapshot_gate is not None:
                await self.snapshot_gate.wait()
            return Response(200, body)
        scenes = [{"namespace": "public", "scene": "lobby", "role": self.role, "people": 1}]
        return Response(200, json.dumps(scenes).encode())

    def _motion_ticket(self, request: HttpRequest) -> Response:
        if self.plane is None:
            return Response(404, b'{"type":"about:blank","title":"Not Found"}')
        assert request.body == {"scene": SCENE}
        assert request.bearer == f"t{len(self.addresses)}"
        return Response(200, json.dumps(self.plane.ticket(f"alice_{len(self.addresses)}")).encode())

    def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None], /) -> AbstractAsyncContextManager[DatagramSocket]:
        assert self.plane is not None
        return self.plane.open_datagrams(server, take)

    def _token(self, number: int) -> Response:
        if self.token_status != 200:
            return Response(self.token_status, b'{"type":"about:blank","title":"No","detail":"not for you"}')
        ids = {"userid": f"alice_{number}", "userclient": f"alice_{number}_py"}
        answer = {"token": f"t{number}", "username": "alice", "role": self.role, "guest": False, "ids": ids, "expires_at": 1}
        return Response(200, json.dumps({**answer, "mqtt_path": "/mqtt/"}).encode())

    def _snapshot(self) -> bytes:
        messages = [
            {
                "topic": f"{BELOW}/o/stoa/{object_id}",
                "payload": {"object_id": object_id, "action": "create", "type": "object", **kept},
            }
            for object_id, kept in self.objects.items()
        ]
        messages += [{"topic": topic, "payload": payload} for topic, payload in self.people]
        return json.dumps({"epoch": self.epoch, "revision": self.revision, "messages": messages}).encode()

    @contextlib.asynccontextmanager
    async def connect(self, _address: RealmAddress, login: MqttLogin, /) -> AsyncGenerator[Connection]:
        if not self.up:
            raise ConnectionLostError("connection refused")
        if self.refuse_login is not None:
            raise self.refuse_login
        connection = ScriptedConnection(self, login)
        self.connections.append(connection)
        try:
            yield connection
        finally:
            connection.lose()

    def deliver(self, topic: str, payload: object, *, revision: int | None = None, epoch: int | None = None) -> None:
        """Forward a message to its subscribers."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        stamp = None if revision is None else self.epoch if epoch is None else epoch
        for connection in self.connections:
            connection.receive(Delivery(topic=topic, payload=body, epoch=stamp, revision=revision))

    def take(self, topic: str, payload: bytes | dict[str, Any]) -> None:
        """Accept a message that changes the scene, and forward it at the next revision."""
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        name = SceneTopic.parse(topic)
        envelope = Envelope.parse(name.kind, name.uuid, body)
        if name.kind == "o":
            self._keep(name, envelope)
        self.revision += 1
        self.deliver(topic, body, revision=self.revision)

    def say(self, uuid: str, **keys: object) -> None:
        """Take another client's message about an object."""
        self.take(f"{BELOW}/o/bob_9_web/{uuid}", {"object_id": uuid, "type": "object", **keys})

    def _keep(self, name: SceneTopic, envelope: Envelope) -> None:
        model = SceneState()
        for object_id, kept in self.objects.items():
            topic = SceneTopic.parse(f"{BELOW}/o/stoa/{object_id}")
            keys = {"object_id": object_id, "action": "create", **kept}
            model.apply(topic, Envelope.of(topic.kind, object_id, keys))
        model.apply(name, envelope)
        self.objects = {each.object_id: {"data": dict(each.attributes), "persist": each.persist} for each in model.objects.values()}

    def kill(self) -> None:
        """Stop as by `kill -9`: only stored objects return, in a new epoch."""
        self.up = False
        self.objects = {object_id: kept for object_id, kept in self.objects.items() if kept["persist"]}
        self.people = []
        self.epoch += 1
        self.revision = 0
        for connection in self.connections:
            connection.lose()
        self.connections.clear()


class ScriptedConnection:
    def __init__(self, realm: ScriptedRealm, login: MqttLogin) -> None:
        self.login = login
        self.filters: list[TopicFilter] = []
        self._realm = realm
        self._inbox = asyncio.Queue[Delivery | None]()
        self._lost = asyncio.Event()

    async def subscribe(self, filters: Sequence[str]) -> None:
        self.filters += [TopicFilter.parse(each) for each in filters]

    async def publish(self, topic: str, payload: bytes) -> None:
        if self._lost.is_set():
            raise ConnectionLostError
        if self._realm.withhold:
            await self._lost.wait()
            raise ConnectionLostError
        if self._realm.refuse_publish is not None:
            raise refused_by_code(f"message on {topic}", *self._realm.refuse_publish)
        self._realm.published.append((topic, json.loads(payload)))
        if not self._realm.echo:
            self._realm.revision += 1
        elif "/o/" in topic and self._realm.echo_after_s > 0:
            asyncio.get_running_loop().call_later(self._realm.echo_after_s, self._realm.take, topic, payload)
        elif "/o/" in topic:
            self._realm.take(topic, payload)
        else:
            self._realm.deliver(topic, payload)
        if self._realm.acknowledges is not None:
            await self._realm.acknowledges.wait()

    async def deliveries(self) -> AsyncIterator[Delivery]:
        while (delivery := await self._inbox.get()) is not None:
            yield delivery
        raise ConnectionLostError("the realm went away")

    @property
    def is_lost(self) -> bool:
        return self._lost.is_set()

    def receive(self, delivery: Delivery) -> None:
        if any(each.matches(delivery.topic) for each in self.filters):
            self._inbox.put_nowait(delivery)

    def lose(self) -> None:
        if not self._lost.is_set():
            self._lost.set()
            self._inbox.put_nowait(None)
