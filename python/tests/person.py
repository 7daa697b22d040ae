"""A guest that enters, clicks and chats, by the package's own transport."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from stoa._address import DataFolderLocator, FixedUrlLocator
from stoa._entrance import RealmClient
from stoa._network import RealmNetworkTransport
from stoa._topic import SceneName

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from stoa._entrance import Me
    from stoa._transport import Connection


class Person:
    def __init__(self, connection: Connection, me: Me, scene: SceneName) -> None:
        self.me = me
        self._connection = connection
        self._scene = scene

    async def click(self, target: str) -> None:
        point = {"x": 0, "y": 1, "z": 0}
        data = {"target": target, "targetPosition": point, "originPosition": point}
        await self._publish("u", {"action": "clientEvent", "type": "mousedown", "data": data})

    async def enter(self, name: str) -> None:
        pose = {"position": {"x": 0, "y": 1.6, "z": 2}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}
        data = {"object_type": "camera", **pose, "arena-user": {"displayName": name}}
        await self._publish("u", {"action": "create", "type": "object", "data": data})
        await self._publish("x", {"action": "join", "type": "arena", "dn": name})

    async def say(self, text: str) -> None:
        await self._publish("c", {"type": "chat", "dn": "Ada", "text": text})

    async def _publish(self, kind: str, keys: dict[str, object]) -> None:
        topic = f"realm/s/{self._scene}/{kind}/{self.me.user_client}/{self.me.id_tag}"
        await self._connection.publish(topic, json.dumps({"object_id": self.me.id_tag, **keys}).encode())


@asynccontextmanager
async def person(data_dir: Path, scene: str) -> AsyncGenerator[Person]:
    address, _ = DataFolderLocator(data_dir).find()
    entrance = RealmClient(RealmNetworkTransport(), FixedUrlLocator(address, None))
    name = SceneName.parse(scene)
    admission = await entrance.request_admission(name, "Ada")
    async with entrance.connect(admission) as connection, asyncio.TaskGroup() as group:
        drain = group.create_task(_drain(connection))
        yield Person(connection, admission.me, name)
        drain.cancel()


async def _drain(connection: Connection) -> None:
    async for _ in connection.deliveries():
        pass
