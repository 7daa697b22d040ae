"""Unmodified third-party clients use standard MQTT on topics outside of every scene."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import ssl
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import aiomqtt
import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Server

pytestmark = pytest.mark.realm
WAIT_S = 30.0
ROOT = Path(__file__).parents[2]
USER = "workshop"
VERSIONS = [MQTTProtocolVersion.MQTTv311, MQTTProtocolVersion.MQTTv5]
EXPIRY_S = 600
Way = Literal["tcp", "tls", "wss"]
WAYS: list[Way] = ["tcp", "tls", "wss"]


class Broker:
    """A realm's address, user and token for third-party clients."""

    def __init__(self, server: Server) -> None:
        ports = json.loads((server.folder / "run" / "ports.json").read_text("utf-8"))
        self.port, self.tls_port, self.https_port = (int(ports[door].rpartition(":")[2]) for door in ("mqtt", "mqtts", "https"))
        self.ca_file = str(server.folder / "tls" / "ca.pem")
        self.websocket = f"ws://{ports['http']}/mqtt"
        command = [os.environ["STOA_BIN"], "token", "--data", server.folder, "--user", USER, "--publish", "#", "--subscribe", "#"]
        # The command is the binary under test.
        self.token = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603

    def run(self, *command: str | Path) -> str:
        """Run a program to its successful end and return its output."""
        # The commands are the known clients of these tests.
        ended = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=False)  # noqa: S603
        assert ended.returncode == 0, f"{command[0]}: {ended.stdout}{ended.stderr}"
        return ended.stdout


@pytest.fixture
def broker(server: Server) -> Broker:
    return Broker(server)


def lasting() -> Properties:
    """Return CONNECT properties of a session that outlives its connection, in MQTT 5."""
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = EXPIRY_S
    return properties


