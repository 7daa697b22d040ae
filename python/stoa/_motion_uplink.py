"""What a program says on the motion plane: spec/wire.md sections 2, 5 and 6. Times are in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stoa._limits import FRAME_BYTES_MAX, MOTION_OWN_MAX, MOTION_REPORT_S, MOTION_RESTING_S
from stoa._motion_frame import VERSION, Kind, PartKind

if TYPE_CHECKING:
    from stoa._motion_frame import Ack
    from stoa._motion_pose import PackedPose
    from stoa._motion_replica import MotionReplica, Mover


class FrameWriter:
    """One frame, entry by entry."""

    def __init__(self, sequence: int, time_ms: int) -> None:
        self._frame = bytearray([VERSION]) + _number(sequence, 4) + _number(time_ms, 4)
        self._open: tuple[PartKind, int] | None = None

    def put(self, kind: PartKind, entry: bytes) -> bool:
        """Put an entry into a part of that kind; False where there is no room."""
        opens = self._open is None or self._open[0] != kind
        if len(self._frame) + 3 * opens + len(entry) > FRAME_BYTES_MAX:
            return False
        if self._open is None or opens:
            self._open = kind, len(self._frame)
            self._frame += bytes([kind, 0, 0])
        self._frame += entry
        at = self._open[1]
        self._frame[at + 1 : at + 3] = _number(len(self._frame) - at - 3, 2)
        return True

    def to_bytes(self) -> bytes:
        """Give the frame."""
        return bytes(self._frame)


def ack_entry(ack: Ack) -> bytes:
    """Say what has come."""
    newest, received, time_ms = _number(ack.newest, 4), _number(ack.received, 4), _number(ack.time_ms, 4)
    return newest + received + time_ms + _number(ack.held_ms, 2) + bytes(2) + _number(ack.changes, 4)


def _number(value: int, count: int) -> bytes:
    return (value & (1 << 8 * count) - 1).to_bytes(count, "little")


@dataclass(slots=True)
class _Own:
    index: int
    kind: Kind
    name: str
    pose: PackedPose | None
    taken_s: float
    is_known: bool = False
    """Its `entered` has come, or it was refused."""
    withdrawn_s: float | None = None
    """Since when it is being withdrawn."""


class MotionUplink:
    """A program's own things, for one stay."""

    def __init__(self, id_tag: str) -> None:
        self._id_tag = id_tag
        self._own: dict[tuple[Kind, str], _Own] = {}
        self._sequence = 0
        self._said_s = float("-inf")
        self._moved = False

    def move(self, kind: Kind, name: str, pose: PackedPose, now_s: float) -> bool:
        """Something of its own is there now. False where it is one too many."""
        own = self._own.get((kind, name))
        if own is None:
            if len(self._own) >= MOTION_OWN_MAX:
                return False
            own = self._own[kind, name] = _Own(len(self._own), kind, name, None, now_s)
        own.pose, own.taken_s, self._moved = pose, now_s, True
        return True

    def lose(self, kind: Kind, name: str, now_s: float) -> None:
        """Something is gone: that is said until its `left` has come. Where it comes back meanwhile, it is declared anew after that."""
        own = self._own.get((kind, name))
        if own is not None and own.pose is not None:
            own.pose, own.withdrawn_s, self._moved = None, now_s, True

    def key_of(self, index: int) -> tuple[Kind, str] | None:
        """Say what was declared by that index."""
        return next((key for key, own in self._own.items() if own.index == index), None)

    def take_frame(self, replica: MotionReplica, now_s: float) -> bytes | None:
        """Give the next frame, where one is due: something has moved, or a report is."""
        asked = replica.take_asked(now_s)
        if not self._moved and not asked and now_s - self._said_s < MOTION_REPORT_S:
            return None
        self._sequence += 1
        writer = FrameWriter(self._sequence, round(now_s * 1_000))
        if ack := replica.ack(now_s):
            writer.put(PartKind.ACK, ack_entry(ack))
        for own in self._own.values():
            self._say(own, replica, writer, now_s)
        for own in self._own.values():
            if own.pose is not None and self._is_news(own, replica, now_s):
                age_ms = min(max(round((now_s - own.taken_s) * 1_000), 0), 255)
                writer.put(PartKind.OWN, bytes([own.index, age_ms]) + own.pose.to_bytes())
        for id_ in asked:
            writer.put(PartKind.ASK, _number(id_, 2))
        self._said_s, self._moved = now_s, False
        return writer.to_bytes()

    def _say(self, own: _Own, replica: MotionReplica, writer: FrameWriter, now_s: float) -> None:
        """That it is there, or that it is not any more, until that is known."""
        is_told = self._is_told(own, replica)
        if own.withdrawn_s is not None and not is_told and (own.is_known or now_s - own.withdrawn_s >= MOTION_RESTING_S):
            own.withdrawn_s, own.is_known, own.taken_s = None, own.index in replica.refused, now_s
        if own.withdrawn_s is not None:
            own.is_known = own.is_known or is_told
            writer.put(PartKind.WITHDRAW, bytes([own.index]))
        elif own.pose is not None:
            own.is_known = own.is_known or is_told or own.index in replica.refused
            if not own.is_known:
                name = own.name.encode()
                writer.put(PartKind.DECLARE, bytes([own.index, own.kind, len(name)]) + name)

    def _is_news(self, own: _Own, replica: MotionReplica, now_s: float) -> bool:
        """For a while a pose that rests is said with each frame too, and after that until it is told back: a frame may be lost."""
        if own.withdrawn_s is not None or own.index in replica.refused:
            return False
        told = self._told(own, replica)
        return now_s - own.taken_s < MOTION_RESTING_S or told is None or told.pose != own.pose

    def _is_told(self, own: _Own, replica: MotionReplica) -> bool:
        return self._told(own, replica) is not None

    def _told(self, own: _Own, replica: MotionReplica) -> Mover | None:
        shown_as = own.name if own.kind is Kind.TRACKED else self._id_tag
        return next((mover for mover in replica.movers.values() if mover.kind is own.kind and mover.name == shown_as), None)
