"""A scene that this program is in."""

from __future__ import annotations

import asyncio
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from stoa._arguments import ObjectAttributes, checked_id, described_attributes, named_attributes
from stoa._entrance import in_words
from stoa._envelope import Action, Envelope
from stoa._errors import InvalidError, RefusedError, UnreachableError
from stoa._follower import Follower
from stoa._json import encode
from stoa._limits import ANSWER_S_MAX
from stoa._motion import Motion
from stoa._object import SceneObject
from stoa._reason import ReasonError
from stoa._stream import Stream
from stoa._topic import Kind, SceneName, SceneTopic
from stoa._transport import ConnectionLostError
from stoa._values import Change, Chat, ClientEvent, Tick, User, UserChange

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    from stoa._entrance import Entrance, Me
    from stoa._json import JsonObject
    from stoa._values import Happening, ObjectState

T = TypeVar("T")


class Scene:
    """A scene, kept up to date. `Realm.scene` makes it; it stays until the realm is left or `close` is called.

    When the connection ends it is made again with a fresh token; changes asked for meanwhile wait for it.
    """

    def __init__(self, name: SceneName, entrance: Entrance, *, display_name: str | None = None) -> None:
        self._name = name
        self._entrance = entrance
        self._display_name = display_name
        self._streams = WeakSet[Stream[Any]]()
        self._follower = Follower(name, entrance, self._tell, display_name=display_name)
        self._following: asyncio.Task[None] | None = None
        self._left = asyncio.Event()

    async def enter(self, group: asyncio.TaskGroup, *, wait_s: float) -> Me:
        """Enter it. For `Realm.scene`."""
        self._following = group.create_task(self._follow(wait_s))
        try:
            return (await self._follower.stay()).me
        except BaseException:
            self._follower.leave()
            self._following.cancel()
            raise

    async def close(self) -> None:
        """Leave the scene. Streams and beats end; objects stay."""
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
        """All objects by their ids, as of now."""
        return MappingProxyType(self._follower.replica.model.objects)

    @property
    def users(self) -> Mapping[str, User]:
        """The people who are present, by their id tags, as of now. A program is, once it moved its head (`motion`), until that ends."""
        return MappingProxyType(self._follower.replica.model.users)

    async def me(self) -> Me:
        """Who this program is here and what it may do; waits while the connection is being made again."""
        return (await self._follower.stay()).me

    def object(self, object_id: str) -> SceneObject:
        """Get hold of an object, be it there yet or not."""
        return SceneObject(self, checked_id(object_id))

    async def add(self, described: ObjectAttributes, *, persist: bool = False, ttl_s: float | None = None) -> SceneObject:
        """Put an object into the scene, in place of one with the same id.

        Returns once the realm acknowledged it and `objects` shows it: with `persist`, once it is on the realm's disk. Without, it stays
        until somebody removes it, `ttl_s` seconds are over, or the realm restarts; in that last case this program puts it back as long
        as it runs.
        Raises `InvalidError`, `RefusedError`, `UnreachableError`.
        """
        object_id = checked_id(described.object_id)
        keys: JsonObject = {"persist": persist, "data": described_attributes(described)}
        if ttl_s is not None:
            keys["ttl"] = ttl_s
        await self._change(object_id, Action.CREATE, keys)
        if persist or ttl_s is not None:
            self._follower.kept.pop(object_id, None)
        else:
            self._follower.kept[object_id] = None
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
        """Change attributes of an object: `await scene.update(lamp, position=(0, 2, 0), material={"color": "#ff0000"})`.

        Objects merge key by key, lists and values are replaced, None takes a key away; with `overwrite` what is given is all there is.
        `persist` None writes to the disk what is stored there. Raises `InvalidError`, `RefusedError`, `UnreachableError`.
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
        """Take an object away, with all that hangs on it. Raises `InvalidError`, `RefusedError`, `UnreachableError`."""
        object_id = _id_of(target)
        await self._change(object_id, Action.DELETE, {})
        self._follower.kept.pop(object_id, None)

    def events(self, of_type: str | None = None, *, target: str | SceneObject | None = None) -> Stream[ClientEvent]:
        """Follow what people do to objects: all, or those of one type (`mousedown`, `buttonClick` …), or what meets one object."""
        object_id = None if target is None else _id_of(target)

        def pick(happening: object) -> ClientEvent | None:
            if not isinstance(happening, ClientEvent) or of_type not in {None, happening.type}:
                return None
            return happening if object_id in {None, happening.target} else None

        return self._open(pick)

    def clicks(self) -> Stream[ClientEvent]:
        """Follow clicks on any object. Only objects with `click_listener` are clickable."""
        return self.events("mousedown")

    def changes(self) -> Stream[Change]:
        """Follow objects that come, change and go, your own among them."""
        return self._open(lambda happening: happening if isinstance(happening, Change) else None)

    def chat(self) -> Stream[Chat]:
        """Follow what others say."""
        return self._open(lambda happening: happening if isinstance(happening, Chat) else None)

    def user_joins(self) -> Stream[User]:
        """Follow people who come. Those already here are in `users`."""
        return self._open(lambda happening: _user(happening, "joined"))

    def user_leaves(self) -> Stream[User]:
        """Follow people who go."""
        return self._open(lambda happening: _user(happening, "left"))

    def motion(self) -> Motion:
        """What moves here, heads, hands and objects, as datagrams: `async with scene.motion() as motion`."""
        return Motion(self._name, self._follower, self._entrance)

    async def say(self, text: str, *, to: User | None = None) -> None:
        """Say something to everybody, or to one person. Raises `InvalidError`, `RefusedError`, `UnreachableError`.

        Where the connection breaks before the acknowledgement it is not said again: better once too few than twice.
        """
        stay = await self._within(self._follower.stay(), "chat")
        name = self._display_name or stay.me.username
        keys: JsonObject = {"object_id": stay.me.id_tag, "type": "chat", "dn": name, "text": text}
        topic = SceneTopic(
            scene=self._name,
            kind=Kind.CHAT,
            user_client=stay.me.user_client,
            uuid=stay.me.id_tag,
            to_uid=None if to is None else to.id_tag,
        )
        payload = _checked_payload("chat", topic, keys)
        try:
            await self._within(stay.connection.publish(str(topic), payload), "chat")
        except ConnectionLostError as error:
            raise UnreachableError("chat was not acknowledged: the connection broke") from error
        except RefusedError as error:
            raise type(error)(f"chat in {self._name}", error.reason) from error

    async def every(self, seconds: float) -> AsyncIterator[Tick]:
        """Beat at once and then every `seconds`, until the scene is left. Beats that the program was too slow for are left out."""
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

    def _tell(self, happening: Happening) -> None:
        if isinstance(happening, Chat) and happening.user_client == self._follower.user_client:
            return
        for stream in list(self._streams):
            stream.offer(happening)

    def _open(self, pick: Callable[[object], T | None]) -> Stream[T]:
        stream = Stream(pick)
        if self._left.is_set():
            stream.end(self._follower.failure)
        else:
            self._streams.add(stream)
        return stream

    async def _change(self, object_id: str, action: Action, keys: JsonObject) -> None:
        """Publish on `o` until acknowledged. Saying it twice is harmless: it states what is."""
        what = f"{action} of object {object_id!r} in {self._name}"
        whole: JsonObject = {"object_id": object_id, "action": action.value, "type": "object", **keys}
        await self._within(self._publish_object(what, object_id, whole), what)

    async def _publish_object(self, what: str, object_id: str, keys: JsonObject) -> None:
        while True:
            stay = await self._follower.stay()
            topic = SceneTopic(scene=self._name, kind=Kind.OBJECT, user_client=stay.me.user_client, uuid=object_id)
            try:
                await self._follower.publish(topic, _checked_payload(what, topic, keys), stay)
            except ConnectionLostError:
                await stay.ended.wait()
            except RefusedError as error:
                raise type(error)(what, error.reason, error.limit, you=in_words(stay.me)) from error
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
    """Encode, and find what the realm would refuse before it is sent."""
    try:
        payload = encode(keys)
        Envelope.parse(topic.kind, topic.uuid, payload)
    except ReasonError as error:
        raise InvalidError(what, error.reason) from error
    return payload


def _user(happening: object, kind: str) -> User | None:
    return happening.user if isinstance(happening, UserChange) and happening.kind == kind else None
