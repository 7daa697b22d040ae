"""A motion plane in memory: netcode's server side, and frames written by tests."""

from __future__ import annotations

import asyncio
import contextlib
from base64 import b64encode
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from stoa._motion_frame import Frame, FramePartKind, MoverKindByte
from stoa._motion_pose import PackedPose, pack_position, pack_rotation
from stoa._motion_uplink import FrameWriter
from stoa._netcode_packet import VERSION_INFO, ConnectionRequest, PacketKind, SealedPacket, associated_with, check_content, nonce_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from stoa._motion_frame import FrameEntry

PROTOCOL_ID = 7
KEYS = bytes(range(32)), bytes(range(32, 64))
CHALLENGE = bytes(308)


def pose(x: float) -> PackedPose:
    return PackedPose(pack_position((x, 0.0, 0.0)), pack_rotation((0.0, 0.0, 0.0, 1.0)))


def entered(number: int, id_: int, kind: MoverKindByte, name: str, x: float) -> bytes:
    head = b"\x01" + id_.to_bytes(2, "little") + bytes([kind, len(name)]) + name.encode()
    return number.to_bytes(4, "little") + head + bytes([0, 0]) + pose(x).to_bytes()


def left(number: int, id_: int) -> bytes:
    return number.to_bytes(4, "little") + b"\x00" + id_.to_bytes(2, "little")


def moved(id_: int, by_mm: int) -> bytes:
    return id_.to_bytes(2, "little") + bytes([0, 2]) + by_mm.to_bytes(2, "little") + bytes(4)


@dataclass
class ScriptedPlane:
    """Accepts each client. Tests set its faults."""

    answers: bool = True
    offers_netcode: bool = True
    servers: tuple[str, ...] = ("127.0.0.1",)
    shut: frozenset[str] = frozenset()
    """Servers that send a challenge and accept no client."""
    sealed: list[int] = field(default_factory=list[int])
    """Sequences of the encrypted packets received."""
    tickets: list[str] = field(default_factory=list[str])
    frames: list[Frame] = field(default_factory=list[Frame])
    farewells: int = 0
    _server: str = ""
    _take: Callable[[bytes], None] | None = None
    _sequence: int = 0
    _frame: int = 0
    _time_ms: int = 0
    _is_in: asyncio.Event = field(default_factory=asyncio.Event)

    def ticket(self, id_tag: str) -> dict[str, object]:
        self.tickets.append(id_tag)
        places = [b"\x01" + bytes(map(int, server.split("."))) + (8_444).to_bytes(2, "little") for server in self.servers]
        servers = len(places).to_bytes(4, "little") + b"".join(places)
        head = VERSION_INFO + PROTOCOL_ID.to_bytes(8, "little") + (1).to_bytes(8, "little") + (11).to_bytes(8, "little")
        token = head + bytes(24) + bytes(1_024) + (5).to_bytes(4, "little") + servers + KEYS[0] + KEYS[1]
        netcode = {"token": b64encode(token.ljust(2_048, b"\0")).decode()} if self.offers_netcode else None
        return {"id_tag": id_tag, "user_client": f"{id_tag}_py", "expires_s": 10, "netcode": netcode}

    @contextlib.asynccontextmanager
    async def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None], /) -> AsyncGenerator[ScriptedPlane]:
        self._server, port = server
        assert self._server in self.servers
        assert port == 8_444
        self._take, self._sequence, self._frame, self._time_ms = take, 0, 0, 0
        self._is_in.clear()
        yield self
        self._take = None

    async def is_in(self) -> None:
        await self._is_in.wait()

    def said(self, kind: type[FrameEntry]) -> list[FrameEntry]:
        """Return the entries of a kind in the newest frame that has any."""
        for frame in reversed(self.frames):
            if found := [said for said in frame.entries if isinstance(said, kind)]:
                return found
        return []

    def send(self, datagram: bytes, /) -> None:
        packet = SealedPacket.parse(datagram)
        if not self.answers:
            return None
        if isinstance(packet, ConnectionRequest):
            assert packet.protocol_id == PROTOCOL_ID
            return self._answer(PacketKind.CHALLENGE, CHALLENGE)
        content = ChaCha20Poly1305(KEYS[0]).decrypt(nonce_of(packet.sequence), packet.sealed, associated_with(PROTOCOL_ID, packet.prefix))
        check_content(packet.kind, content)
        self.sealed.append(packet.sequence)
        if self._server in self.shut:
            return None
        match packet.kind:
            case PacketKind.RESPONSE:
                assert content == CHALLENGE
                self._is_in.set()
                self._answer(PacketKind.KEEP_ALIVE, bytes(8))
            case PacketKind.PAYLOAD:
                self.frames.append(Frame.parse(content))
            case PacketKind.DISCONNECT:
                self.farewells += 1
            case _:
                pass
        return None

    def tell(self, *parts: tuple[FramePartKind, bytes]) -> None:
        """Send a frame."""
        self._frame += 1
        self._time_ms += 50
        writer = FrameWriter(self._frame, self._time_ms)
        for kind, entry in parts:
            writer.put(kind, entry)
        self._answer(PacketKind.PAYLOAD, writer.to_bytes())

    def skip(self, frames: int) -> None:
        """Skip this many frame sequences."""
        self._frame = self._frame + frames & 0xFFFF_FFFF

    def end(self) -> None:
        """End the connection."""
        self._answer(PacketKind.DISCONNECT, b"")

    def _answer(self, kind: PacketKind, content: bytes) -> None:
        assert self._take is not None
        packet = SealedPacket.numbered(kind, self._sequence)
        self._sequence += 1
        sealed = ChaCha20Poly1305(KEYS[1]).encrypt(nonce_of(packet.sequence), content, associated_with(PROTOCOL_ID, packet.prefix))
        asyncio.get_running_loop().call_soon(self._take, packet.to_bytes() + sealed)
