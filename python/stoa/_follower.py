"""Keeps a scene in sync: connects, subscribes, loads the snapshot, applies the stream, and reconnects."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field
from secrets import SystemRandom
from typing import TYPE_CHECKING

from stoa._envelope import Action, Envelope
from stoa._errors import ClosedError, NotRunningError, StoaError, UnreachableError
from stoa._json import encode
from stoa._limits import ECHO_S_MAX, RETRY_S_MAX, RETRY_S_MIN, SNAPSHOT_PAUSE_S
from stoa._replica import Replica
from stoa._topic import SceneName, SceneTopic, TopicKind, author_and_uuid
from stoa._transport import ConnectionLostError
from stoa._values import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from stoa._entrance import Admission, Me, RealmClient
    from stoa._json import JsonObject
    from stoa._replica import Delivery
    from stoa._transport import Connection
    from stoa._values import ObjectState, SceneEvent

LOG = logging.getLogger("stoa")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdmittedConnection:
    """One connection to a scene, with the token and identity it was made with."""

    mqtt: Connection
    admission: Admission
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def me(self) -> Me:
        """This program's identity on this connection."""
        return self.admission.me


class _PendingChange:
    """A change that was sent and has not come back in the stream yet."""

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.acknowledged = False
        self.arrival: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def resolve(self, *, has_arrived: bool) -> None:
        """Resolve `arrival`: True if the stream contained the change, False if the connection ended first."""
        if not self.arrival.done():
            self.arrival.set_result(has_arrived)


