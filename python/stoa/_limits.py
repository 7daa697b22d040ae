"""Every number that bounds something, with its reason. What the realm demands comes from `spec/limits.json`."""

from __future__ import annotations

from typing import Final

from stoa._generated._limits import (
    CHAT_BYTES_MAX,
    DESCENDANT_DEPTH_MAX,
    DESCENDANTS_MAX,
    FRAME_BYTES_MAX,
    JSON_DEPTH_MAX,
    MOTION_ASKED_MAX,
    MOTION_EXTENT_M,
    MOTION_NAME_BYTES_MAX,
    MOTION_OPEN_TIMEOUT_MS,
    MOTION_OWN_MAX,
    MOTION_REPORT_MS,
    MOTION_WINDOW,
    NAME_BYTES_MAX,
    OBJECT_ID_BYTES_MAX,
    PAYLOAD_BYTES_MAX,
    TTL_S_MAX,
    TYPE_BYTES_MAX,
)

__all__ = [
    "CHAT_BYTES_MAX",
    "DESCENDANTS_MAX",
    "DESCENDANT_DEPTH_MAX",
    "FRAME_BYTES_MAX",
    "JSON_DEPTH_MAX",
    "MOTION_ASKED_MAX",
    "MOTION_EXTENT_M",
    "MOTION_NAME_BYTES_MAX",
    "MOTION_OWN_MAX",
    "MOTION_WINDOW",
    "NAME_BYTES_MAX",
    "OBJECT_ID_BYTES_MAX",
    "PAYLOAD_BYTES_MAX",
    "TTL_S_MAX",
    "TYPE_BYTES_MAX",
]

SNAPSHOT_DEPTH_MAX: Final = JSON_DEPTH_MAX + 3
"""A snapshot holds payloads in a message in a list in an object."""

STREAM_ITEMS_MAX: Final = 1_024
"""What one reader of events may leave unread: some minutes of clicks. The oldest goes first, and `dropped` counts it."""

DELIVERIES_MAX: Final = 16_384
"""Messages waiting to be applied: about a second at full load. What is lost beyond it shows as a gap, and a snapshot mends it."""

IN_FLIGHT_MAX: Final = 256
"""Changes sent and not yet acknowledged; further ones wait."""

ANSWER_S_MAX: Final = 30.0
"""How long a change waits for its acknowledgement, a reconnection counted: a realm restarts within seconds."""

ECHO_S_MAX: Final = 2.0
"""How long an acknowledged change waits to be seen in the stream, which may leave it out for something newer."""

HTTP_S_MAX: Final = 10.0
"""How long an HTTP request may take; the largest is a snapshot of thousands of objects."""

KEEP_ALIVE_S: Final = 20
"""A silent connection is noticed after at most one and a half of these."""

RETRY_S_MIN: Final = 0.25
"""First pause before connecting again."""

RETRY_S_MAX: Final = 5.0
"""Longest pause: it doubles up to here, so that a realm that comes back is not met by everybody at once."""

SNAPSHOT_PAUSE_S: Final = 2.0
"""Least time between two snapshots of a scene whose stream has gaps: private objects of others leave harmless ones."""

MOTION_PATIENCE_S: Final = 0.1
"""A baseline that is lacking is asked for after this, and again after as long: two ticks."""

NETCODE_SEND_S: Final = 0.1
"""Between two packets of netcode where nothing else is said. Source: netcode 1.02."""

MOTION_RESTING_S: Final = 1.0
"""For how long a pose that rests is said again: ten reports, of which one comes."""

MOTION_REFUSED_S: Final = 2.0
"""After the realm let nobody move something, or somebody else, the next move tries again after this: it says so once a second at most."""

MOTION_NAMES_KEPT_MAX: Final = 1_024
"""Names of things that are moved no more, by which a second withdrawal is told from a slip of the pen: half a minute of new ones."""

MOTION_REPORT_S: Final = MOTION_REPORT_MS / 1_000
"""Between two frames of ours, at most, in seconds."""

MOTION_BEAT_S: Final = MOTION_REPORT_S / 4
"""Between two looks at what is to be said: a quarter of a report."""

MOTION_OPEN_S_MAX: Final = MOTION_OPEN_TIMEOUT_MS / 1_000
"""How long one server of the motion plane is waited for, in seconds."""

MOTION_ENTER_S_MAX: Final = 10.0
"""How long coming in may take: a ticket, and some attempts."""
