"""Decides what this program sends on the motion plane, and encodes it.

A frame holds declarations and poses of own movers, acknowledgements and baseline requests. Times are in seconds.
Source: spec/wire.md sections 2, 5 and 6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stoa._limits import FRAME_BYTES_MAX, MOTION_OWN_MAX, MOTION_REFUSED_S, MOTION_REPORT_S, MOTION_RESTING_S
from stoa._motion_frame import VERSION, FramePartKind, MoverKindByte, MoverRefusalReason

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stoa._motion_frame import Ack
    from stoa._motion_pose import PackedPose
    from stoa._motion_replica import MotionReplica, ReplicaMover

_INDICES: Final = 256
"""Count of indices, each of one byte."""


class FrameWriter:
    """Writes one frame, entry by entry."""

    def __init__(self, sequence: int, time_ms: int) -> None:
        self._frame = bytearray([VERSION]) + _number(sequence, 4) + _number(time_ms, 4)
        self._open: tuple[FramePartKind, int] | None = None

    def put(self, kind: FramePartKind, entry: bytes) -> bool:
        """Append an entry to a part of `kind`. Returns False if the frame is full."""
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
        """Return the frame."""
        return bytes(self._frame)


def ack_entry(ack: Ack) -> bytes:
    """Encode an acknowledgement."""
    newest, received, time_ms = _number(ack.newest, 4), _number(ack.received, 4), _number(ack.time_ms, 4)
    return newest + received + time_ms + _number(ack.held_ms, 2) + bytes(2) + _number(ack.changes, 4)


def _number(value: int, count: int) -> bytes:
    return (value & (1 << 8 * count) - 1).to_bytes(count, "little")


@dataclass(slots=True)
class _OwnMover:
    index: int
    kind: MoverKindByte
    name: str
    pose: PackedPose | None
    taken_s: float
    others: frozenset[int] | None = None
    """Short ids of other clients' movers of that name at the declaration; None before it. Empty for a head or hand."""
    is_announced: bool = False
    """The realm's `entered` for it has arrived."""
    withdrawn_s: float | None = None
    """Time of the withdrawal, while its `left` has not arrived."""
    refused: tuple[MoverRefusalReason, float] | None = None
    """Reason and time of the realm's refusal."""

    @property
    def is_sending(self) -> bool:
        return self.pose is not None and self.withdrawn_s is None and self.refused is None

    def reset(self, now_s: float) -> bool:
        """Reset to undeclared. Returns False if there is no pose to declare it with."""
        self.others, self.is_announced, self.withdrawn_s, self.refused, self.taken_s = None, False, None, None, now_s
        return self.pose is not None


