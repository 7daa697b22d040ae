"""A scene that this program has entered."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from stoa._arguments import ObjectAttributes, checked_id, described_attributes, named_attributes
from stoa._entrance import in_words
from stoa._envelope import Action, Envelope
from stoa._errors import InvalidError, RefusedError, UnreachableError
from stoa._follower import SceneFollower
from stoa._json import encode
from stoa._limits import ANSWER_S_MAX
from stoa._motion import Motion
from stoa._object import SceneObject
from stoa._reason import ContractViolationError
from stoa._stream import Stream
from stoa._topic import SceneName, SceneTopic, TopicKind
from stoa._transport import ConnectionLostError
from stoa._values import Change, Chat, ClientEvent, Tick, User, UserPresenceChange

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from stoa._entrance import Me, RealmClient
    from stoa._json import JsonObject
    from stoa._values import ObjectState, SceneEvent

T = TypeVar("T")


class Scene:
    """A live scene. `Realm.scene` enters it; leaving the realm or `close` ends it.

    After a lost connection it reconnects with a new token. Changes wait for the reconnection.
    """

    def __init__(self, name: SceneName, entrance: RealmClient, *, display_name: str | None = None) -> None:
        self._name = name
        self._entrance = entrance
        self._display_name = display_name
        self._streams = WeakSet[Stream[Any]]()
        self._follower = SceneFollower(name, entrance, self._emit, display_name=display_name)
        self._following: asyncio.Task[None] | None = None
        self._left = asyncio.Event()

    async def enter(self, group: asyncio.TaskGroup, *, wait_s: float) -> Me:
        """Enter the scene. Internal: `Realm.scene` calls it."""
        self._following = group.create_task(self._follow(wait_s))
        try:
            return (await self._follower.wait_connected()).me
        except BaseException:
            self._follower.leave()
            self._following.cancel()
            raise

    async def close(self) -> None:
        """Leave the scene. Streams and `every` end; objects stay."""
        if self._following is not None:
            self._follower.leave()
            self._following.cancel()
            await self._left.wait()

    @property
    def name(self) -> str:
        """`namespace/scene`."""
        return str(self._name)

    @property
    def objects(self) -> Mapping[str, ObjectState]:
        """The current objects by id."""
        return MappingProxyType(self._follower.replica.model.objects)

    @property
    def users(self) -> Mapping[str, User]:
        """The present people by id tag. A program is present from its first `Motion.move_head` to its motion's end."""
        return MappingProxyType(self._follower.replica.model.users)

    async def me(self) -> Me:
        """Return this program's identity and role. Waits during a reconnection."""
        return (await self._follower.wait_connected()).me

    def object(self, object_id: str) -> SceneObject:
        """Return a handle to an object, which need not exist yet."""
        return SceneObject(self, checked_id(object_id))

    async def add(self, described: ObjectAttributes, *, persist: bool = False, ttl_s: float | None = None) -> SceneObject:
        """Add an object to the scene, or replace the one with the same id.

        Returns once the realm has acknowledged the object and `objects` contains it; with `persist`, once it is on the
        realm's disk. An object without `persist` lasts until it is removed, `ttl_s` seconds have passed, or the realm
        restarts. After a restart this program adds it again, unless it has a `ttl_s`.
        Raises `InvalidError`, `RefusedError`, `UnreachableError`.
        """
        object_id = checked_id(described.object_id)
        keys: JsonObject = {"persist": persist, "data": described_attributes(described)}
        if ttl_s is not None:
            keys["ttl"] = ttl_s
        await self._change(object_id, Action.CREATE, keys)
        if persist or ttl_s is not None:
            self._follower.unstored.pop(object_id, None)
        else:
            self._follower.unstored[object_id] = None
        return SceneObject(self, object_id)

    async def update(
        self,
        target: str | SceneObject | ObjectAttributes,
        *,
        persist: bool | None = None,
        overwrite: bool = False,
        ttl_s: float | None = None,
        **attributes: object,
    ) -> None:
        """Change attributes: `await scene.update(lamp, position=(0, 2, 0), material={"color": "#ff0000"})`.

        JSON objects merge key by key, lists and other values are replaced, and None removes a key. With `overwrite` the
        new attributes replace all old ones. `persist` None stores the change if the object is stored.
        Raises `InvalidError`, `RefusedError`, `UnreachableError`.
        """
        object_id = _id_of(target)
        given = {} if isinstance(target, (str, SceneObject)) else described_attributes(target)
        known = self.objects.get(object_id)
        named = named_attributes(attributes, None if known is None else known.object_type)
        keys: JsonObject = {
            "persist": persist if persist is not None else known is not None and known.persist,
            "data": {**given, **named},
        }
        if overwrite:
            keys["overwrite"] = True
        if ttl_s is not None:
            keys["ttl"] = ttl_s
        await self._change(object_id, Action.UPDATE, keys)

    async def remove(self, target: str | SceneObject | ObjectAttributes) -> None:
        """Remove an object with its descendants. Raises `InvalidError`, `RefusedError`, `UnreachableError`."""
        object_id = _id_of(target)
        await self._change(object_id, Action.DELETE, {})
        self._follower.unstored.pop(object_id, None)

    def events(self, of_type: str | None = None, *, target: str | SceneObject | None = None) -> Stream[ClientEvent]:
        """Follow people's events on objects, optionally of one type (`mousedown`, `buttonClick` …) or one object."""
        object_id = None if target is None else _id_of(target)

        def pick(event: object) -> ClientEvent | None:
            if not isinstance(event, ClientEvent) or of_type not in {None, event.type}:
                return None
            return event if object_id in {None, event.target} else None

        return self._open(pick)

    def clicks(self) -> Stream[ClientEvent]:
        """Follow clicks on any object. Only objects with `click_listener` are clickable."""
        return self.events("mousedown")

    def changes(self) -> Stream[Change]:
        """Follow objects that are created, changed and removed, your own included."""
        return self._open(lambda event: event if isinstance(event, Change) else None)

    def chat(self) -> Stream[Chat]:
        """Follow chat messages, except your own."""
        return self._open(lambda event: event if isinstance(event, Chat) else None)

    def user_joins(self) -> Stream[User]:
        """Follow people who enter. Present people are in `users`."""
        return self._open(lambda event: _user(event, "joined"))

    def user_leaves(self) -> Stream[User]:
        """Follow people who leave."""
        return self._open(lambda event: _user(event, "left"))

    def motion(self) -> Motion:
        """Open the motion plane of heads, hands and objects: `async with scene.motion() as motion`."""
        return Motion(self._name, self._follower, self._entrance)

    async def say(self, text: str, *, to: User | None = None) -> None:
        """Send a chat message to everyone, or to one person.

        If the connection breaks before the acknowledgement the message is not sent again: a lost message is better than
        a repeated one. Raises `InvalidError`, `RefusedError`, `UnreachableError`.
        """
        connection = await self._within(self._follower.wait_connected(), "chat")
        name = self._display_name or connection.me.username
        keys: JsonObject = {"object_id": connection.me.id_tag, "type": "chat", "dn": name, "text": text}
        topic = SceneTopic(
            scene=self._name,
            kind=TopicKind.CHAT,
            user_client=connection.me.user_client,
            uuid=connection.me.id_tag,
            to_uid=None if to is None else to.id_tag,
        )
        payload = _checked_payload("chat", topic, keys)
        try:
            await self._within(connection.mqtt.publish(str(topic), payload), "chat")
        except ConnectionLostError as error:
            raise UnreachableError("chat was not acknowledged: the connection broke") from error
        except RefusedError as error:
            raise type(error)(f"chat in {self._name}", error.reason) from error

    async def every(self, seconds: float) -> AsyncIterator[Tick]:
        """Yield a tick at once, then one every `seconds`, until the scene is left. Missed ticks are skipped."""
        if not seconds > 0:
            raise InvalidError("the interval", f"{seconds!r} is not above 0")
        clock = asyncio.get_running_loop()
        started_s = clock.time()
        number = 0
        while not self._left.is_set():
            yield Tick(number=number, time_s=number * seconds)
            number = max(number + 1, int((clock.time() - started_s) / seconds))
            try:
                async with asyncio.timeout_at(started_s + number * seconds):
                    await self._left.wait()
            except TimeoutError:
                continue

    async def _follow(self, wait_s: float) -> None:
        failure: Exception | None = None
        try:
            await self._follower.run(wait_s=wait_s)
            failure = self._follower.failure
        finally:
            self._left.set()
            for stream in list(self._streams):
                stream.end(failure)

    def _emit(self, event: SceneEvent) -> None:
        if isinstance(event, Chat) and event.user_client == self._follower.user_client:
            return
        for stream in list(self._streams):
            stream.offer(event)

    def _open(self, pick: Callable[[object], T | None]) -> Stream[T]:
        stream = Stream(pick)
        if self._left.is_set():
            stream.end(self._follower.failure)
        else:
            self._streams.add(stream)
        return stream

    async def _change(self, object_id: str, action: Action, keys: JsonObject) -> None:
        """Publish an object message until acknowledged. Changes are idempotent, so publishing twice is harmless."""
        what = f"{action} of object {object_id!r} in {self._name}"
        whole: JsonObject = {"object_id": object_id, "action": action.value, "type": "object", **keys}
        await self._within(self._publish_object(what, object_id, whole), what)

    async def _publish_object(self, what: str, object_id: str, keys: JsonObject) -> None:
        while True:
            connection = await self._follower.wait_connected()
            topic = SceneTopic(scene=self._name, kind=TopicKind.OBJECT, user_client=connection.me.user_client, uuid=object_id)
            try:
                await self._follower.publish(topic, _checked_payload(what, topic, keys), connection)
            except ConnectionLostError:
                await connection.ended.wait()
            except RefusedError as error:
                raise type(error)(what, error.reason, error.limit, you=in_words(connection.me)) from error
            else:
                return

    async def _within(self, answer: Awaitable[T], what: str) -> T:
        try:
            async with asyncio.timeout(ANSWER_S_MAX):
                return await answer
        except TimeoutError as error:
            raise UnreachableError(f"{what} was not acknowledged within {ANSWER_S_MAX:.0f} s") from error


def _id_of(target: str | SceneObject | ObjectAttributes) -> str:
    return checked_id(target if isinstance(target, str) else target.object_id)


def _checked_payload(what: str, topic: SceneTopic, keys: JsonObject) -> bytes:
    """Encode a message and check it by the realm's rules. Raises `InvalidError`."""
    try:
        payload = encode(keys)
        Envelope.parse(topic.kind, topic.uuid, payload)
    except ContractViolationError as error:
        raise InvalidError(what, error.reason) from error
    return payload


def _user(event: object, kind: str) -> User | None:
    return event.user if isinstance(event, UserPresenceChange) and event.kind == kind else None
