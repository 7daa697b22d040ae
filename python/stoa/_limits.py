"""The package's limits with their reasons. The realm's own limits are generated from `spec/limits.json`."""

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
"""A snapshot nests each payload three levels deep: in a message in a list in an object."""

STREAM_ITEMS_MAX: Final = 1_024
"""Unread items of one stream: some minutes of clicks. Beyond it the oldest is dropped and counted in `dropped`."""

DELIVERIES_MAX: Final = 16_384
"""Messages waiting to be applied: about a second at full load. A loss beyond it is a gap, which a snapshot fills."""

IN_FLIGHT_MAX: Final = 256
"""Unacknowledged changes. Further changes wait before they are sent."""

ANSWER_S_MAX: Final = 30.0
"""Timeout of a change's acknowledgement, including reconnections: a realm restarts within seconds."""

ECHO_S_MAX: Final = 2.0
"""How long an acknowledged change waits for its message in the stream. The realm skips superseded messages."""

HTTP_S_MAX: Final = 10.0
"""Timeout of an HTTP request. The largest response is a snapshot of thousands of objects."""

KEEP_ALIVE_S: Final = 20
"""MQTT keep-alive. A dead connection is detected after at most 1.5 times this."""

RETRY_S_MIN: Final = 0.25
"""Pause before reconnecting after a lost connection."""

RETRY_S_MAX: Final = 5.0
"""Longest pause. Pauses double up to it. A random factor of 0.5 to 1 spreads the clients of a restarted realm."""

SNAPSHOT_PAUSE_S: Final = 2.0
"""Shortest time between two snapshots of a scene.

Gaps in the stream request snapshots, also the harmless gaps of other people's private objects.
"""

MOTION_PATIENCE_S: Final = 0.1
"""A missing baseline is requested after this time, two periods of poses, and again after the same time."""

NETCODE_SEND_S: Final = 0.1
"""Interval of connection requests and keep-alives. Source: netcode 1.02."""

MOTION_RESTING_S: Final = 1.0
"""Shortest time for which a resting pose is sent again: ten reports, of which one is expected to arrive."""

MOTION_REFUSED_S: Final = 2.0
"""Time from a refusal to the next attempt of a move. The realm repeats a refusal at most once a second."""

MOTION_NAMES_KEPT_MAX: Final = 1_024
"""Remembered names of withdrawn and refused movers. They distinguish a second withdrawal from a typo."""

MOTION_REPORT_S: Final = MOTION_REPORT_MS / 1_000
"""Longest time between two sent frames, in seconds."""

MOTION_BEAT_S: Final = MOTION_REPORT_S / 4
"""Interval of polling for frames to send: a quarter of a report, in seconds."""

MOTION_OPEN_S_MAX: Final = MOTION_OPEN_TIMEOUT_MS / 1_000
"""Timeout of connecting to one server of the motion plane, in seconds."""

MOTION_ENTER_S_MAX: Final = 10.0
"""Timeout of entering the motion plane: a ticket and some attempts."""
