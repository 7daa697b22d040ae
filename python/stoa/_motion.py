"""The motion plane for programs: sends and receives poses of heads, hands and objects as netcode datagrams.

`Motion` connects by a ticket from `RealmClient` and reconnects. It drives `MotionUplink`, `MotionReplica` and
`NetcodeClient`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from secrets import SystemRandom
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias
from weakref import WeakSet

from stoa._entrance import in_words
from stoa._errors import ClosedError, InvalidError, NotGrantedError, RefusedError, StoaError, UnreachableError
from stoa._limits import (
    MOTION_BEAT_S,
    MOTION_ENTER_S_MAX,
    MOTION_NAME_BYTES_MAX,
    MOTION_NAMES_KEPT_MAX,
    MOTION_OPEN_S_MAX,
    MOTION_OWN_MAX,
    MOTION_REFUSED_S,
    RETRY_S_MAX,
    RETRY_S_MIN,
)
from stoa._motion_frame import Frame, FrameError, MoverKindByte, MoverRefusalReason
from stoa._motion_pose import PackedPose, pack_position, pack_rotation, unpack_position, unpack_rotation
from stoa._motion_replica import MotionReplica
from stoa._motion_uplink import MotionUplink
from stoa._netcode import NetcodeClient
from stoa._stream import Stream
from stoa._transport import ConnectionLostError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    import numpy as np
    import numpy.typing as npt

    from stoa._entrance import Me, RealmClient
    from stoa._follower import AdmittedConnection, SceneFollower
    from stoa._motion_replica import ReplicaMover as Followed
    from stoa._topic import SceneName
    from stoa._transport import DatagramSocket
    from stoa._values import Quaternion, Vec3

MoverKind: TypeAlias = Literal["head", "left_hand", "right_hand", "object"]
"""Kinds of movers: a person's head or hand, or an object of the scene."""

_KINDS: dict[MoverKindByte, MoverKind] = {
    MoverKindByte.HEAD: "head",
    MoverKindByte.LEFT_HAND: "left_hand",
    MoverKindByte.RIGHT_HAND: "right_hand",
    MoverKindByte.TRACKED: "object",
}
_REFUSALS = {
    MoverRefusalReason.NOT_GRANTED: "not_granted",
    MoverRefusalReason.TAKEN: "somebody else moves it",
    MoverRefusalReason.TOO_MANY: f"more than {MOTION_OWN_MAX} movers, or too many new ones at once",
    MoverRefusalReason.BAD_NAME: "not an object's id",
}
_HANDS: dict[str, MoverKindByte] = {"left": MoverKindByte.LEFT_HAND, "right": MoverKindByte.RIGHT_HAND}
_UPRIGHT: Quaternion = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mover:
    """A head, hand or object on the motion plane, at its latest received pose."""

    kind: MoverKind
    name: str
    """The id of an object. For a head or hand the person's id tag, the key of `scene.users`."""
    position: Vec3
    rotation: Quaternion


@dataclass(frozen=True, slots=True, kw_only=True)
class PoseArrays:
    """Poses of all movers of one kind, one row each."""

    names: tuple[str, ...]
    positions: npt.NDArray[np.float64]
    """Metres, one row of x, y, z for each name."""
    rotations: npt.NDArray[np.float64]
    """Unit quaternions, one row of x, y, z, w for each name."""


