from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scripted_realm import SCENE, ScriptedRealm
from virtual_time import virtual_time

import stoa
from stoa import Realm

if TYPE_CHECKING:
    from pathlib import Path


def data_folder(folder: Path, **ports: str | None) -> Path:
    (folder / "run").mkdir(parents=True, exist_ok=True)
    (folder / "run" / "ports.json").write_text(json.dumps(ports), "utf-8")
    (folder / "run" / "token").write_text("owner-token\n", "ascii")
    return folder


@pytest.mark.parametrize(
    ("https", "url"),
    [
        ("127.0.0.1:41234", "https://127.0.0.1:41234"),
        ("[::]:8443", "https://localhost:8443"),
        ("0.0.0.0:8443", "https://localhost:8443"),
        ("[::1]:8443", "https://[::1]:8443"),
    ],
)
@virtual_time
async def test_a_data_folder_provides_the_url_ca_file_and_token(tmp_path: Path, https: str, url: str) -> None:
    script = ScriptedRealm()
    async with Realm(data_dir=data_folder(tmp_path, https=https), transport=script) as realm:
        await realm.scene(SCENE)
    assert script.addresses[0].url == url
    assert script.addresses[0].ca_file == tmp_path / "tls" / "ca.pem"
    assert script.bearers == ["owner-token"]


@virtual_time
async def test_a_reconnect_follows_a_changed_address_in_the_data_folder(tmp_path: Path) -> None:
    script = ScriptedRealm()
    async with Realm(data_dir=data_folder(tmp_path, https="127.0.0.1:1"), transport=script) as realm:
        scene = await realm.scene(SCENE)
        data_folder(tmp_path, https="127.0.0.1:2")
        script.connections[0].lose()
        await scene.update("lamp", width=1)
    assert [each.url for each in script.addresses] == ["https://127.0.0.1:1", "https://127.0.0.1:2"]


@virtual_time
async def test_a_data_folder_without_a_running_realm_raises_not_running(tmp_path: Path) -> None:
    async with Realm(data_dir=tmp_path, transport=ScriptedRealm()) as realm:
        with pytest.raises(stoa.NotRunningError, match=r"no realm is running on .*ports\.json"):
            await realm.scene(SCENE)
        data_folder(tmp_path, https=None)
        with pytest.raises(stoa.NotRunningError, match="no HTTPS address"):
            await realm.scenes()
        (tmp_path / "run" / "ports.json").write_bytes(b"{")
        with pytest.raises(stoa.NotRunningError, match="not_json"):
            await realm.scenes()


@pytest.mark.parametrize("url", ["localhost:8443", "ftp://x", "https://", "https://host/path"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(stoa.InvalidError, match="https://host:8443"):
        Realm(url)


def test_a_realm_needs_either_a_url_or_a_data_folder() -> None:
    with pytest.raises(stoa.InvalidError, match="either"):
        Realm()
    with pytest.raises(stoa.InvalidError, match="either"):
        Realm("https://host", data_dir="stoa-data")
    with pytest.raises(stoa.InvalidError, match="either"):
        Realm(data_dir="stoa-data", token="t")  # noqa: S106  # no secret


@virtual_time
async def test_a_guest_sends_no_bearer_and_an_invalid_scene_name_is_refused() -> None:
    script = ScriptedRealm()
    async with Realm("https://localhost:8443/", transport=script) as realm:
        await realm.scene(SCENE)
        for wrong in ("lobby", "public/", "a/b/c", "../x", "a b/c"):
            with pytest.raises(stoa.InvalidError, match="public/lobby"):
                await realm.scene(wrong)
    assert script.bearers == [None]
    with pytest.raises(stoa.ClosedError):
        await Realm("https://localhost:8443", transport=script).scene(SCENE)
