"""Client of netcode 1.02, without socket or clock. Source: the netcode 1.02 standard and spec/wire.md section 7."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from stoa._limits import NETCODE_SEND_S
from stoa._netcode_packet import PacketError, PacketKind, SealedPacket, associated_with, check_content, nonce_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from stoa._netcode_packet import ConnectToken

WINDOW: Final = 256
"""Size of the replay window in packets. Older packets are dropped as replays."""

_FROM_CLIENTS: Final = {PacketKind.REQUEST, PacketKind.RESPONSE}
_REPLAY_PROTECTED: Final = {PacketKind.KEEP_ALIVE, PacketKind.PAYLOAD, PacketKind.DISCONNECT}


class NetcodeClient:
    """One connection. `now_s` is the time of any monotonic clock.

    Another connection by the same token must continue with the previous `sequence`: the token's keys are the same, and
    the sequence is the nonce.
    """

    def __init__(self, token: ConnectToken, now_s: float, *, sequence: int = 0) -> None:
        self._token = token
        self._seals = ChaCha20Poly1305(token.client_to_server)
        self._opens = ChaCha20Poly1305(token.server_to_client)
        self.sequence = sequence
        """Sequence number of the next packet."""
        self._newest = -1
        self._recent_sequences: set[int] = set()
        self._challenge: bytes | None = None
        self._heard_s = now_s
        self._sent_s = -NETCODE_SEND_S
        self.is_in = False
        """The realm has accepted the connection."""
        self.ended: str | None = None
        """The reason of the connection's end, None while it lives."""

    @property
    def expects_answer(self) -> bool:
        """Whether the client is answering a challenge."""
        return self._challenge is not None and not self.is_in

    def handle(self, datagram: bytes, now_s: float) -> bytes | None:
        """Handle a datagram and return its payload, if any."""
        if self.ended is not None:
            return None
        try:
            packet = SealedPacket.parse(datagram)
            if not isinstance(packet, SealedPacket) or packet.kind in _FROM_CLIENTS or self._is_replay(packet):
                return None
            associated = associated_with(self._token.protocol_id, packet.prefix)
            content = self._opens.decrypt(nonce_of(packet.sequence), packet.sealed, associated)
            check_content(packet.kind, content)
        except (InvalidTag, PacketError):
            return None
        self._heard_s = now_s
        if packet.kind in _REPLAY_PROTECTED:
            self._recent_sequences.add(packet.sequence)
            self._newest = max(self._newest, packet.sequence)
            if len(self._recent_sequences) > 4 * WINDOW:
                self._recent_sequences = {one for one in self._recent_sequences if one > self._newest - WINDOW}
        return self._handle_content(packet.kind, content)

    def _is_replay(self, packet: SealedPacket) -> bool:
        is_old = packet.sequence <= self._newest - WINDOW
        return packet.kind in _REPLAY_PROTECTED and (is_old or packet.sequence in self._recent_sequences)

    def _handle_content(self, kind: PacketKind, content: bytes) -> bytes | None:
        match kind:
            case PacketKind.DENIED if not self.is_in:
                self.ended = "the realm denied the connection"
            case PacketKind.CHALLENGE if not self.is_in:
                if self._challenge is None:
                    self._sent_s = -NETCODE_SEND_S  # respond at the next poll
                self._challenge = content
            case PacketKind.KEEP_ALIVE if self._challenge is not None:
                self.is_in = True
            case PacketKind.PAYLOAD if self.is_in:
                return content
            case PacketKind.DISCONNECT if self.is_in:
                self.ended = "the realm ended the connection"
            case _:
                pass
        return None

    def seal(self, payload: bytes, now_s: float) -> bytes:
        """Encrypt a payload of 1 to 1,200 bytes into a datagram. Errors: `PacketError`."""
        check_content(PacketKind.PAYLOAD, payload)
        self._sent_s = now_s
        return self._sealed(PacketKind.PAYLOAD, payload)

    def poll(self, now_s: float) -> bytes | None:
        """Return a datagram if one is due.

        Ten times a second it is a request or a response; once connected, a keep-alive if 0.1 s pass without a packet.
        """
        if self.ended is None and 0 < self._token.timeout_s <= now_s - self._heard_s:
            self.ended = f"the realm was silent for {self._token.timeout_s} s"
        if self.ended is not None or now_s - self._sent_s < NETCODE_SEND_S:
            return None
        self._sent_s = now_s
        if self.is_in:
            return self._sealed(PacketKind.KEEP_ALIVE, bytes(8))
        if self._challenge is not None:
            return self._sealed(PacketKind.RESPONSE, self._challenge)
        return self._token.request.to_bytes()

    def farewell(self) -> Iterator[bytes]:
        """End the connection and return its disconnect packets: ten, as packets get lost."""
        if self.is_in and self.ended is None:
            self.ended = "the client closed the connection"
            for _ in range(10):
                yield self._sealed(PacketKind.DISCONNECT, b"")

    def _sealed(self, kind: PacketKind, content: bytes) -> bytes:
        sequence, self.sequence = self.sequence, self.sequence + 1
        packet = SealedPacket.numbered(kind, sequence)
        associated = associated_with(self._token.protocol_id, packet.prefix)
        return packet.to_bytes() + self._seals.encrypt(nonce_of(sequence), content, associated)
