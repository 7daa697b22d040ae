"""Decodes frames of the motion plane. Source: spec/wire.md."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from stoa._limits import FRAME_BYTES_MAX, MOTION_NAME_BYTES_MAX
from stoa._motion_pose import POSE_BYTES, ROTATION_BYTES, Millimetres, PackedPose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

VERSION: Final = 1
HEAD_BYTES: Final = 9
GENERATIONS: Final = 32
"""Number of baseline generations before they repeat."""


class FrameError(ValueError):
    """The receiver must drop the whole frame."""


class FramePartKind(IntEnum):
    """The kind byte of a part."""

    ACK = 1
    POSES = 2
    BASELINES = 3
    CHANGES = 4
    QUALITY = 5
    REFUSED = 6
    REACHED = 7
    OWN = 16
    DECLARE = 17
    ASK = 18
    WITHDRAW = 19
    MARK = 20


class MoverKindByte(IntEnum):
    """The kind byte of a mover."""

    HEAD = 0
    LEFT_HAND = 1
    RIGHT_HAND = 2
    TRACKED = 3


class MoverRefusalReason(IntEnum):
    """Why the realm refuses a mover."""

    NOT_GRANTED = 1
    TAKEN = 2
    TOO_MANY = 3
    BAD_NAME = 4


@dataclass(frozen=True, slots=True)
class Ack:
    """Acknowledges frames of the other direction."""

    newest: int
    received: int
    time_ms: int
    held_ms: int
    changes: int


@dataclass(frozen=True, slots=True)
class ConnectionQuality:
    """Quality of the connection, as measured by the realm."""

    bytes_per_s: int
    lost_per_mille: int
    round_trip_ms: int
    visible: int
    thinned_per_mille: int


@dataclass(frozen=True, slots=True)
class PoseDelta:
    """A pose relative to a baseline."""

    id: int
    age_ms: int
    generation: int
    offset: Millimetres
    rotation: bytes | None


@dataclass(frozen=True, slots=True)
class PoseBaseline:
    """An absolute pose that pose updates refer to."""

    id: int
    age_ms: int
    generation: int
    pose: PackedPose


@dataclass(frozen=True, slots=True)
class MoverLeft:
    """A mover disappeared or left the interest set."""

    id: int


@dataclass(frozen=True, slots=True)
class MoverEntered:
    """A mover appeared or entered the interest set."""

    id: int
    kind: MoverKindByte
    name: str
    age_ms: int
    generation: int
    pose: PackedPose


@dataclass(frozen=True, slots=True)
class InterestSetChanges:
    """Movers that entered and left: the number of the first change, and the changes."""

    first: int
    changes: tuple[MoverLeft | MoverEntered, ...]


@dataclass(frozen=True, slots=True)
class MoverRefusal:
    """The realm refuses a declared mover."""

    index: int
    reason: MoverRefusalReason


@dataclass(frozen=True, slots=True)
class OwnPose:
    """A client's own pose."""

    index: int
    age_ms: int
    pose: PackedPose


@dataclass(frozen=True, slots=True)
class MoverDeclaration:
    """A client declares a mover of its own."""

    index: int
    kind: MoverKindByte
    name: str


@dataclass(frozen=True, slots=True)
class BaselineRequest:
    """A client requests a mover's baseline."""

    id: int


@dataclass(frozen=True, slots=True)
class MoverWithdrawal:
    """A client withdraws a mover of its own."""

    index: int


@dataclass(frozen=True, slots=True)
class FullyDeliveredMark:
    """Every receiver has this marked frame."""

    sequence: int


@dataclass(frozen=True, slots=True)
class FullyDeliveredMarkRequest:
    """The client requests a `FullyDeliveredMark` once every receiver has this frame."""


FrameEntry: TypeAlias = (
    Ack
    | ConnectionQuality
    | PoseDelta
    | PoseBaseline
    | InterestSetChanges
    | MoverRefusal
    | OwnPose
    | MoverDeclaration
    | BaselineRequest
    | MoverWithdrawal
    | FullyDeliveredMark
    | FullyDeliveredMarkRequest
)


@dataclass(frozen=True, slots=True)
class Frame:
    """A decoded frame."""

    sequence: int
    time_ms: int
    entries: tuple[FrameEntry, ...]

    @classmethod
    def parse(cls, data: bytes) -> Frame:
        """Errors: `FrameError` for a wrong length or version."""
        if len(data) > FRAME_BYTES_MAX:
            raise FrameError(f"a frame of {len(data)} bytes, at most {FRAME_BYTES_MAX}")
        if len(data) < HEAD_BYTES:
            raise FrameError(f"a frame of {len(data)} bytes, at least {HEAD_BYTES}")
        reader = _Reader(data)
        if (version := reader.number(1)) != VERSION:
            raise FrameError(f"version {version} of frames, not {VERSION}")
        sequence, time_ms = reader.number(4), reader.number(4)
        return cls(sequence, time_ms, tuple(_read_parts(reader)))