class MotionUplink:
    """This program's movers on one connection."""

    def __init__(self, id_tag: str) -> None:
        self._id_tag = id_tag
        self._own: dict[tuple[MoverKindByte, str], _OwnMover] = {}
        self._sequence = 0
        self._sent_s = float("-inf")
        self._moved = False

    def move(self, kind: MoverKindByte, name: str, pose: PackedPose, now_s: float) -> bool:
        """Set the pose of an own mover. Returns False beyond `MOTION_OWN_MAX` movers or without a free index."""
        own = self._own.get((kind, name))
        if own is None:
            free = set(range(_INDICES)).difference(own.index for own in self._own.values())
            if not free or sum(own.pose is not None for own in self._own.values()) >= MOTION_OWN_MAX:
                return False
            own = self._own[kind, name] = _OwnMover(min(free), kind, name, None, now_s)
        own.pose, own.taken_s, self._moved = pose, now_s, True
        return True

    def lose(self, kind: MoverKindByte, name: str, now_s: float) -> None:
        """Withdraw a mover in each frame until its `left` arrives. A move before then declares it again afterwards."""
        own = self._own.get((kind, name))
        if own is not None and own.pose is not None:
            own.pose, own.withdrawn_s, self._moved = None, now_s, True

    def handle_refused(self, index: int, reason: MoverRefusalReason, now_s: float) -> tuple[MoverKindByte, str] | None:
        """Record a refusal and return its mover's key.

        A move after `MOTION_REFUSED_S` declares the mover again, unless the reason is `NOT_GRANTED`.
        """
        for key, own in self._own.items():
            if own.index == index:
                own.pose, own.withdrawn_s, own.refused = None, None, (reason, now_s)
                return key
        return None

    def take_frame(self, replica: MotionReplica, now_s: float) -> bytes | None:
        """Return the next frame if one is due: after a move, for a missing baseline, or each `MOTION_REPORT_S`."""
        asked = replica.take_baseline_requests(now_s)
        if not self._moved and not asked and now_s - self._sent_s < MOTION_REPORT_S:
            return None
        self._own = {key: own for key, own in self._own.items() if self._advance(own, replica, now_s)}
        self._sequence += 1
        writer = FrameWriter(self._sequence, round(now_s * 1_000))
        if ack := replica.ack(now_s):
            writer.put(FramePartKind.ACK, ack_entry(ack))
        self._write_own(writer, replica, now_s)
        for id_ in asked:
            writer.put(FramePartKind.ASK, _number(id_, 2))
        self._sent_s, self._moved = now_s, False
        return writer.to_bytes()

    def _write_own(self, writer: FrameWriter, replica: MotionReplica, now_s: float) -> None:
        for own in self._own.values():
            if own.withdrawn_s is not None and own.refused is None:
                writer.put(FramePartKind.WITHDRAW, bytes([own.index]))
        sending = [own for own in self._own.values() if own.is_sending]
        for own in sending:
            if own.is_announced and self._is_news(own, replica, now_s):
                writer.put(FramePartKind.OWN, _own_entry(own, now_s))
        for own in sending:
            # Each declaration needs a pose: without one, the realm announces no mover, and declarations never end.
            if not own.is_announced and writer.put(FramePartKind.DECLARE, _declare_entry(own)):
                if own.others is None:
                    own.others = frozenset(mover.id for mover in self._shown(own, replica) if own.kind is MoverKindByte.TRACKED)
                writer.put(FramePartKind.OWN, _own_entry(own, now_s))

    def _advance(self, own: _OwnMover, replica: MotionReplica, now_s: float) -> bool:
        """Update the state of a mover. Returns False if the mover has left and its index is free."""
        if own.refused is not None:
            reason, since_s = own.refused
            if reason is MoverRefusalReason.NOT_GRANTED or now_s - since_s < MOTION_REFUSED_S:
                return True
            return own.reset(now_s)
        is_echoed = self._echo(own, replica) is not None
        if own.withdrawn_s is not None and not is_echoed:
            # The realm sends no `left` for a mover that it never announced.
            is_gone = own.is_announced or own.others is None or now_s - own.withdrawn_s >= MOTION_RESTING_S
            return own.reset(now_s) if is_gone else True
        own.is_announced = own.is_announced or is_echoed
        return True

    def _is_news(self, own: _OwnMover, replica: MotionReplica, now_s: float) -> bool:
        """Whether to send the pose: for `MOTION_RESTING_S` after a move, then until the realm sends it back."""
        echo = self._echo(own, replica)
        return now_s - own.taken_s < MOTION_RESTING_S or echo is None or echo.pose != own.pose

    def _echo(self, own: _OwnMover, replica: MotionReplica) -> ReplicaMover | None:
        """Find the own mover as the realm sends it back; None before the first."""
        others = own.others
        return None if others is None else next((mover for mover in self._shown(own, replica) if mover.id not in others), None)

    def _shown(self, own: _OwnMover, replica: MotionReplica) -> Iterator[ReplicaMover]:
        shown_as = own.name if own.kind is MoverKindByte.TRACKED else self._id_tag
        return (mover for mover in replica.movers.values() if mover.kind is own.kind and mover.name == shown_as)


def _own_entry(own: _OwnMover, now_s: float) -> bytes:
    age_ms = min(max(round((now_s - own.taken_s) * 1_000), 0), 255)
    return bytes([own.index, age_ms]) + (own.pose.to_bytes() if own.pose else b"")


def _declare_entry(own: _OwnMover) -> bytes:
    name = own.name.encode()
    return bytes([own.index, own.kind, len(name)]) + name