class Motion:
    """The motion plane of a scene: poses as datagrams, about 30 ms old, of which only the latest counts.

    `Scene.motion` makes it. Within `async with scene.motion() as motion` you set the poses of this program's head,
    hands and objects, and `movers` lists everyone else's. After a lost connection it reconnects and sends your latest
    poses again.
    """

    def __init__(self, name: SceneName, follower: SceneFollower, entrance: RealmClient) -> None:
        self._name = name
        self._follower = follower
        self._entrance = entrance
        self._own: dict[tuple[MoverKindByte, str], PackedPose] = {}
        self._withdrawn: dict[tuple[MoverKindByte, str], None] = {}
        """Withdrawn and refused movers, the latest last."""
        self._streams = WeakSet[Stream[Any]]()
        self._replica = MotionReplica()
        self._uplink: MotionUplink | None = None
        self._me: Me | None = None
        self._wake = asyncio.Event()
        self._open = asyncio.Event()
        self._running: asyncio.Task[None] | None = None
        self._refused: dict[tuple[MoverKindByte, str], tuple[MoverRefusalReason, float]] = {}
        """The reason of each refusal and its time in seconds."""
        self._failure: StoaError | None = None

    async def __aenter__(self) -> Self:
        """Connect, and wait up to `MOTION_ENTER_S_MAX` until the motion plane is open.

        Raises `RefusedError`, `UnreachableError` (no motion plane, or no UDP to it), `ClosedError`.
        """
        self._running = asyncio.create_task(self._run())
        opened = asyncio.create_task(self._open.wait())
        try:
            await asyncio.wait({self._running, opened}, timeout=MOTION_ENTER_S_MAX, return_when=asyncio.FIRST_COMPLETED)
        finally:
            opened.cancel()
            if not self._open.is_set():
                await self._stop()
        if not self._open.is_set():
            silence = f"the motion plane of {self._name} did not answer within {MOTION_ENTER_S_MAX:.0f} s: is UDP blocked?"
            raise self._failure or UnreachableError(silence)
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self._stop()

    @property
    def movers(self) -> tuple[Mover, ...]:
        """Movers of everyone else, at their latest poses."""
        return tuple(_mover(each) for each in self._others())

    def poses(self, kind: MoverKind = "head") -> PoseArrays:
        """Return everyone else's poses of one kind as NumPy arrays. Raises `InvalidError`, also without NumPy."""
        if kind not in _KINDS.values():
            raise InvalidError(f"the kind {kind!r}", f"it must be one of {', '.join(_KINDS.values())}")
        try:
            import numpy  # noqa: ICN001, PLC0415  # optional dependency of this method alone
        except ImportError as error:
            raise InvalidError("poses()", "NumPy is not installed: pip install stoa-xr[numpy], or use movers") from error
        chosen = [each for each in self._others() if _KINDS[each.kind] == kind]
        positions = [unpack_position(each.pose.position) for each in chosen]
        rotations = [unpack_rotation(each.pose.rotation) for each in chosen]
        return PoseArrays(
            names=tuple(each.name for each in chosen),
            positions=numpy.array(positions, dtype=numpy.float64).reshape(-1, 3),
            rotations=numpy.array(rotations, dtype=numpy.float64).reshape(-1, 4),
        )

    def move_head(self, position: Iterable[float], rotation: Iterable[float] = _UPRIGHT) -> None:
        """Set the pose of this program's head, in metres and as a unit quaternion xyzw.

        Raises `InvalidError`, `RefusedError`, `ClosedError`.
        """
        self._move(MoverKindByte.HEAD, "", position, rotation)

    def move_hand(self, side: Literal["left", "right"], position: Iterable[float], rotation: Iterable[float] = _UPRIGHT) -> None:
        """Set the pose of a hand. Raises `InvalidError`, `RefusedError`, `ClosedError`."""
        if side not in _HANDS:
            raise InvalidError(f"the hand {side!r}", "it must be 'left' or 'right'")
        self._move(_HANDS[side], "", position, rotation)

    def move_object(self, object_id: str, position: Iterable[float], rotation: Iterable[float] = _UPRIGHT) -> None:
        """Set the pose of a scene object for everyone who follows motion. One client moves an object at a time.

        `Scene.add` creates the object. The realm doesn't check that it exists; pages move it if they have it. Motion is
        not stored: after this program leaves, present people keep seeing the last pose, and people who enter later see
        the scene's. So store the final position by `Scene.update`.

        While another client moves the object, moves within two seconds of the refusal raise `RefusedError`, and later
        ones try again. Raises `InvalidError`, `RefusedError`, `ClosedError`.
        """
        if not 1 <= len(object_id.encode()) <= MOTION_NAME_BYTES_MAX:
            raise InvalidError(f"the object id {object_id!r}", f"it must have 1 to {MOTION_NAME_BYTES_MAX} bytes to be moved")
        self._move(MoverKindByte.TRACKED, object_id, position, rotation)

    # The literals of the type document the three names.
    def withdraw(self, what: Literal["head", "left_hand", "right_hand"] | str) -> None:  # noqa: PYI051
        """Take the head, a hand or an object (by its id) off the motion plane. The next move puts it back.

        Withdrawing twice, or withdrawing a head or hand that never moved, has no effect. Raises `InvalidError` for an
        object that was never moved.
        """
        kinds = {name: kind for kind, name in _KINDS.items() if kind is not MoverKindByte.TRACKED}
        key = (kinds[what], "") if what in kinds else (MoverKindByte.TRACKED, what)
        if key not in self._own:
            if key not in self._withdrawn and what not in kinds:
                raise InvalidError(f"{what!r}", f"no object of that id was moved, and it is not one of {', '.join(kinds)}")
            return
        self._forget(key)
        if self._uplink is not None:
            self._uplink.lose(*key, _now_s())
            self._wake.set()

    def entered(self) -> Stream[Mover]:
        """Follow movers that appear or enter the interest set. Present movers are in `movers`."""
        return self._stream("entered")

    def left(self) -> Stream[Mover]:
        """Follow movers that disappear or leave the interest set."""
        return self._stream("left")

    def _move(self, kind: MoverKindByte, name: str, position: Iterable[float], rotation: Iterable[float]) -> None:
        if self._running is None or self._running.done():
            raise self._failure or ClosedError("motion is used within `async with scene.motion() as motion`")
        if refused := self._refused.get((kind, name)):
            reason, since_s = refused
            if reason is MoverRefusalReason.NOT_GRANTED or _now_s() - since_s < MOTION_REFUSED_S:
                raise self._refusal(kind, name, reason)
            del self._refused[kind, name]
        try:
            x, y, z = position
            i, j, k, w = rotation
            pose = PackedPose(pack_position((float(x), float(y), float(z))), pack_rotation((float(i), float(j), float(k), float(w))))
        except (TypeError, ValueError) as error:
            raise InvalidError(f"the pose of {_what(kind, name)}", str(error)) from error
        if (kind, name) not in self._own and len(self._own) >= MOTION_OWN_MAX:
            raise InvalidError(f"{name!r}", f"a program has at most {MOTION_OWN_MAX} movers")
        if self._uplink is not None and not self._uplink.move(kind, name, pose, _now_s()):
            raise InvalidError(f"{name!r}", "too many movers were withdrawn within a second: wait until they have left")
        self._own[kind, name] = pose
        self._wake.set()

    def _forget(self, key: tuple[MoverKindByte, str]) -> None:
        """Drop a mover. Its name is remembered until `MOTION_NAMES_KEPT_MAX` newer ones are."""
        self._own.pop(key, None)
        self._withdrawn.pop(key, None)
        self._withdrawn[key] = None
        if len(self._withdrawn) > MOTION_NAMES_KEPT_MAX:
            del self._withdrawn[next(iter(self._withdrawn))]

    def _refusal(self, kind: MoverKindByte, name: str, reason: MoverRefusalReason) -> RefusedError:
        what = f"moving {_what(kind, name)} in {self._name}"
        if reason is MoverRefusalReason.NOT_GRANTED and self._me is not None:
            return NotGrantedError(what, _REFUSALS[reason], you=in_words(self._me))
        return RefusedError(what, _REFUSALS[reason])

    def _others(self) -> list[Followed]:
        return [each for each in self._replica.movers.values() if not self._is_own(each)]

    def _is_own(self, mover: Followed) -> bool:
        if mover.kind is MoverKindByte.TRACKED:
            return (MoverKindByte.TRACKED, mover.name) in self._own
        return self._me is not None and mover.name == self._me.id_tag

    def _stream(self, kind: Literal["entered", "left"]) -> Stream[Mover]:
        def pick(event: object) -> Mover | None:
            return event.mover if isinstance(event, _VisibilityChange) and event.kind == kind else None

        stream = Stream(pick)
        if self._running is None or self._running.done():
            stream.end(self._failure)
        else:
            self._streams.add(stream)
        return stream

    async def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})
        for stream in list(self._streams):
            stream.end()

    async def _run(self) -> None:
        pause_s = RETRY_S_MIN
        try:
            while True:
                try:
                    await self._connect_once()
                    pause_s = RETRY_S_MIN
                except ConnectionLostError:
                    pause_s = min(2 * pause_s, RETRY_S_MAX)
                await asyncio.sleep(pause_s * SystemRandom().uniform(0.5, 1.0))
        except StoaError as error:
            self._failure = error
            for stream in list(self._streams):
                stream.end(error)

    async def _connect_once(self) -> None:
        connection = await self._follower.wait_connected()
        connect_token = await self._entrance.request_motion_ticket(self._name, connection.admission)
        sequence = 0
        for server in connect_token.servers:
            client = NetcodeClient(connect_token, _now_s(), sequence=sequence)
            try:
                async with self._entrance.open_datagrams(server, lambda data, client=client: self._take(client, data)) as datagrams:
                    try:
                        self._begin(connection.me)
                        await self._exchange(client, datagrams, connection)
                    finally:
                        for farewell in client.farewell():
                            datagrams.send(farewell)
            finally:
                self._end()
            sequence = client.sequence
            if client.is_in:
                return
        raise ConnectionLostError(f"no server of {self._name}'s motion plane answered")

    async def _exchange(self, client: NetcodeClient, datagrams: DatagramSocket, connection: AdmittedConnection) -> None:
        """Exchange datagrams until the connection ends."""
        give_up_s = _now_s() + MOTION_OPEN_S_MAX
        while client.ended is None and not connection.ended.is_set() and (client.is_in or _now_s() < give_up_s):
            if client.is_in and self._uplink is not None:
                self._open.set()
                if frame := self._uplink.take_frame(self._replica, _now_s()):
                    datagrams.send(client.seal(frame, _now_s()))
            if packet := client.poll(_now_s()):
                datagrams.send(packet)
            self._wake.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(MOTION_BEAT_S):
                    await self._wake.wait()

    def _begin(self, me: Me) -> None:
        self._me, self._replica, self._uplink = me, MotionReplica(), MotionUplink(me.id_tag)
        self._replica.on_entered = lambda mover: self._emit("entered", mover)
        self._replica.on_left = lambda mover: self._emit("left", mover)
        self._refused.clear()
        for (kind, name), pose in self._own.items():
            self._uplink.move(kind, name, pose, _now_s())

    def _end(self) -> None:
        self._uplink = None
        gone, self._replica = self._replica, MotionReplica()
        for mover in gone.movers.values():
            self._emit("left", mover)

    def _take(self, client: NetcodeClient, datagram: bytes) -> None:
        was_in, expected_answer = client.is_in, client.expects_answer
        payload = client.handle(datagram, _now_s())
        if (client.is_in, client.expects_answer) != (was_in, expected_answer) or client.ended is not None:
            self._wake.set()
        if payload is None:
            return
        with suppress(FrameError):
            self._replica.handle(Frame.parse(payload), _now_s())
        for index, reason in self._replica.take_refused():
            if self._uplink and (key := self._uplink.handle_refused(index, reason, _now_s())):
                self._refused[key] = reason, _now_s()
                self._forget(key)

    def _emit(self, kind: Literal["entered", "left"], mover: Followed) -> None:
        if not self._is_own(mover):
            for stream in list(self._streams):
                stream.offer(_VisibilityChange(kind, _mover(mover)))


@dataclass(frozen=True, slots=True)
class _VisibilityChange:
    kind: Literal["entered", "left"]
    mover: Mover


def _mover(followed: Followed) -> Mover:
    position, rotation = unpack_position(followed.pose.position), unpack_rotation(followed.pose.rotation)
    return Mover(kind=_KINDS[followed.kind], name=followed.name, position=position, rotation=rotation)


def _what(kind: MoverKindByte, name: str) -> str:
    return f"object {name!r}" if kind is MoverKindByte.TRACKED else f"the {_KINDS[kind].replace('_', ' ')}"


def _now_s() -> float:
    return asyncio.get_running_loop().time()
