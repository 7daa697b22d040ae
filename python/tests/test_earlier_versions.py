"""The current server opens the data folders of earlier versions and keeps everything in them."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import aiomqtt
import httpx
import pytest
from conftest import Server
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

FOLDER_0_1_0 = Path(__file__).parent / "data-0.1.0"
KEY_ID = "cKHKNnpk6PPb7IY6ugf67ydCW_eWiU-nBWSHKLbt1pQ"
PASSWORD = "correct horse battery"  # noqa: S105  # of the fixture's accounts

PATIENCE_S = 20.0

pytestmark = pytest.mark.realm


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Start a server on a copy of the folder."""
    # The fixture's history is older than the default retention.
    monkeypatch.setenv("STOA_HISTORY_DAYS", "36500")
    folder = tmp_path / "stoa-data"
    shutil.copytree(FOLDER_0_1_0, folder)
    postpone(folder / "realm.sqlite")
    server = Server(Path(os.environ["STOA_BIN"]).resolve(), folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def postpone(database: Path) -> None:
    """Move the deadlines in a copy of the folder into the future, as the original ones have passed."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE sessions SET expires_s = unixepoch() + 3600")
        connection.execute("UPDATE invitations SET ends_s = unixepoch() + 3600")


def ports(server: Server) -> dict[str, Any]:
    return json.loads((server.folder / "run" / "ports.json").read_text("utf-8"))


def token(server: Server, *arguments: str) -> str:
    command = [os.environ["STOA_BIN"], "token", "--data", str(server.folder), *arguments]
    # The command is the binary under test.
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


@contextmanager
def signed_in(server: Server, username: str) -> Generator[httpx.Client]:
    base = f"http://{ports(server)['http']}"
    with httpx.Client(base_url=base, headers={"Origin": base}, timeout=30) as client:
        client.post("/api/v1/login", json={"username": username, "password": PASSWORD}).raise_for_status()
        yield client


def got(client: httpx.Client, path: str) -> Any:  # noqa: ANN401  # JSON
    return client.get(path).raise_for_status().json()


def test_scenes_objects_history_and_files_of_0_1_0_are_kept(opened: Server) -> None:
    with signed_in(opened, "alice") as alice:
        scenes = {f"{scene['namespace']}/{scene['scene']}": scene for scene in got(alice, "/api/v1/scenes")}
        assert set(scenes) == {"alice/hall", "alice/studio", "bob/loft", "public/lobby", "public/sandbox"}
        assert scenes["alice/studio"]["people_max"] == 12
        assert scenes["public/lobby"]["picture"]
        bearer = {"Authorization": f"Bearer {token(opened, '--user', 'alice', '--scene', 'alice/studio')}"}
        snapshot = alice.get("/api/v1/scenes/alice/studio/snapshot", headers=bearer).raise_for_status().json()
        objects = {message["payload"]["object_id"]: message["payload"]["data"] for message in snapshot["messages"]}
        assert set(objects) == {"desk", "lamp", "model", "sign", "start"}
        assert objects["desk"]["material"] == {"color": "#ff0000"}
        assert objects["lamp"]["parent"] == "desk"
        assert objects["sign"]["value"] == "Grüße"
        entries = got(alice, "/api/v1/scenes/alice/studio/history")["entries"]
        assert [(entry["action"], entry["object_id"]) for entry in entries][:2] == [("delete", "gone"), ("create", "gone")]
        assert len(entries) == 8
        model = alice.get("/store/users/alice/scenes/studio/empty.glb").raise_for_status()
        assert (model.content[:4], len(model.content)) == (b"glTF", 88)


def test_accounts_invitations_and_bans_of_0_1_0_are_kept(opened: Server) -> None:
    with signed_in(opened, "alice") as alice, signed_in(opened, "bob"), signed_in(opened, "carla"):
        assert got(alice, "/api/v1/me")["owner"]
        assert {account["username"] for account in got(alice, "/api/v1/accounts")} == {"alice", "bob", "carla"}
        moderation = got(alice, "/api/v1/scenes/alice/hall/moderation")
        assert moderation["locked"]
        assert [(ban["kind"], ban["shown"], ban["by"]) for ban in moderation["bars"]] == [("out", "Mallory", "alice")]
        invitation = got(alice, "/api/v1/scenes/alice/studio/invitations")[0]
        assert (invitation["role"], invitation["uses"], invitation["uses_max"]) == ("editor", 1, 5)
        assert got(alice, "/.well-known/jwks.json")["keys"][0]["kid"] == KEY_ID
        wrong = alice.post("/api/v1/login", json={"username": "alice", "password": "guessed"})
        assert wrong.status_code == httpx.codes.UNAUTHORIZED, "negative control: passwords are still checked"


def test_mqtt_sessions_and_retained_messages_of_0_1_0_are_kept(opened: Server) -> None:
    asyncio.run(asyncio.wait_for(receive_kept_messages(opened), PATIENCE_S))


async def receive_kept_messages(opened: Server) -> None:
    rights = ("--publish", "realm/d/device/#", "--subscribe", "realm/d/device/#")
    password = token(opened, "--user", "device", *rights)
    host, port = ports(opened)["mqtt"].rsplit(":", 1)
    properties = Properties(PacketTypes.CONNECT)
    properties.SessionExpiryInterval = 3_600
    async with aiomqtt.Client(
        host,
        int(port),
        username="device",
        password=password,
        identifier="device-sleeper",
        protocol=aiomqtt.ProtocolVersion.V5,
        clean_start=False,
        properties=properties,
    ) as client:
        queued = await anext(client.messages)
        assert (str(queued.topic), queued.payload) == ("realm/d/device/orders", b"turn left")
        await client.subscribe("realm/d/device/status", qos=1)
        retained = await anext(client.messages)
        assert (retained.payload, retained.retain) == (b"ready", True)
