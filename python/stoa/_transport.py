"""The seam to the network: what a realm's client needs of it. Tests put a script in its place."""

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
class Address:
    """Where a realm is, and how to know that it is this one."""

    url: str
    """`https://host:port`, without a path."""
    ca_file: Path | None = None
    """The realm's certificate authority; None: those of the system."""
    mqtt_port: int | None = None
    """MQTT over TLS on this port; None: MQTT over WebSocket at the URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """An HTTP request. `bearer` is a token of the realm."""

    method: str
    path: str
    bearer: str | None = field(default=None, repr=False)
    body: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class Response:
    """An HTTP answer."""

    status: int
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Login:
    """An MQTT 5 login."""

    client_id: str
    username: str
    token: str = field(repr=False)
    path: str = "/mqtt/"


class ConnectionLostError(Exception):
    """The connection ended, or could not be made. Stays inside the package: it is made again."""


class Connection(Protocol):
    """An open MQTT 5 connection."""

    async def subscribe(self, filters: Sequence[str]) -> None:
        """Return when the realm agreed to all of `filters`. Raises `RefusedError`, `ConnectionLostError`."""
        ...

    async def publish(self, topic: str, payload: bytes) -> None:
        """Publish with QoS 1 and return with its acknowledgement. Raises `RefusedError`, `ConnectionLostError`."""
        ...

    def deliveries(self) -> AsyncIterator[Delivery]:
        """What comes in. Raises `ConnectionLostError` at the end."""
        ...


class Datagrams(Protocol):
    """An open way for datagrams."""

    def send(self, datagram: bytes, /) -> None:
        """Send it, or lose it."""
        ...


class Transport(Protocol):
    """HTTP requests, MQTT connections and datagrams to one realm."""

    async def request(self, address: Address, request: Request, /) -> Response:
        """Ask by HTTP. Raises `ConnectionLostError`."""
        ...

    def connect(self, address: Address, login: Login, /) -> AbstractAsyncContextManager[Connection]:
        """Log in by MQTT. Raises `RefusedError`, `ConnectionLostError` when entered."""
        ...

    def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None], /) -> AbstractAsyncContextManager[Datagrams]:
        """Send and receive datagrams by UDP. Raises `ConnectionLostError` when entered."""
        ...
