"""Reason codes of the MQTT client, against handwritten packets of MQTT 5 on the loopback."""

from __future__ import annotations

import asyncio
import struct
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import pytest

import stoa
from stoa._errors import refused_by_code
from stoa._mqtt import MqttConnection, ReasonCodeClient
from stoa._replica import Delivery
from stoa._transport import ConnectionLostError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

CONNECT, PUBLISH, SUBSCRIBE, DISCONNECT = 1, 3, 8, 14
Answer: TypeAlias = "Callable[[int, bytes], bytes]"


def text(value: str) -> bytes:
    return struct.pack("!H", len(value)) + value.encode()


def packet(head: int, body: bytes) -> bytes:
    assert len(body) < 128
    return bytes([head, len(body)]) + body


def connack(code: int = 0, words: str = "") -> bytes:
    properties = b"\x1f" + text(words) if words else b""
    return packet(0x20, bytes([0, code, len(properties)]) + properties)


def puback(body: bytes, code: int, words: str = "") -> bytes:
    topic_end = 2 + struct.unpack("!H", body[:2])[0]
    properties = b"\x1f" + text(words) if words else b""
    return packet(0x40, body[topic_end : topic_end + 2] + bytes([code, len(properties)]) + properties)


def suback(body: bytes, code: int) -> bytes:
    return packet(0x90, body[:2] + bytes([0, code]))


def publish(topic: str, payload: bytes, **user: str) -> bytes:
    properties = b"".join(b"\x26" + text(name.replace("_", "-")) + text(value) for name, value in user.items())
    return packet(0x30, text(topic) + bytes([len(properties)]) + properties + payload)


@asynccontextmanager
async def connected(answer: Answer) -> AsyncGenerator[MqttConnection]:
    """Connect to a server that answers each packet by `answer(kind, body)`. An empty answer closes the connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.read(1):
            length, shift = 0, 0
            while True:
                digit = (await reader.readexactly(1))[0]
                length, shift = length | (digit & 127) << shift, shift + 7
                if digit < 128:
                    break
            body = await reader.readexactly(length)
            reply = answer(head[0] >> 4, body)
            if not reply:
                break
            writer.write(reply)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        # The password is no secret.
        client = ReasonCodeClient(
            "127.0.0.1",
            port,
            identifier="c",
            username="alice",
            password="t",  # noqa: S106
            timeout=5,
        )
        try:
            await client.__aenter__()
        except Exception:
            if client.refused_with is not None:
                raise refused_by_code("MQTT login", *client.refused_with) from None
            raise
        try:
            yield MqttConnection(client)
        finally:
            client.lose_answers()
            await client.__aexit__(None, None, None)


def test_a_refusing_puback_raises_its_reason() -> None:
    def answer(kind: int, body: bytes) -> bytes:
        return {CONNECT: connack, PUBLISH: lambda: puback(body, 0x87, "wrong_identity")}.get(kind, bytes)()

    async def main() -> None:
        async with connected(answer) as connection:
            with pytest.raises(stoa.NotGrantedError, match="message on a/b was refused: wrong_identity"):
                await connection.publish("a/b", b"{}")

    asyncio.run(main())


def test_each_of_many_publishes_gets_the_result_of_its_own_puback() -> None:
    def answer(kind: int, body: bytes) -> bytes:
        code = 0x97 if body.endswith(b"7") else 0
        return {CONNECT: connack, PUBLISH: lambda: puback(body, code)}.get(kind, bytes)()

    async def main() -> None:
        async with connected(answer) as connection:
            calls = [connection.publish("a", str(number).encode()) for number in range(100)]
            results = await asyncio.gather(*calls, return_exceptions=True)
        assert [number for number, result in enumerate(results) if result is not None] == list(range(7, 100, 10))
        assert all(isinstance(result, stoa.NotStoredError) for result in results if result is not None)

    asyncio.run(main())


def test_a_refusing_connack_raises_its_reason() -> None:
    async def main() -> None:
        with pytest.raises(stoa.NotSignedInError, match="MQTT login was refused: token expired"):
            async with connected(lambda kind, _: connack(0x86, "token expired") if kind == CONNECT else b""):
                pass

    asyncio.run(main())


def test_a_refused_subscription_raises_an_error_with_its_filter() -> None:
    def answer(kind: int, body: bytes) -> bytes:
        return {CONNECT: connack, SUBSCRIBE: lambda: suback(body, 0x87)}.get(kind, bytes)()

    async def main() -> None:
        async with connected(answer) as connection:
            with pytest.raises(stoa.NotGrantedError, match="subscription to a/#"):
                await connection.subscribe(["a/#"])

    asyncio.run(main())


def test_deliveries_carry_epoch_and_revision_and_a_lost_connection_raises() -> None:
    def answer(kind: int, body: bytes) -> bytes:
        stamped = publish("a", b"1", stoa_epoch="7", stoa_revision="18446744073709551615")
        return {
            CONNECT: connack,
            SUBSCRIBE: lambda: suback(body, 0) + stamped + publish("b", b"2") + publish("c", b"3", stoa_epoch="x", stoa_revision="1"),
        }.get(kind, bytes)()

    async def main() -> None:
        async with connected(answer) as connection:
            await connection.subscribe(["#"])
            deliveries = connection.deliveries()
            assert [await anext(deliveries) for _ in range(3)] == [
                Delivery(topic="a", payload=b"1", epoch=7, revision=18446744073709551615),
                Delivery(topic="b", payload=b"2"),
                Delivery(topic="c", payload=b"3"),
            ]
            unanswered = asyncio.create_task(connection.publish("end", b""))
            with pytest.raises(ConnectionLostError):
                await anext(deliveries)
        with pytest.raises(ConnectionLostError):
            await unanswered

    asyncio.run(main())
