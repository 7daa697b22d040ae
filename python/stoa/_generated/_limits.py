# Generated from spec/limits.json by cargo xtask gen. Do not edit.
"""Limits that clients obey too."""

from __future__ import annotations

from typing import Final

PAYLOAD_BYTES_MAX: Final = 262_144
"""Payload of one scene message: a large mesh annotation or a long thickline fits. Larger content belongs in the file store. In bytes."""

JSON_KEYS_MAX: Final = 4_096
"""Keys of a JSON payload at all levels. A face of 68 points has 300; each key costs the realm a microsecond or less. In keys."""

JSON_VALUES_MAX: Final = 32_768
"""Values in the arrays of a JSON payload at all levels. A mesh that fills a payload with coordinates has some 30,000; they take the realm two milliseconds. In values."""

JSON_DEPTH_MAX: Final = 64
"""Levels of a JSON payload, counting the envelope: recursive loaders survive it, and no object type nests half as deep. In levels."""

TOPIC_BYTES_MAX: Final = 2_048
"""A topic or a filter: eight tokens, of which two are names and three are ids. In bytes."""

NAME_BYTES_MAX: Final = 64
"""A namespace's or a scene's name: it is a folder's name and a URL segment too. In bytes."""

OBJECT_ID_BYTES_MAX: Final = 256
"""An object's id: a token of a topic. In bytes."""

TYPE_BYTES_MAX: Final = 64
"""A message's type: one word, which each object keeps. In bytes."""

TOPIC_LEVELS_MAX: Final = 32
"""Levels of a topic or a filter: Stoa's longest has nine, and each costs a node in the subscription tree. In levels."""

TTL_S_MAX: Final = 316_224_000.0
"""The longest lifetime of an object: ten years. A longer one is a mistake of units. In seconds."""

CHAT_BYTES_MAX: Final = 8_192
"""Text of one chat message: two screens. In bytes."""

DISPLAY_NAME_BYTES_MAX: Final = 64
"""A client's display name: it fits on a sign above a head. In bytes."""

ACCOUNT_NAME_BYTES_MAX: Final = 64
"""An account's name is a namespace: one segment of a topic and of a path. In bytes."""

PASSWORD_BYTES_MIN: Final = 8
"""Shorter passwords are guessed. In bytes."""

PASSWORD_BYTES_MAX: Final = 1_024
"""Longer passwords would only cost time to hash. In bytes."""

PACKET_FILTERS_MAX: Final = 64
"""Filters in one SUBSCRIBE or UNSUBSCRIBE: clients of scenes send one or two. In filters."""

USER_PROPERTIES_MAX: Final = 32
"""User properties of one message: each costs two allocations at decoding. In properties."""

GRANT_LEEWAY_S: Final = 2
"""How long a grant still counts after its end: clocks of two machines differ, and a message may have been on its way. In seconds."""

GUEST_MESSAGE_BYTES_MAX: Final = 36_864
"""Payload of a guest's message on o and c: the largest object of a guest in its envelope. In bytes."""

GUEST_OBJECT_BYTES_MAX: Final = 32_768
"""Attributes of an object that a guest creates or changes, as JSON. It bounds what all guests together store in a scene to the size that a small disk and a snapshot can hold. In bytes."""

GUEST_SESSIONS_MAX: Final = 4
"""Sessions of one guest, with and without a connection: a page, its worker, and a reload while the old ones linger. Each has an allowance of its own. In sessions."""

HOLDS_MAX: Final = 32
"""Objects that one person holds at once: each camera message carries their ids. Larger selections are work on a whole scene, not on objects in a hand. In objects."""

DESCENDANTS_MAX: Final = 10_000
"""Objects that one delete removes with their parent. Source: arena-persist. In objects."""

DESCENDANT_DEPTH_MAX: Final = 64
"""Levels below the deleted object that one delete removes. Source: arena-persist. In levels."""

TEMPLATE_OBJECTS_MAX: Final = 5_000
"""Objects that one template copies: large scenes have some thousands, and each copy is a message to everyone in the scene. In objects."""

TEMPLATE_BYTES_MAX: Final = 4_194_304
"""Attributes of all objects that one template copies: each receiver's outbox must hold them. In bytes."""

RETURNED_BYTES_MAX: Final = 2_097_152
"""Attributes of all stored objects of a scene that one message returns (`getPersist`): larger scenes are read over HTTP. In bytes."""

