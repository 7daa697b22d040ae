"""Unmodified arena-py 1.6.0 signs in by the file of `stoa google-credentials`, without a token in its environment."""

from __future__ import annotations

import json
import os
import ssl
import struct
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest

if TYPE_CHECKING:
    from conftest import Server

pytestmark = pytest.mark.realm
PROGRAM = Path(__file__).parents[2] / "interop" / "arena_google.py"
TEST_S_MAX = 60.0


def ports(server: Server) -> tuple[str, str]:
    """Return the addresses of HTTPS and of MQTT over TLS in arena-py's form."""
    found = json.loads((server.folder / "run" / "ports.json").read_text("utf-8"))
    https, mqtts = (found[name].rsplit(":", 1)[1] for name in ("https", "mqtts"))
    return f"localhost:{https}", mqtts


def stoa(server: Server, *words: str) -> str:
    """Run a command of `stoa` and return its output."""
    command = [os.environ["STOA_BIN"], *words, "--data", str(server.folder)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=TEST_S_MAX).stdout  # noqa: S603


DESCRIPTION = b'{"asset":{"version":"2.0"}} '
MODEL = struct.pack("<4sIIII", b"glTF", 2, 20 + len(DESCRIPTION), len(DESCRIPTION), 0x4E4F534A) + DESCRIPTION
"""The smallest model in one file: the realm accepts only a valid model under that name."""


def save_sign_in(server: Server, home: Path, user: str) -> None:
    """Write the sign-in file to arena-py's path."""
    host, _ = ports(server)
    folder = home / ".arena" / "python" / host / "s"
    folder.mkdir(parents=True)
    (folder / ".arena_google_auth").write_text(stoa(server, "google-credentials", "--host", host, "--user", user), "utf-8")


def run_arena(server: Server, home: Path) -> str:
    """Run the program to its end and return its output."""
    python = os.environ.get("ARENA_PYTHON") or pytest.fail("arena-py's own Python is needed: ARENA_PYTHON")
    upload = home / "duck.glb"
    upload.write_bytes(MODEL)
    host, mqtts = ports(server)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "SSL_CERT_FILE": str(server.folder / "tls" / "ca.pem")}
    program = [python, str(PROGRAM), host, mqtts, str(upload)]
    ended = subprocess.run(  # noqa: S603
        program, check=False, cwd=home, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TEST_S_MAX
    )
    return ended.stdout


def told(said: str, what: str) -> str:
    """Return the program's output after `arena: <what> `."""
    found = [line.removeprefix(f"arena: {what} ") for line in said.splitlines() if line.startswith(f"arena: {what} ")]
    assert found, f"nothing was said of {what}:\n{said}"
    return found[0]


def test_arena_py_signs_in_uploads_builds_and_clones_without_google(server: Server, tmp_path: Path) -> None:
    home = tmp_path / "home"
    save_sign_in(server, home, "alice")
    said = run_arena(server, home)
    assert told(said, "namespace") == "alice"
    assert told(said, "writable") == "['alice/den']", "a namesake's own scene comes to be"
    assert told(said, "stored") == "['google_box']"
    host, _ = ports(server)
    base = f"https://{host}"
    url = told(said, "uploaded")
    assert url == f"{base}/store/users/alice/scenes/den/duck.glb"
    trusted = ssl.create_default_context(cafile=str(server.folder / "tls" / "ca.pem"))
    with httpx.Client(verify=trusted, cookies={"mqtt_token": told(said, "token")}) as client:
        assert (client.get(url)).content == MODEL
        target = f"{base}/persist/alice/den"
        order = {"action": "clone", "namespace": "public", "sceneId": "lobby"}
        assert (client.post(target, json=order)).status_code == 409
        cloned = client.post(target, json=order | {"allowNonEmptyTarget": True})
        assert (cloned.status_code, cloned.json()["result"]) == (200, "success")
        lobby = {record["object_id"] for record in (client.get(f"{base}/persist/alice/den")).json()} - {"google_box"}
        assert len(lobby) == cloned.json()["objectsCloned"]
        assert (client.delete(target)).json() == {"result": "success", "deletedCount": len(lobby) + 1}


def test_arena_py_gets_403_after_its_account_was_removed(server: Server, tmp_path: Path) -> None:
    home = tmp_path / "home"
    command = [os.environ["STOA_BIN"], "user", "add", "alice", "--data", str(server.folder)]
    subprocess.run(  # noqa: S603
        command, check=True, input="correct horse\n", text=True, capture_output=True, timeout=TEST_S_MAX
    )
    save_sign_in(server, home, "alice")
    stoa(server, "user", "remove", "alice")
    said = run_arena(server, home)
    assert "HTTP Error 403" in said
    assert "Invalid id_token" in said
    assert "arena: namespace" not in said
