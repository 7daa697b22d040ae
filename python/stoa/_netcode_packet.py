"""Packet and token layouts of netcode 1.02, without the encryption.

Source: the netcode 1.02 standard and spec/wire.md section 7.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from ipaddress import IPv4Address, IPv6Address
from typing import Final, TypeAlias

VERSION_INFO: Final = b"NETCODE 1.02\0"
TOKEN_BYTES: Final = 2_048
REQUEST_BYTES: Final = 1_078
PAYLOAD_BYTES_MAX: Final = 1_200
TAG_BYTES: Final = 16
CHALLENGE_BYTES: Final = 308
SERVERS_MAX: Final = 32
SEQUENCE_BYTES_MAX: Final = 8

Address: TypeAlias = tuple[str, int]


class PacketError(ValueError):
    """Invalid packet, content or token. The message is the reason that the vectors name."""


class PacketKind(IntEnum):
    """The type in the lower four bits of a packet's prefix byte."""

    REQUEST = 0
    DENIED = 1
    CHALLENGE = 2
    RESPONSE = 3
    KEEP_ALIVE = 4
    PAYLOAD = 5
    DISCONNECT = 6


@dataclass(frozen=True, slots=True)
class ConnectionRequest:
    """The connection request, the one unencrypted packet."""

    protocol_id: int
    expires_at: int
    nonce: bytes
    sealed: bytes

    @classmethod
    def parse(cls, data: bytes) -> ConnectionRequest:
        """Errors: `PacketError`."""
        if len(data) != REQUEST_BYTES:
            raise PacketError("request length")
        if data[1:14] != VERSION_INFO:
            raise PacketError("version")
        return cls(_number(data, 14, 8), _number(data, 22, 8), data[30:54], data[54:])

    def to_bytes(self) -> bytes:
        """Encode 1,078 bytes."""
        numbers = self.protocol_id.to_bytes(8, "little") + self.expires_at.to_bytes(8, "little")
        return b"\0" + VERSION_INFO + numbers + self.nonce + self.sealed


@dataclass(frozen=True, slots=True)
class SealedPacket:
    """An encrypted packet."""

    prefix: int
    sequence: int
    sealed: bytes

    @property
    def kind(self) -> PacketKind:
        """The packet's type."""
        return PacketKind(self.prefix & 0x0F)

    @classmethod
    def parse(cls, data: bytes) -> SealedPacket | ConnectionRequest:
        """Errors: `PacketError`."""
        if not data:
            raise PacketError("too short")
        prefix = data[0]
        if prefix == PacketKind.REQUEST:
            return ConnectionRequest.parse(data)
        kind, count = prefix & 0x0F, prefix >> 4
        if kind == PacketKind.REQUEST or kind > PacketKind.DISCONNECT:
            raise PacketError("kind")
        if not 1 <= count <= SEQUENCE_BYTES_MAX:
            raise PacketError("sequence bytes")
        if len(data) < 1 + count + TAG_BYTES:
            raise PacketError("too short")
        return cls(prefix, _number(data, 1, count), data[1 + count :])

    @classmethod
    def numbered(cls, kind: PacketKind, sequence: int, sealed: bytes = b"") -> SealedPacket:
        """Make a packet with the shortest encoding of its sequence."""
        count = max((sequence.bit_length() + 7) // 8, 1)
        return cls(kind | count << 4, sequence, sealed)

    def to_bytes(self) -> bytes:
        """Return the datagram."""
        return bytes([self.prefix]) + self.sequence.to_bytes(self.prefix >> 4, "little") + self.sealed


_LENGTHS: Final = {
    PacketKind.DENIED: range(1),
    PacketKind.CHALLENGE: range(CHALLENGE_BYTES, CHALLENGE_BYTES + 1),
    PacketKind.RESPONSE: range(CHALLENGE_BYTES, CHALLENGE_BYTES + 1),
    PacketKind.KEEP_ALIVE: range(8, 9),
    PacketKind.PAYLOAD: range(1, PAYLOAD_BYTES_MAX + 1),
    PacketKind.DISCONNECT: range(1),
}


def check_content(kind: PacketKind, plain: bytes) -> None:
    """Check the length of decrypted content. Errors: `PacketError`."""
    if len(plain) not in _LENGTHS.get(kind, range(0)):
        raise PacketError("content length")


def nonce_of(sequence: int) -> bytes:
    """Return the 12-byte nonce of a packet's sequence."""
    return bytes(4) + sequence.to_bytes(8, "little")


def associated_with(protocol_id: int, prefix: int) -> bytes:
    """Return the associated data of a packet's encryption."""
    return VERSION_INFO + protocol_id.to_bytes(8, "little") + bytes([prefix])


@dataclass(frozen=True, slots=True)
class ConnectToken:
    """The realm's token for one connection, with its encryption keys."""

    protocol_id: int
    created_at: int
    expires_at: int
    nonce: bytes
    sealed: bytes
    timeout_s: int
    servers: tuple[Address, ...]
    client_to_server: bytes
    server_to_client: bytes

    @classmethod
    def parse(cls, token: bytes) -> ConnectToken:
        """Errors: `PacketError`."""
        if len(token) != TOKEN_BYTES:
            raise PacketError("length")
        if token[:13] != VERSION_INFO:
            raise PacketError("version")
        protocol_id, created_at, expires_at = (_number(token, at, 8) for at in (13, 21, 29))
        if expires_at < created_at:
            raise PacketError("times")
        timeout_s = int.from_bytes(token[1_085:1_089], "little", signed=True)
        servers, at = _servers(token, 1_089)
        keys = token[at : at + 32], token[at + 32 : at + 64]
        return cls(protocol_id, created_at, expires_at, token[37:61], token[61:1_085], timeout_s, servers, *keys)

    @property
    def request(self) -> ConnectionRequest:
        """The connection request of this token."""
        return ConnectionRequest(self.protocol_id, self.expires_at, self.nonce, self.sealed)


def _servers(token: bytes, at: int) -> tuple[tuple[Address, ...], int]:
    count = _number(token, at, 4)
    at += 4
    if not 1 <= count <= SERVERS_MAX:
        raise PacketError("servers")
    servers: list[Address] = []
    for _ in range(count):
        match token[at]:
            case 1:
                host, length = str(IPv4Address(token[at + 1 : at + 5])), 4
            case 2:
                words = token[at + 1 : at + 17]
                host = str(IPv6Address(b"".join(words[place : place + 2][::-1] for place in range(0, 16, 2))))
                length = 16
            case _:
                raise PacketError("address kind")
        at += 1 + length
        servers.append((host, _number(token, at, 2)))
        at += 2
    return tuple(servers), at


def _number(data: bytes, at: int, count: int) -> int:
    return int.from_bytes(data[at : at + count], "little")