class _InvalidPartError(Exception):
    """The part is truncated or holds an invalid value."""


class _Reader:
    """Reads little-endian values from the front of the bytes."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, count: int) -> bytes:
        if len(self.rest) < count:
            raise _InvalidPartError
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self, count: int, *, signed: bool = False) -> int:
        return int.from_bytes(self.take(count), "little", signed=signed)

    def pose(self) -> PackedPose:
        return PackedPose.from_bytes(self.take(POSE_BYTES))

    def generation(self) -> int:
        if (generation := self.number(1)) >= GENERATIONS:
            raise _InvalidPartError
        return generation

    def kind(self) -> MoverKindByte:
        try:
            return MoverKindByte(self.number(1))
        except ValueError:
            raise _InvalidPartError from None

    def name(self, length: int) -> str:
        name = self.take(length)
        try:
            text = name.decode()
        except UnicodeDecodeError:
            raise _InvalidPartError from None
        if length > MOTION_NAME_BYTES_MAX:
            raise _InvalidPartError
        return text


def _read_parts(reader: _Reader) -> Iterator[FrameEntry]:
    with suppress(_InvalidPartError):
        while reader.rest:
            kind, length = reader.number(1), reader.number(2)
            content = _Reader(reader.take(length))
            if (read := _READERS.get(kind)) is not None:
                with suppress(_InvalidPartError):
                    yield from read(content)


def _read_ack(reader: _Reader) -> Iterator[FrameEntry]:
    newest, received, time_ms, held_ms = reader.number(4), reader.number(4), reader.number(4), reader.number(2)
    reader.take(2)
    yield Ack(newest, received, time_ms, held_ms, reader.number(4))


def _read_quality(reader: _Reader) -> Iterator[FrameEntry]:
    yield ConnectionQuality(reader.number(4), reader.number(2), reader.number(2), reader.number(2), reader.number(2))


def _read_poses(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        id_, age_ms, form = reader.number(2), reader.number(1), reader.number(1)
        width = (0, 1, 2, 4)[form & 3]
        x, y, z = (reader.number(width, signed=True) for _ in range(3))
        rotation = reader.take(ROTATION_BYTES) if form & 4 else None
        yield PoseDelta(id_, age_ms, form >> 3, (x, y, z), rotation)


def _read_baselines(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        yield PoseBaseline(reader.number(2), reader.number(1), reader.generation(), reader.pose())


def _read_changes(reader: _Reader) -> Iterator[FrameEntry]:
    first = reader.number(4)
    changes: list[MoverLeft | MoverEntered] = []
    with suppress(_InvalidPartError):
        while reader.rest:
            changes.append(_read_change(reader))
    yield InterestSetChanges(first, tuple(changes))


def _read_change(reader: _Reader) -> MoverLeft | MoverEntered:
    entered, id_ = reader.number(1), reader.number(2)
    if entered == 0:
        return MoverLeft(id_)
    if entered != 1:
        raise _InvalidPartError
    kind, length = reader.kind(), reader.number(1)
    return MoverEntered(id_, kind, reader.name(length), reader.number(1), reader.generation(), reader.pose())


def _read_refused(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        index, reason = reader.number(1), reader.number(1)
        if reason not in set(MoverRefusalReason):
            raise _InvalidPartError
        yield MoverRefusal(index, MoverRefusalReason(reason))


def _read_own(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        yield OwnPose(reader.number(1), reader.number(1), reader.pose())


def _read_declare(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        index, kind, length = reader.number(1), reader.kind(), reader.number(1)
        yield MoverDeclaration(index, kind, reader.name(length))


def _read_ask(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        yield BaselineRequest(reader.number(2))


def _read_withdraw(reader: _Reader) -> Iterator[FrameEntry]:
    while reader.rest:
        yield MoverWithdrawal(reader.number(1))


def _read_reached(reader: _Reader) -> Iterator[FrameEntry]:
    yield FullyDeliveredMark(reader.number(4))


def _read_mark(_reader: _Reader) -> Iterator[FrameEntry]:
    yield FullyDeliveredMarkRequest()


_READERS: Final[dict[int, Callable[[_Reader], Iterator[FrameEntry]]]] = {
    FramePartKind.ACK: _read_ack,
    FramePartKind.POSES: _read_poses,
    FramePartKind.BASELINES: _read_baselines,
    FramePartKind.CHANGES: _read_changes,
    FramePartKind.QUALITY: _read_quality,
    FramePartKind.REFUSED: _read_refused,
    FramePartKind.OWN: _read_own,
    FramePartKind.DECLARE: _read_declare,
    FramePartKind.ASK: _read_ask,
    FramePartKind.WITHDRAW: _read_withdraw,
    FramePartKind.REACHED: _read_reached,
    FramePartKind.MARK: _read_mark,
}