class Paho:
    """paho-mqtt with a queue of its callbacks."""

    def __init__(self, broker: Broker, name: str, version: MQTTProtocolVersion, *, lasts: bool = False, way: Way = "tcp") -> None:
        v5 = version == MQTTProtocolVersion.MQTTv5
        options: dict[str, Any] = {} if v5 else {"clean_session": not lasts}
        options |= {"transport": "websockets"} if way == "wss" else {}
        self.client = paho.Client(CallbackAPIVersion.VERSION2, name, protocol=version, **options)
        self.client.username_pw_set(USER, broker.token)
        self.events: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.client.on_connect = lambda _client, _data, flags, reason, _properties: self._note(
            "connected", (flags.session_present, str(reason))
        )
        self.client.on_subscribe = lambda _client, _data, _id, _reasons, _properties: self._note("subscribed", None)
        self.client.on_message = lambda _client, _data, message: self._note("message", message)
        self.client.on_disconnect = lambda _client, _data, _flags, reason, _properties: self._note("disconnected", str(reason))
        self._connect: dict[str, Any] = {"clean_start": not lasts, "properties": lasting() if lasts else None} if v5 else {}
        self._port = {"tcp": broker.port, "tls": broker.tls_port, "wss": broker.https_port}[way]
        if way != "tcp":
            context = ssl.create_default_context(cafile=broker.ca_file)
            self.client.tls_set_context(context)  # pyright: ignore[reportUnknownMemberType]
        if way == "wss":
            self.client.ws_set_options("/mqtt")

    def _note(self, kind: str, value: object) -> None:
        self.events.put((kind, value))

    def next(self, kind: str) -> Any:  # noqa: ANN401  # the arguments of paho's callbacks
        while True:
            found, value = self.events.get(timeout=WAIT_S)
            if found == kind:
                return value

    def connect(self) -> bool:
        """Connect and return whether the server resumed the session."""
        self.client.connect("localhost", self._port, **self._connect)
        self.client.loop_start()
        present, reason = self.next("connected")
        assert reason == "Success"
        return present

    def subscribe(self, topic: str, qos: int) -> None:
        self.client.subscribe(topic, qos)
        self.next("subscribed")

    def publish(self, topic: str, payload: str, qos: int, *, retain: bool = False) -> None:
        self.client.publish(topic, payload, qos, retain).wait_for_publish(WAIT_S)

    def message(self) -> tuple[str, str, int, bool]:
        message = self.next("message")
        return message.topic, message.payload.decode(), message.qos, message.retain

    def disconnect(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def cut(self) -> None:
        """Close the socket without a DISCONNECT."""
        socket = self.client.socket()
        assert socket is not None
        self.client.loop_stop()
        socket.close()


@pytest.fixture(params=VERSIONS, ids=["3.1.1", "5"])
def version(request: pytest.FixtureRequest) -> MQTTProtocolVersion:
    return request.param


@pytest.fixture
def ada(broker: Broker, version: MQTTProtocolVersion) -> Iterator[Paho]:
    client = Paho(broker, "ada", version)
    client.connect()
    yield client
    client.disconnect()


def test_paho_publishes_at_every_qos_and_receives_retained_messages(ada: Paho) -> None:
    for qos in range(3):
        ada.publish("plain/kept", f"kept {qos}", qos, retain=True)
    ada.subscribe("plain/#", 2)
    assert ada.message() == ("plain/kept", "kept 2", 2, True)
    for qos in range(3):
        ada.publish("plain/said", f"said {qos}", qos)
    assert [ada.message() for _ in range(3)] == [("plain/said", f"said {qos}", qos, False) for qos in range(3)]
    ada.publish("plain/kept", "", 1, retain=True)
    assert ada.message()[1] == ""


def test_paho_resumes_its_session_and_receives_queued_messages(broker: Broker, ada: Paho, version: MQTTProtocolVersion) -> None:
    first = Paho(broker, "bo", version, lasts=True)
    assert not first.connect()
    first.subscribe("plain/+", 2)
    first.disconnect()
    for qos in (1, 2):
        ada.publish("plain/said", f"said {qos}", qos)
    bo = Paho(broker, "bo", version, lasts=True)
    assert bo.connect()
    assert [bo.message() for _ in range(2)] == [("plain/said", f"said {qos}", qos, False) for qos in (1, 2)]
    bo.disconnect()


@pytest.mark.parametrize("way", WAYS)
def test_paho_publishes_and_subscribes_over_every_transport(broker: Broker, version: MQTTProtocolVersion, way: Way) -> None:
    ada = Paho(broker, "ada", version, way=way)
    ada.connect()
    ada.subscribe("plain/#", 2)
    for qos in range(3):
        ada.publish("plain/said", f"said {qos}", qos)
    assert [ada.message() for _ in range(3)] == [("plain/said", f"said {qos}", qos, False) for qos in range(3)]
    ada.disconnect()


def test_paho_clients_of_a_shared_subscription_receive_in_turn(broker: Broker, ada: Paho, version: MQTTProtocolVersion) -> None:
    members = [Paho(broker, name, version) for name in ("bo", "cy")]
    for member in members:
        member.connect()
        member.subscribe("$share/crew/plain/work", 1)
    for number in range(4):
        ada.publish("plain/work", str(number), 1)
    assert [sorted(member.message()[1] for _ in range(2)) for member in members] in ([["0", "2"], ["1", "3"]], [["1", "3"], ["0", "2"]])
    for member in members:
        member.disconnect()


def test_the_will_is_published_when_paho_closes_its_socket_without_disconnect(
    broker: Broker, ada: Paho, version: MQTTProtocolVersion
) -> None:
    ada.subscribe("plain/#", 1)
    bo = Paho(broker, "bo", version)
    bo.client.will_set("plain/will", "gone", 1)
    bo.connect()
    bo.cut()
    assert ada.message() == ("plain/will", "gone", 1, False)


def test_acknowledged_mqtt_state_survives_a_kill_of_the_server(server: Server, version: MQTTProtocolVersion) -> None:
    broker = Broker(server)
    bo, ada = Paho(broker, "bo", version, lasts=True), Paho(broker, "ada", version)
    bo.connect()
    bo.subscribe("plain/+", 2)
    bo.disconnect()
    ada.connect()
    ada.publish("kept/1", "cleared", 1, retain=True)
    ada.publish("kept/1", "", 1, retain=True)
    ada.publish("kept/2", "kept", 1, retain=True)
    for qos in (1, 2):
        ada.publish("plain/said", f"said {qos}", qos)
    ada.cut()
    server.kill()
    server.start()
    broker = Broker(server)
    bo, ada = Paho(broker, "bo", version, lasts=True), Paho(broker, "ada", version)
    assert bo.connect(), "the session is there"
    assert [bo.message() for _ in range(2)] == [("plain/said", f"said {qos}", qos, False) for qos in (1, 2)]
    ada.connect()
    ada.subscribe("kept/#", 1)
    assert ada.message() == ("kept/2", "kept", 1, True)
    ada.publish("plain/said", "again", 1)
    assert bo.message()[1] == "again", "and its subscription"
    for client in (bo, ada):
        client.disconnect()


def test_a_stopping_server_sends_its_reason_in_a_disconnect_packet(server: Server) -> None:
    ada = Paho(Broker(server), "ada", MQTTProtocolVersion.MQTTv5)
    ada.connect()
    ada.client.reconnect_delay_set(60)
    server.stop()
    assert ada.next("disconnected") == "Server shutting down"
    ada.disconnect()


@pytest.mark.parametrize("protocol", [aiomqtt.ProtocolVersion.V311, aiomqtt.ProtocolVersion.V5], ids=["3.1.1", "5"])
def test_aiomqtt_publishes_and_receives_at_every_qos(broker: Broker, protocol: aiomqtt.ProtocolVersion) -> None:
    async def main() -> None:
        client = aiomqtt.Client("127.0.0.1", broker.port, username=USER, password=broker.token, protocol=protocol)
        async with asyncio.timeout(WAIT_S), client:
            await client.subscribe("plain/#", 2)
            for qos in range(3):
                await client.publish("plain/said", f"said {qos}", qos)
            heard = [await anext(client.messages) for _ in range(3)]
            assert [(each.payload, each.qos) for each in heard] == [(f"said {qos}".encode(), qos) for qos in range(3)]

    asyncio.run(main())


def test_aiomqtt_and_the_mosquitto_clients_exchange_messages_over_tls(broker: Broker) -> None:
    async def main() -> None:
        context = ssl.create_default_context(cafile=broker.ca_file)
        client = aiomqtt.Client("localhost", broker.tls_port, username=USER, password=broker.token, tls_context=context)
        async with asyncio.timeout(WAIT_S), client:
            await client.publish("plain/kept", "kept", 1, retain=True)

    asyncio.run(main())
    common = ["-h", "localhost", "-p", str(broker.tls_port), "--cafile", broker.ca_file, "-u", USER, "-P", broker.token]
    broker.run("mosquitto_pub", *common, "-t", "plain/also", "-m", "also", "-q", "2", "-r")
    heard = broker.run("mosquitto_sub", *common, "-t", "plain/#", "-C", "2", "-W", str(int(WAIT_S)), "-F", "%t %p")
    assert sorted(heard.splitlines()) == ["plain/also also", "plain/kept kept"]


@pytest.mark.parametrize("protocol", ["mqttv311", "mqttv5"])
def test_the_mosquitto_clients_resume_a_session_and_receive_queued_messages(
    broker: Broker, protocol: Literal["mqttv311", "mqttv5"]
) -> None:
    common = ["-h", "127.0.0.1", "-p", str(broker.port), "-u", USER, "-P", broker.token, "-V", protocol]
    lasting = [
        "-i",
        "ada",
        "-q",
        "2",
        "-t",
        "plain/#",
        "-W",
        str(int(WAIT_S)),
        "-c",
        *(["-x", str(EXPIRY_S)] if protocol == "mqttv5" else []),
    ]
    broker.run("mosquitto_sub", *common, *lasting, "-E")
    broker.run("mosquitto_pub", *common, "-t", "plain/kept", "-m", "kept", "-q", "1", "-r")
    for qos in ("1", "2"):
        broker.run("mosquitto_pub", *common, "-t", "plain/said", "-m", f"said {qos}", "-q", qos)
    heard = broker.run("mosquitto_sub", *common, *lasting, "-C", "4", "-F", "%t %p %q").splitlines()
    assert [line for line in heard if "said" in line] == ["plain/said said 1 1", "plain/said said 2 2"]
    assert "plain/kept kept 1" in heard


@pytest.mark.parametrize(
    ("client", "way"),
    [
        ("mqtt.js 4", "ws"),
        ("mqtt.js 5", "ws"),
        ("paho", "ws"),
        ("mqtt.js 5", "tcp"),
        ("mqtt.js 5", "tls"),
        ("mqtt.js 5", "wss"),
        ("paho", "wss"),
    ],
)
def test_javascript_clients_use_every_qos_and_resume_their_session(
    broker: Broker, client: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = {
        "ws": broker.websocket,
        "tcp": f"mqtt://localhost:{broker.port}",
        "tls": f"mqtts://localhost:{broker.tls_port}",
        "wss": f"wss://localhost:{broker.https_port}/mqtt",
    }
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", broker.ca_file)
    printed = broker.run("node", ROOT / "interop" / "mqtt_clients.mjs", *client.split(), "--", urls[way], USER, broker.token)
    assert printed.splitlines() == [
        "plain/kept kept 2 retained",
        "plain/said said 0",
        "plain/said said 1",
        "plain/said said 2",
        "back: plain/said meanwhile 1",
    ]