class SceneFollower:
    """Follows one scene and calls `emit` for each event."""

    def __init__(self, scene: SceneName, entrance: RealmClient, emit: Callable[[SceneEvent], None], *, display_name: str | None) -> None:
        self.replica = Replica()
        self.unstored: dict[str, None] = {}
        """Ids of our unstored objects without a lifetime, which are created again after a restart of the realm."""
        self._scene = scene
        self._entrance = entrance
        self._emit = emit
        self._display_name = display_name
        self.user_client: str | None = None
        """The user client id of the current connection, or of the last one."""
        self._connection: AdmittedConnection | None = None
        self._state_changed = asyncio.Event()
        self._failure: StoaError | None = None
        self._leaving = False
        self._snapshot_wanted = asyncio.Event()
        # Changes in flight by object id, in the order of sending.
        self._in_flight: dict[str, list[_PendingChange]] = {}

    @property
    def failure(self) -> StoaError | None:
        """The final error, if the scene has ended."""
        return self._failure

    async def wait_connected(self) -> AdmittedConnection:
        """Wait for a live connection. Raises the final error if the scene has ended."""
        while True:
            if self._failure is not None:
                raise self._failure
            if self._connection is not None:
                return self._connection
            self._state_changed.clear()
            await self._state_changed.wait()

    async def run(self, *, wait_s: float) -> None:
        """Follow until cancelled or refused. The first connection is retried for `wait_s`, a reconnection for ever."""
        clock = asyncio.get_running_loop()
        give_up_at_s = clock.time() + wait_s
        pause_s = RETRY_S_MIN
        failure: StoaError = ClosedError(f"{self._scene} was left")
        try:
            while not self._leaving:
                try:
                    await self._connect_once()
                except (ConnectionLostError, NotRunningError) as error:
                    if self.replica.epoch is None and clock.time() >= give_up_at_s:
                        failure = error if isinstance(error, NotRunningError) else UnreachableError(str(error))
                        return
                    LOG.info("connection to %s lost: %s", self._scene, error)
                if self._leaving:
                    return
                pause_s = RETRY_S_MIN if self._drop_connection() else min(2 * pause_s, RETRY_S_MAX)
                await asyncio.sleep(pause_s * SystemRandom().uniform(0.5, 1.0))
        except StoaError as error:
            failure = error
        finally:
            self._drop_connection()
            self._failure = failure
            self._state_changed.set()

    def leave(self) -> None:
        """Announce a cancellation of `run`.

        Before Python 3.13, a task group that fails at the same moment swallows the cancellation.
        """
        self._leaving = True

    async def publish(self, topic: SceneTopic, payload: bytes, connection: AdmittedConnection) -> None:
        """Publish, then wait for the acknowledgement and the message in the stream, so that reads see own writes."""
        change = _PendingChange(payload)
        in_flight = self._in_flight.setdefault(topic.uuid, [])
        in_flight.append(change)
        try:
            await connection.mqtt.publish(str(topic), payload)
            change.acknowledged = True
            async with asyncio.timeout(ECHO_S_MAX):
                has_arrived = await change.arrival
        except TimeoutError:
            return  # the realm sent a newer change of the object instead
        finally:
            in_flight.remove(change)
            if not in_flight:
                self._in_flight.pop(topic.uuid, None)
        if not has_arrived:
            # The connection broke after the acknowledgement. The change is applied here, so that the object can be
            # restored if a restart of the realm lost it.
            self.replica.model.apply(topic, Envelope.parse(topic.kind, topic.uuid, payload))

    async def _connect_once(self) -> None:
        admission = await self._entrance.request_admission(self._scene, self._display_name)
        async with self._entrance.connect(admission) as mqtt:
            below = f"realm/s/{self._scene}/+/+/+"
            await mqtt.subscribe([below, f"{below}/{admission.me.id_tag}/#"])
            self.user_client = admission.me.user_client
            self.replica.begin_stream()
            self._snapshot_wanted.set()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._read(mqtt))
                    group.create_task(self._keep_synchronized(admission, AdmittedConnection(mqtt=mqtt, admission=admission)))
            except BaseExceptionGroup as group_error:
                raise _cause(group_error) from group_error

    async def _read(self, mqtt: Connection) -> None:
        async for delivery in mqtt.deliveries():
            events = self.replica.receive(delivery)
            self._confirm_own(delivery)
            for event in events:
                if isinstance(event, Change) and event.new is None:
                    self.unstored.pop(event.object_id, None)
            self._emit_all(events)
            if self.replica.wants_snapshot:
                self._snapshot_wanted.set()
        raise ConnectionLostError("the stream ended")

    async def _keep_synchronized(self, admission: Admission, connection: AdmittedConnection) -> None:
        while True:
            await self._snapshot_wanted.wait()
            self._snapshot_wanted.clear()
            self.replica.begin_snapshot()
            covered = [change for changes in self._in_flight.values() for change in changes if change.acknowledged]
            snapshot = await self._entrance.request_snapshot(self._scene, admission)
            before, epoch = self.replica.model.objects, self.replica.epoch
            self._emit_all(self.replica.adopt(snapshot))
            for change in covered:
                change.resolve(has_arrived=True)
            await self._restore_unstored(before, connection, restarted=epoch != self.replica.epoch)
            if self._connection is None:
                self._connection = connection
                self._state_changed.set()
            if self.replica.wants_snapshot:
                self._snapshot_wanted.set()
            await asyncio.sleep(SNAPSHOT_PAUSE_S)

    async def _restore_unstored(self, before: dict[str, ObjectState], connection: AdmittedConnection, *, restarted: bool) -> None:
        """Create our unstored objects again if the realm restarted. Otherwise a missing object was deleted."""
        for object_id in [each for each in self.unstored if each not in self.replica.model.objects]:
            state = before.get(object_id)
            if not restarted or state is None:
                del self.unstored[object_id]
                continue
            keys: JsonObject = {
                "object_id": object_id,
                "action": Action.CREATE.value,
                "type": state.type,
                "persist": False,
                "data": dict(state.attributes),
            }
            topic = SceneTopic(scene=self._scene, kind=TopicKind.OBJECT, user_client=connection.me.user_client, uuid=object_id)
            await self.publish(topic, encode(keys), connection)

    def _drop_connection(self) -> bool:
        """Drop the connection and fail the changes in flight. Returns False if there was no connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.ended.set()
        for changes in self._in_flight.values():
            for change in changes:
                change.resolve(has_arrived=False)
        return connection is not None

    def _confirm_own(self, delivery: Delivery) -> None:
        """Confirm a change of ours and all earlier ones of the object, as the realm may skip superseded messages."""
        user_client, uuid = author_and_uuid(delivery.topic) if self._in_flight else ("", "")
        changes = self._in_flight.get(uuid, []) if user_client == self.user_client else []
        for index, change in enumerate(changes):
            if change.payload == delivery.payload:
                for earlier in changes[: index + 1]:
                    earlier.resolve(has_arrived=True)

    def _emit_all(self, events: Iterable[SceneEvent]) -> None:
        for event in events:
            self._emit(event)


def _cause(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """Choose one error of several tasks: a final one before a lost connection. Groups with other errors stay whole."""
    known, others = group.split((StoaError, ConnectionLostError))
    if others is not None or known is None:
        return group
    final = known.subgroup(StoaError)
    chosen: BaseException = final or known
    while isinstance(chosen, BaseExceptionGroup):
        chosen = chosen.exceptions[0]
    return chosen
