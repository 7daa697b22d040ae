# Generated from spec/limits.json by cargo xtask gen. Do not edit.
"""Limits that clients obey too."""

from __future__ import annotations

from typing import Final

PAYLOAD_BYTES_MAX: Final = 262_144
"""Payload of one scene message: a large mesh annotation or a long thickline fits; what is larger belongs into the file store. In bytes."""

JSON_DEPTH_MAX: Final = 64
"""Levels of a JSON payload, the envelope being the first: recursive loaders survive it, and no object type nests half as deep. In levels."""

TOPIC_BYTES_MAX: Final = 2_048
"""A topic or a filter: eight tokens, of which two are names and three are ids. In bytes."""

NAME_BYTES_MAX: Final = 64
"""A namespace's or a scene's name: it is a folder's name and a URL segment too. In bytes."""

OBJECT_ID_BYTES_MAX: Final = 256
"""An object's id: a token of a topic. In bytes."""

TYPE_BYTES_MAX: Final = 64
"""A message's type: a word, which each object keeps. In bytes."""

TOPIC_LEVELS_MAX: Final = 32
"""Levels of a topic or a filter: the longest of ours has nine, and each costs the realm a node of its tree of subscriptions. In levels."""

TTL_S_MAX: Final = 316_224_000.0
"""What an object may be given to live: ten years; a deadline beyond that is a mistake of units. In seconds."""

CHAT_BYTES_MAX: Final = 8_192
"""Text of one chat message: two screens. In bytes."""

DISPLAY_NAME_BYTES_MAX: Final = 64
"""The name by which a client wants to be shown: a sign above a head holds it. In bytes."""

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
"""How long after its end a grant still counts: clocks of two machines differ, and a message may have been on its way. In seconds."""

GUEST_OBJECT_BYTES_MAX: Final = 32_768
"""Attributes of an object that a guest makes or changes, as JSON: all that guests may store in a scene is then bounded to what a small disk and a snapshot bear. In bytes."""

GUEST_SESSIONS_MAX: Final = 4
"""Sessions of one guest, with and without a connection: a page, its worker, and a reload while the old ones linger. Each has an allowance of its own. In sessions."""

HOLDS_MAX: Final = 32
"""Objects that one person says to hold: who has chosen more works on the scene as a whole, and each camera message carries them. In objects."""

DESCENDANTS_MAX: Final = 10_000
"""Objects that a delete takes along. Source: arena-persist. In objects."""

DESCENDANT_DEPTH_MAX: Final = 64
"""Levels that a delete goes down. Source: arena-persist. In levels."""

TEMPLATE_OBJECTS_MAX: Final = 5_000
"""Objects that one template copies: large scenes have some thousands, and each copy is a message to everybody. In objects."""

TEMPLATE_BYTES_MAX: Final = 4_194_304
"""Attributes of all objects that one template copies: it finds room in every outbox. In bytes."""

RETURNED_BYTES_MAX: Final = 2_097_152
"""Attributes of all stored objects of a scene that one message returns (`getPersist`): larger scenes are read over HTTP. In bytes."""

FRAME_BYTES_MAX: Final = 1_150
"""A frame of the motion plane: with what WebTransport or netcode puts around it, a datagram stays below 1,200 bytes, which every way carries whole. In bytes."""

MOTION_EXTENT_M: Final = 1_000_000.0
"""How far from a scene's origin something can be on the motion plane: a thousand kilometres, in millimetres, fit into 31 bits. In metres."""

MOTION_NAME_BYTES_MAX: Final = 128
"""The name of something that moves: an idTag, or an object's id. Several fit into one frame. In bytes."""

MOTION_OWN_MAX: Final = 32
"""Objects that one client moves: a head, two hands, and a tracked stage; all fit into one frame with what else it says. In objects."""

MOTION_FRAMES_PER_S: Final = 200
"""Frames of one client in a second: headsets send 90, and as many again after a hitch. In frames."""

MOTION_FRAMES_BURST: Final = 400
"""Frames of one client at once: two seconds' worth, which a network may have held up. In frames."""

MOTION_APPEARANCES_PER_S: Final = 32
"""Objects of one client that come to be there in a second: each takes a short id, and is told to all others. In objects."""

MOTION_APPEARANCES_BURST: Final = 64
"""Objects of one client that come to be there at once: all that it may have, and again after it withdrew them. In objects."""

MOTION_CHANGES_MAX: Final = 131_072
"""Changes that one receiver may not know yet: all short ids have left, and all have entered. In changes."""

MOTION_WINDOW: Final = 1_024
"""Among so many sequences up to the newest it is told apart which have come: four seconds' at the highest rate. In frames."""

MOTION_MARKS_MAX: Final = 32
"""Marked frames of one client that wait until all have them: what is said at 90 Hz in the round trip of a way around the world. In frames."""

MOTION_MARK_LIFE_MS: Final = 2_000
"""After which a marked frame is forgotten that not all are known to have: whoever is so long behind has newer poses by then. In milliseconds."""

MOTION_ASKED_MAX: Final = 64
"""Baselines that one frame asks for, and that one client may be waiting for. In objects."""

MOTION_ID_REST_S: Final = 10
"""How long a short id rests before it may mean something else: a late frame must not move another. In seconds."""

MOTION_PERIOD_MS: Final = 50
"""Between two poses of people of 20 Hz, as the papers' clients and Stoa's send; a tick of the server is shorter. In milliseconds."""

MOTION_REPORT_MS: Final = 100
"""Between two frames of a client to which frames come, at most: the server's rate follows what they report. In milliseconds."""

MOTION_SILENCE_MS: Final = 5_000
"""A stay of which nothing is heard for so long is over: fifty reports, all lost. In milliseconds."""

MOTION_OPEN_TIMEOUT_MS: Final = 2_000
"""How long a client waits for WebTransport before it takes the WebSocket: four round trips of a bad line. In milliseconds."""

MOTION_RETRY_S: Final = 60
"""Between two attempts to get from the WebSocket to WebTransport: a network that blocks UDP seldom changes its mind. In seconds."""

MOTION_PROTOCOL_ID: Final = 54_070_977_983_603
"""netcode's number for this protocol: the bytes of stoa-1 in the order of its field. In number."""
