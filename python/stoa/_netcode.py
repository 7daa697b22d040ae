"""The client's side of netcode 1.02, without a socket or a clock. Source: the standard of that name, and spec/wire.md section 7."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING, Final, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from stoa._limits import NETCODE_SEND_S

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION_INFO: Final = b"NETCODE 1.02\0"
TOKEN_BYTES: Final = 2_048
PAYLOAD_BYTES_MAX: Final = 1_200
TAG_BYTES: Final = 16
WINDOW: Final = 256
"""Packets that may come late; older ones are taken for copies."""

Address: TypeAlias = tuple[str, int]


class TokenError(ValueError):
    """The connect token is none."""


class PacketKind(IntEnum):
    """What a packet is."""

    REQUEST = 0
    DENIED = 1
    CHALLENGE = 2
    RESPONSE = 3
    KEEP_ALIVE = 4
    PAYLOAD = 5
    DISCONNECT = 6


@dataclass(frozen=True, slots=True)
class ConnectToken:
    """What a realm hands out for one stay."""

    protocol_id: int
    expires_at: int
    nonce: bytes
    private: bytes
    timeout_s: int
    servers: tuple[Address, ...]
    client_to_server: bytes
    server_to_client: bytes

    @classmethod
    def parse(cls, token: bytes) -> ConnectToken:
        """Errors: `TokenError`."""
        if len(token) != TOKEN_BYTES:
            raise TokenError(f"a token of {len(token)} bytes, not {TOKEN_BYTES}")
        if token[:13] != VERSION_INFO:
            raise TokenError("a token of another version than netcode 1.02")
        protocol_id, _created_at, expires_at = (int.from_bytes(token[at : at + 8], "little") for at in (13, 21, 29))
        nonce, private = token[37:61], token[61:1_085]
        timeout_s = int.from_bytes(token[1_085:1_089], "little", signed=True)
        servers, at = _servers(token, 1_089)
        return cls(protocol_id, expires_at, nonce, private, timeout_s, servers, token[at : at + 32], token[at + 32 : at + 64])


def _servers(token: bytes, at: int) -> tuple[tuple[Address, ...], int]:
    count = int.from_bytes(token[at : at + 4], "little")
    at += 4
    if not 1 <= count <= 32:  # noqa: PLR2004 - the standard's
        raise TokenError(f"{count} servers in a token; 1 to 32 may be")
    servers: list[Address] = []
    for _ in range(count):
        match token[at]:
            case 1:
                host, length = str(IPv4Address(token[at + 1 : at + 5])), 4
            case 2:
                words = token[at + 1 : at + 17]
                host = str(IPv6Address(b"".join(words[place : place + 2][::-1] for place in range(0, 16, 2))))
                length = 16
            case kind:
                raise TokenError(f"a server's address of kind {kind}, which is none")
        at += 1 + length
        servers.append((host, int.from_bytes(token[at : at + 2], "little")))
        at += 2
    return tuple(servers), at


class NetcodeClient:
    """One stay. `now_s` is the time by any clock that goes evenly."""

    def __init__(self, token: ConnectToken, now_s: float) -> None:
        self._token = token
        self._seals = ChaCha20Poly1305(token.client_to_server)
        self._opens = ChaCha20Poly1305(token.server_to_client)
        self._sequence = 0
        self._newest = -1
        self._came: set[int] = set()
        self._challenge: bytes | None = None
        self._heard_s = now_s
        self._sent_s = -NETCODE_SEND_S
        self.is_in = False
        """The realm has let it in."""
        self.ended: str | None = None
        """Why it is over, in words."""

    def handle(self, datagram: bytes, now_s: float) -> bytes | None:
        """Take a datagram; the payload where it brought one."""
        if self.ended is not None or len(datagram) < 2 + TAG_BYTES:
            return None
        kind, count = datagram[0] & 0x0F, datagram[0] >> 4
        if not 1 <= count <= 8 or kind in {PacketKind.REQUEST, PacketKind.RESPONSE} or kind > PacketKind.DISCONNECT:  # noqa: PLR2004
            return None
        sequence = int.from_bytes(datagram[1 : 1 + count], "little")
        is_guarded = kind in {PacketKind.KEEP_ALIVE, PacketKind.PAYLOAD, PacketKind.DISCONNECT}
        if is_guarded and (sequence <= self._newest - WINDOW or sequence in self._came):
            return None
        try:
            content = self._opens.decrypt(_nonce(sequence), datagram[1 + count :], self._associated(datagram[0]))
        except InvalidTag:
            return None
        self._heard_s = now_s
        if is_guarded:
            self._came.add(sequence)
            self._newest = max(self._newest, sequence)
            if len(self._came) > 4 * WINDOW:
                self._came = {one for one in self._came if one > self._newest - WINDOW}
        return self._handle_content(PacketKind(kind), content)

    def _handle_content(self, kind: PacketKind, content: bytes) -> bytes | None:
        match kind:
            case PacketKind.DENIED if not self.is_in:
                self.ended = "the realm lets nobody in by this ticket"
            case PacketKind.CHALLENGE if not self.is_in and len(content) == 308:  # noqa: PLR2004
                if self._challenge is None:
                    self._sent_s = -NETCODE_SEND_S  # its answer is due at once
                self._challenge = content
            case PacketKind.KEEP_ALIVE if self._challenge is not None:
                self.is_in = True
            case PacketKind.PAYLOAD if self.is_in:
                return content
            case PacketKind.DISCONNECT if self.is_in:
                self.ended = "the realm ended the stay"
            case _:
                pass
        return None

    def seal(self, payload: bytes, now_s: float) -> bytes:
        """Give the datagram that carries it, 1 to 1,200 bytes."""
        if not 1 <= len(payload) <= PAYLOAD_BYTES_MAX:
            raise ValueError(f"a payload of {len(payload)} bytes; 1 to {PAYLOAD_BYTES_MAX} may be")
        self._sent_s = now_s
        return self._sealed(PacketKind.PAYLOAD, payload)

    def poll(self, now_s: float) -> bytes | None:
        """Give the datagram that is due now, if any: until it is in ten times a second, then where it said nothing else."""
        if self.ended is None and 0 < self._token.timeout_s <= now_s - self._heard_s:
            self.ended = f"the realm was not heard for {self._token.timeout_s} s"
        if self.ended is not None or now_s - self._sent_s < NETCODE_SEND_S:
            return None
        self._sent_s = now_s
        if self.is_in:
            return self._sealed(PacketKind.KEEP_ALIVE, bytes(8))
        if self._challenge is not None:
            return self._sealed(PacketKind.RESPONSE, self._challenge)
        token = self._token
        protocol_id, expires_at = token.protocol_id.to_bytes(8, "little"), token.expires_at.to_bytes(8, "little")
        return b"\0" + VERSION_INFO + protocol_id + expires_at + token.nonce + token.private

    def farewell(self) -> Iterator[bytes]:
        """Give the datagrams that say it goes: ten, for any may be lost."""
        if self.is_in and self.ended is None:
            self.ended = "it was closed"
            for _ in range(10):
                yield self._sealed(PacketKind.DISCONNECT, b"")

    def _sealed(self, kind: PacketKind, content: bytes) -> bytes:
        sequence, self._sequence = self._sequence, self._sequence + 1
        count = max((sequence.bit_length() + 7) // 8, 1)
        prefix = kind | count << 4
        sealed = self._seals.encrypt(_nonce(sequence), content, self._associated(prefix))
        return bytes([prefix]) + sequence.to_bytes(count, "little") + sealed

    def _associated(self, prefix: int) -> bytes:
        return VERSION_INFO + self._token.protocol_id.to_bytes(8, "little") + bytes([prefix])


def _nonce(sequence: int) -> bytes:
    return bytes(4) + sequence.to_bytes(8, "little")
