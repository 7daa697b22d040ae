"""Every number that bounds something, with its reason."""

from __future__ import annotations

from typing import Final

PAYLOAD_BYTES_MAX: Final = 256 * 1024
"""What the realm takes in one message (`crates/wire/src/limits.rs`)."""

JSON_DEPTH_MAX: Final = 64
"""Objects and arrays within each other, the envelope counted (`crates/wire/src/limits.rs`)."""

SNAPSHOT_DEPTH_MAX: Final = JSON_DEPTH_MAX + 3
"""A snapshot holds payloads in a message in a list in an object."""

OBJECT_ID_BYTES_MAX: Final = 256
"""An id is a token of a topic (spec/topics.md section 2)."""

CHAT_BYTES_MAX: Final = 8 * 1024
"""The text of one chat message (`crates/wire/src/limits.rs`)."""

TTL_S_MAX: Final = 10.0 * 366.0 * 86_400.0
"""Ten years (`crates/wire/src/limits.rs`)."""

FILTER_BYTES_MAX: Final = 65_535
"""A string of MQTT has a length of two bytes."""

NAME_BYTES_MAX: Final = 64
"""A namespace's or a scene's name (spec/topics.md section 1)."""

DESCENDANTS_MAX: Final = 10_000
"""What one delete takes along (arena-persist's number)."""

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
