"""Rebuilds the movers of a scene from received frames. Times are in seconds. Source: spec/wire.md sections 2 to 4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from stoa._limits import MOTION_ASKED_MAX, MOTION_PATIENCE_S, MOTION_WINDOW
from stoa._motion_frame import (
    Ack,
    ConnectionQuality,
    Frame,
    InterestSetChanges,
    MoverEntered,
    MoverKindByte,
    MoverLeft,
    MoverRefusal,
    MoverRefusalReason,
    PoseBaseline,
    PoseDelta,
)
from stoa._motion_pose import PackedPose

if TYPE_CHECKING:
    from collections.abc import Callable


def ahead(one: int, other: int) -> int:
    """Return `one - other` modulo 2^32, as a signed number."""
    return (one - other + 0x8000_0000 & 0xFFFF_FFFF) - 0x8000_0000


@dataclass(slots=True)
class ReplicaMover:
    """A head, hand or object in the interest set."""

    id: int
    kind: MoverKindByte
    name: str
    """The id of a tracked object; for a head or hand the person's idTag."""
    pose: PackedPose
    taken_ms: int
    """Time of the pose on the realm's motion clock."""
    baselines: dict[int, PackedPose]
    """The two latest baselines by generation, the newer last."""
    lacks_since_s: float | None = None
    asked_s: float | None = None

    def move_to(self, pose: PackedPose, taken_ms: int) -> bool:
        """Set the pose. Returns False if the present pose is as new or newer."""
        if ahead(taken_ms, self.taken_ms) <= 0:
            return False
        self.pose, self.taken_ms = pose, taken_ms & 0xFFFF_FFFF
        return True


class MotionReplica:
    """The movers of a scene, as far as the realm sends them."""

    def __init__(self) -> None:
        self.movers: dict[int, ReplicaMover] = {}
        self.quality: ConnectionQuality | None = None
        self.time_ms = 0
        """The realm's motion clock at the newest frame."""
        self.on_entered: Callable[[ReplicaMover], None] = _ignored
        self.on_left: Callable[[ReplicaMover], None] = _ignored
        self._refused: list[MoverRefusal] = []
        self._changes = 0
        self._newest = 0
        self._received = 0
        self._newest_s = 0.0
        self._recent_sequences: set[int] = set()

    def handle(self, frame: Frame, now_s: float) -> bool:
        """Apply a frame. Returns False for a duplicate or a frame behind the window."""
        if not self._accept(frame, now_s):
            return False
        for entry in frame.entries:
            match entry:
                case InterestSetChanges(first, changes):
                    for number, change in enumerate(changes, first):
                        self._handle_change(number, change, frame)
                case PoseBaseline():
                    self._handle_baseline(entry, frame)
                case PoseDelta():
                    self._handle_pose(entry, frame, now_s)
                case ConnectionQuality():
                    self.quality = entry
                case MoverRefusal():
                    self._refused.append(entry)
                case _:
                    pass
        return True

    def ack(self, now_s: float) -> Ack | None:
        """Return the acknowledgement of received frames, None before the first."""
        if not self._received:
            return None
        held_ms = min(max(round((now_s - self._newest_s) * 1_000), 0), 0xFFFF)
        return Ack(self._newest, self._received, self.time_ms, held_ms, self._changes)

    def take_baseline_requests(self, now_s: float) -> list[int]:
        """Return the ids of movers with a missing baseline that is due for a request."""

        def is_over(since_s: float | None) -> bool:
            return since_s is None or now_s - since_s >= MOTION_PATIENCE_S

        lacking = (mover for mover in self.movers.values() if mover.lacks_since_s is not None)
        due = [mover for mover in lacking if is_over(mover.lacks_since_s) and is_over(mover.asked_s)][:MOTION_ASKED_MAX]
        for mover in due:
            mover.asked_s = now_s
        return [mover.id for mover in due]

    def take_refused(self) -> list[tuple[int, MoverRefusalReason]]:
        """Return the index and reason of each new refusal."""
        refused, self._refused = self._refused, []
        return [(each.index, each.reason) for each in refused]

    def _accept(self, frame: Frame, now_s: float) -> bool:
        if not self._received:
            self._newest = frame.sequence - 1 & 0xFFFF_FFFF
        lead = ahead(frame.sequence, self._newest)
        # A sequence ahead of all is new even if the set holds it: that entry is from before the numbers wrapped around.
        if lead <= -MOTION_WINDOW or (lead <= 0 and frame.sequence in self._recent_sequences):
            return False
        self._recent_sequences.add(frame.sequence)
        self._received = self._received + 1 & 0xFFFF_FFFF
        if lead > 0:
            self._newest, self.time_ms, self._newest_s = frame.sequence, frame.time_ms, now_s
            if len(self._recent_sequences) > 4 * MOTION_WINDOW:
                self._recent_sequences = {one for one in self._recent_sequences if ahead(one, self._newest) > -MOTION_WINDOW}
        return True

    def _handle_change(self, number: int, change: MoverLeft | MoverEntered, frame: Frame) -> None:
        if number != self._changes + 1:
            return
        self._changes = number
        match change:
            case MoverLeft(id_):
                if gone := self.movers.pop(id_, None):
                    self.on_left(gone)
            case MoverEntered():
                taken_ms = frame.time_ms - change.age_ms & 0xFFFF_FFFF
                baselines = {change.generation: change.pose}
                mover = self.movers[change.id] = ReplicaMover(change.id, change.kind, change.name, change.pose, taken_ms, baselines)
                self.on_entered(mover)

    def _handle_baseline(self, baseline: PoseBaseline, frame: Frame) -> None:
        mover = self.movers.get(baseline.id)
        if mover is None:
            return
        mover.lacks_since_s = mover.asked_s = None
        others = [(generation, pose) for generation, pose in mover.baselines.items() if generation != baseline.generation]
        mover.baselines = {**dict(others[-1:]), baseline.generation: baseline.pose}
        mover.move_to(baseline.pose, frame.time_ms - baseline.age_ms)

    def _handle_pose(self, update: PoseDelta, frame: Frame, now_s: float) -> None:
        mover = self.movers.get(update.id)
        if mover is None:
            return
        origin = mover.baselines.get(update.generation)
        if origin is None:
            if mover.lacks_since_s is None:
                mover.lacks_since_s = now_s
            return
        x, y, z = (_wrapped(at + by) for at, by in zip(origin.position, update.offset, strict=True))
        pose = PackedPose((x, y, z), origin.rotation if update.rotation is None else update.rotation)
        mover.move_to(pose, frame.time_ms - update.age_ms)


def _wrapped(number: int) -> int:
    return (number + 0x8000_0000 & 0xFFFF_FFFF) - 0x8000_0000


def _ignored(_mover: ReplicaMover) -> None:
    pass
