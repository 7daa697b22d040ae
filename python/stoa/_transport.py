"""The interface between a realm's client and the network. Tests implement it by a script."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from stoa._json import JsonObject
    from stoa._replica import Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class RealmAddress:
    """A realm's address, and the authority of its certificate."""

    url: str
    """`https://host:port`, without a path."""
    ca_file: Path | None = None
    """The realm's certificate authority; None trusts the system's."""
    mqtt_port: int | None = None
    """The port of MQTT over TLS; None uses MQTT over WebSocket at the URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """An HTTP request. `bearer` is a token of the realm."""

    method: str
    path: str
    bearer: str | None = field(default=None, repr=False)
    body: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP response."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttLogin:
    """An MQTT 5 login."""

    client_id: str
    username: str
    token: str = field(repr=False)
    path: str = "/mqtt/"


class ConnectionLostError(Exception):
    """The connection ended or failed to open. Internal: the client reconnects."""


class Connection(Protocol):
    """An open MQTT 5 connection."""

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Subscribe to `filters` and wait for the SUBACK. Raises `RefusedError`, `ConnectionLostError`."""
        ...

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish with QoS 1 and wait for the acknowledgement. Raises `RefusedError`, `ConnectionLostError`."""
        ...

    def deliveries(self) -> AsyncIterator[Delivery]:
        """Iterate over incoming messages. Raises `ConnectionLostError` at the end."""
        ...


class DatagramSocket(Protocol):
    """An open UDP socket."""

    def send(self, datagram: bytes, /) -> None:
        """Send a datagram, without a guarantee of delivery."""
        ...


class RealmTransport(Protocol):
    """HTTP requests, MQTT connections and datagrams to one realm."""

    async def request(self, address: RealmAddress, request: HttpRequest, /) -> Response:
        """Send an HTTP request. Raises `ConnectionLostError`."""
        ...

    def connect(self, address: RealmAddress, login: MqttLogin, /) -> AbstractAsyncContextManager[Connection]:
        """Log in by MQTT. Raises `RefusedError`, `ConnectionLostError` when entered."""
        ...

    def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None], /) -> AbstractAsyncContextManager[DatagramSocket]:
        """Open a UDP socket to `server`; `take` gets each datagram. Raises `ConnectionLostError` when entered."""
        ...