FRAME_BYTES_MAX: Final = 1_150
"""A frame of the motion plane: with the headers of WebTransport or netcode, a datagram stays below 1,200 bytes, which every network path carries. In bytes."""

MOTION_EXTENT_M: Final = 1_000_000.0
"""The largest distance of a moving object from its scene's origin: a thousand kilometres in millimetres fit into 31 bits. In metres."""

MOTION_NAME_BYTES_MAX: Final = 128
"""The name of a moving object: an idTag, or an object's id. Several fit into one frame. In bytes."""

MOTION_OWN_MAX: Final = 32
"""Objects that one client moves: a head, two hands and a tracked stage. All fit into one frame with its other entries. In objects."""

MOTION_FRAMES_PER_S: Final = 200
"""Frames of one client in a second: headsets send 90, and as many again after a hitch. In frames."""

MOTION_FRAMES_BURST: Final = 400
"""Frames of one client at once: two seconds' worth, which a network may have delayed. In frames."""

MOTION_APPEARANCES_PER_S: Final = 32
"""Moving objects that one client adds in a second: each takes a short id, and every receiver learns of it. In objects."""

MOTION_APPEARANCES_BURST: Final = 64
"""Moving objects that one client adds at once: its maximum, and the same again after it withdrew them. In objects."""

MOTION_CHANGES_MAX: Final = 131_072
"""Changes that one receiver has not acknowledged: all short ids left, and all were assigned again. In changes."""

MOTION_WINDOW: Final = 1_024
"""Sequence numbers below the newest for which a receiver remembers what arrived: four seconds at the highest rate. In frames."""

MOTION_MARKS_MAX: Final = 32
"""Marked frames of one client that wait for all receivers: as many as it sends at 90 Hz in a round trip around the world. In frames."""

MOTION_MARK_LIFE_MS: Final = 2_000
"""Lifetime of a marked frame that some receivers have not acknowledged: a receiver so far behind has newer poses by then. In milliseconds."""

MOTION_ASKED_MAX: Final = 64
"""Baselines that one frame requests, and that one client may be waiting for. In objects."""

MOTION_ID_REST_S: Final = 10
"""How long a released short id stays unused: a late frame must not move another object. In seconds."""

UNIT_PAYLOAD_BYTES_MAX: Final = 900
"""Payload of one unit of a flow: it fits into a frame with its flow's declaration. A unit of a voice at 32 kbit/s has at most 148 bytes. In bytes."""

FLOWS_MAX: Final = 4
"""Media flows of one client: a voice, and later a camera and a screen. In flows."""

VOICES_MAX: Final = 16
"""Voices that one client is sent at once: more are not told apart, and so many fit into two frames. In voices."""

FLOW_BEAT_MS: Final = 200
"""Longest time between two frames to a client that hears voices: it notices an interruption after five. In milliseconds."""

FLOW_SILENCE_MS: Final = 1_000
"""Time without a frame after which a client that hears voices opens another transport. In milliseconds."""

VOICE_BYTES_PER_S: Final = 24_000
"""Voice frames of one client in a second: 50 of the largest units, each repeated twice. In bytes."""

VOICE_BYTES_BURST: Final = 24_000
"""Voice frames of one client at once: a second's worth, which a network may have delayed. In bytes."""

VOICE_FRAME_BYTES_MIN: Final = 100
"""What a voice frame counts at least: its handling costs as much as so many bytes. In bytes."""

MOTION_PERIOD_MS: Final = 50
"""Time between two poses of a person, 20 Hz: the rate of the papers' clients and of Stoa's. A tick of the server is shorter. In milliseconds."""

MOTION_REPORT_MS: Final = 100
"""Longest time between two frames of a client that receives frames: the server's rate follows these reports. In milliseconds."""

MOTION_SILENCE_MS: Final = 5_000
"""A motion session without a frame for so long has ended: fifty reports in a row were lost. In milliseconds."""

MOTION_OPEN_TIMEOUT_MS: Final = 2_000
"""How long a client waits for WebTransport before it takes the WebSocket: four round trips of a bad line. In milliseconds."""

MOTION_RETRY_S: Final = 60
"""Time between two attempts to change from the WebSocket to WebTransport: a network that blocks UDP rarely changes. In seconds."""

MOTION_PROTOCOL_ID: Final = 54_070_977_983_603
"""netcode's number for this protocol: the bytes of stoa-1 in the order of its field. In number."""
