"""The transport over the real network, by httpx, aiomqtt and asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from typing import TYPE_CHECKING, Any

import aiomqtt
import httpx

from stoa._errors import InvalidError, refused_by_code
from stoa._limits import HTTP_S_MAX, KEEP_ALIVE_S
from stoa._mqtt import MqttConnection, ReasonCodeClient
from stoa._transport import ConnectionLostError, Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from stoa._transport import DatagramSocket, HttpRequest, MqttLogin, RealmAddress


class RealmNetworkTransport:
    """`stoa._transport.RealmTransport` by httpx, aiomqtt and asyncio. It ignores proxy settings of the environment."""

    async def request(self, address: RealmAddress, request: HttpRequest, /) -> Response:
        """Send an HTTP request."""
        headers = {} if request.bearer is None else {"Authorization": f"Bearer {request.bearer}"}
        try:
            async with httpx.AsyncClient(verify=_tls(address), timeout=HTTP_S_MAX, trust_env=False) as client:
                url = address.url + request.path
                answer = await client.request(request.method, url, headers=headers, json=request.body)
        except httpx.HTTPError as error:
            _check_certificate(address, error)
            raise ConnectionLostError(f"{address.url}: {error or type(error).__name__}") from error
        return Response(answer.status_code, answer.content)

    @contextlib.asynccontextmanager
    async def connect(self, address: RealmAddress, login: MqttLogin, /) -> AsyncGenerator[MqttConnection]:
        """Log in by MQTT 5."""
        client = _client(address, login)
        try:
            await client.__aenter__()
        except (aiomqtt.MqttError, ssl.SSLError) as error:
            _check_certificate(address, error)
            if client.refused_with is not None and client.refused_with[0] not in _PASSING:
                raise refused_by_code("MQTT login", *client.refused_with) from error
            raise ConnectionLostError(f"{address.url}: {error}") from error
        try:
            yield MqttConnection(client)
        finally:
            client.lose_answers()
            with contextlib.suppress(aiomqtt.MqttError):  # already disconnected
                await client.__aexit__(None, None, None)

    @contextlib.asynccontextmanager
    async def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None], /) -> AsyncGenerator[DatagramSocket]:
        """Open a UDP socket to `server`."""
        loop = asyncio.get_running_loop()
        try:
            socket, _ = await loop.create_datagram_endpoint(lambda: _DatagramReceiver(take), remote_addr=server)
        except OSError as error:
            raise ConnectionLostError(f"{server[0]}:{server[1]}: {error}") from error
        try:
            yield _UdpSocket(socket)
        finally:
            socket.close()


class _DatagramReceiver(asyncio.DatagramProtocol):
    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take = take

    def datagram_received(self, data: bytes, addr: tuple[str | Any, int]) -> None:  # noqa: ARG002  # asyncio's name
        self._take(data)


class _UdpSocket:
    def __init__(self, socket: asyncio.DatagramTransport) -> None:
        self._socket = socket

    def send(self, datagram: bytes, /) -> None:
        self._socket.sendto(datagram)


_PASSING = {0x88, 0x89, 0x8B, 0x97, 0x9F}
"""Temporary failures: unavailable, busy, shutting down, quota exceeded, connection rate exceeded."""


def _client(address: RealmAddress, login: MqttLogin) -> ReasonCodeClient:
    url = httpx.URL(address.url)
    options: dict[str, Any] = {
        "identifier": login.client_id,
        "username": login.username,
        "password": login.token,
        "keepalive": KEEP_ALIVE_S,
        "timeout": HTTP_S_MAX,
    }
    if address.mqtt_port is not None:
        return ReasonCodeClient(url.host, address.mqtt_port, tls_context=_tls(address), **options)
    secure = url.scheme == "https"
    port = url.port or (443 if secure else 80)
    tls = _tls(address) if secure else None
    # paho's own headers are wrong for an IPv6 address.
    authority = url.netloc.decode("ascii")
    headers = {"Host": authority, "Origin": f"{url.scheme}://{authority}"}
    options |= {"transport": "websockets", "websocket_path": login.path, "websocket_headers": headers}
    return ReasonCodeClient(url.host, port, tls_context=tls, **options)


def _check_certificate(address: RealmAddress, error: BaseException | None) -> None:
    """Raise `InvalidError` if the realm's certificate is not trusted, as a retry would not help."""
    while error is not None:
        if isinstance(error, ssl.SSLCertVerificationError):
            advice = "give ca_file, the realm's own authority: tls/ca.pem in its data folder"
            raise InvalidError(f"the certificate of {address.url}", f"{error.verify_message}; {advice}") from error
        error = error.__cause__ or error.__context__


def _tls(address: RealmAddress) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=address.ca_file)
    except OSError as error:
        raise InvalidError(f"the ca_file {str(address.ca_file)!r}", f"it can't be read ({error.strerror or error})") from error
