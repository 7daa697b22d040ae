"""People who speak and people who listen in a room of LiveKit. Started by `stoa-lab voice`.

Usage: `python livekit_people.py URL KEY SECRET SPEAKERS LISTENERS BITS_PER_S`. Prints `in N` when the N-th person has
entered, and `ready` when each listener has all voices. Then, for each line of input, it prints what all listeners have
received so far as one JSON object: `tracks` (pairs of a listener and a speaker), `packets`, `lost`, and the `bytes` of
the packets' payloads.
"""

import asyncio
import json
import sys
import time

import jwt
import numpy as np
from livekit import rtc

URL, KEY, SECRET = sys.argv[1:4]
SPEAKERS, LISTENERS, BITS_PER_S = (int(word) for word in sys.argv[4:7])

RATE_HZ = 48_000
ROOM = "hall"
TOKEN_TTL_S = 86_400
# A speaker gives so much sound at once. LiveKit cuts it into packets of 20 ms and sends them when they are due.
PIECE_S = 0.5
QUEUE_MS = 2_000


def token(person: int) -> str:
    """Sign a token that admits a person to the room."""
    grant = {"roomJoin": True, "room": ROOM, "canPublish": person < SPEAKERS, "canSubscribe": person >= SPEAKERS}
    now = int(time.time())
    claims = {"iss": KEY, "sub": f"p{person:04}", "nbf": now - 60, "exp": now + TOKEN_TTL_S, "video": grant}
    return jwt.encode(claims, SECRET, algorithm="HS256")


async def enter(person: int) -> rtc.Room:
    """Enter the room. Speakers hear nobody, and listeners subscribe to all."""
    room = rtc.Room()
    # A port without a server: without an address, clients ask public servers for theirs.
    rtc_config = rtc.RtcConfiguration(ice_servers=[rtc.IceServer(urls=["stun:127.0.0.1:9"])])
    options = rtc.RoomOptions(auto_subscribe=person >= SPEAKERS, single_peer_connection=False, rtc_config=rtc_config)
    await room.connect(URL, token(person), options)
    print("in", person + 1, flush=True)
    return room


async def publish(room: rtc.Room) -> rtc.AudioSource:
    """Publish a voice that sends a packet each 20 ms, with silence too, and each packet once."""
    source = rtc.AudioSource(RATE_HZ, 1, queue_size_ms=QUEUE_MS)
    track = rtc.LocalAudioTrack.create_audio_track("voice", source)
    options = rtc.TrackPublishOptions(dtx=False, red=False, source=rtc.TrackSource.SOURCE_MICROPHONE)
    options.audio_encoding.max_bitrate = BITS_PER_S
    await room.local_participant.publish_track(track, options)
    return source


async def speak(source: rtc.AudioSource, seed: int) -> None:
    """Speak until cancelled: noise, whose packets all have about the same size."""
    samples = int(PIECE_S * RATE_HZ)
    noise = np.random.default_rng(seed).normal(0, 3_000, samples).astype(np.int16)
    frame = rtc.AudioFrame(noise.tobytes(), RATE_HZ, 1, samples)
    while True:
        await source.capture_frame(frame)


async def received(listeners: list[rtc.Room]) -> dict[str, int]:
    """Sum what all listeners have received."""
    total = {"tracks": 0, "packets": 0, "lost": 0, "bytes": 0}
    for room in listeners:
        stats = await room.get_rtc_stats()
        for one in stats.subscriber_stats:
            if one.HasField("inbound_rtp"):
                counts = one.inbound_rtp
                total["tracks"] += 1
                total["packets"] += counts.received.packets_received
                total["lost"] += counts.received.packets_lost
                total["bytes"] += counts.inbound.bytes_received
    return total


async def main() -> None:
    """Enter, speak and listen until killed, or until the input ends."""
    speakers = [await enter(person) for person in range(SPEAKERS)]
    _speaking = [asyncio.create_task(speak(await publish(room), seed)) for seed, room in enumerate(speakers)]
    listeners = [await enter(SPEAKERS + listener) for listener in range(LISTENERS)]
    while (await received(listeners))["tracks"] < SPEAKERS * LISTENERS:
        await asyncio.sleep(0.1)
    print("ready", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await received(listeners)), flush=True)


asyncio.run(main())
