"""Tests the package against the real server."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from person import person

import stoa
from stoa import Box, Realm
from stoa._address import DataFolderLocator

if TYPE_CHECKING:
    from conftest import Server

pytestmark = pytest.mark.realm
LOBBY = "public/lobby"
TEST_S_MAX = 60.0


def test_a_script_sees_another_add_change_and_remove_an_object(server: Server) -> None:
    async def main() -> None:
        async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
            scene, other = await realm.scene(LOBBY), await realm.scene(LOBBY)
            assert (await scene.me()).role == "owner"
            changes = other.changes()
            box = await scene.add(Box(object_id="lamp-1", position=(0, 1.5, -2)), persist=True)
            await box.update(width=2)
            await box.remove()
            seen = [await anext(changes) for _ in range(3)]
            assert [each.object_id for each in seen] == ["lamp-1"] * 3
            assert [sorted(each.keys) for each in seen] == [["object_type", "position"], ["width"], ["object_type", "position", "width"]]
            assert [each.name for each in await realm.scenes() if each.name == LOBBY] == [LOBBY]

    asyncio.run(main())


def test_concurrent_updates_keep_their_order_and_are_readable_at_once(server: Server) -> None:
    async def main() -> None:
        async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
            scene = await realm.scene(LOBBY)
            for persist in (False, True):
                box = await scene.add(Box(object_id="lamp-1"), persist=persist)
                async with asyncio.TaskGroup() as group:
                    for width in range(500):
                        group.create_task(box.update(width=width))
                assert box.attributes["width"] == 499

    asyncio.run(main())


def test_mqtt_uses_tls_when_mqtt_port_is_given(server: Server) -> None:
    async def main() -> None:
        ports = json.loads((server.folder / "run" / "ports.json").read_text("utf-8"))
        address, token = DataFolderLocator(server.folder).find()
        port = int(ports["mqtts"].rpartition(":")[2])
        realm = Realm(address.url, token=token, ca_file=address.ca_file, mqtt_port=port)
        async with asyncio.timeout(TEST_S_MAX), realm:
            scene = await realm.scene(LOBBY)
            await scene.add(Box(object_id="lamp-1"))

    asyncio.run(main())


def test_an_untrusted_certificate_raises_an_error_that_suggests_ca_file(server: Server) -> None:
    async def main() -> None:
        address, _ = DataFolderLocator(server.folder).find()
        async with asyncio.timeout(TEST_S_MAX), Realm(address.url, wait_s=TEST_S_MAX) as realm:
            with pytest.raises(stoa.InvalidError, match=r"certificate of https://.*give ca_file"):
                await realm.scene(LOBBY)
            with pytest.raises(stoa.InvalidError, match="give ca_file"):
                await realm.scenes()

    asyncio.run(main())


def test_a_guests_add_an_unknown_scene_and_a_wrong_token_are_refused(server: Server) -> None:
    async def main() -> None:
        address, _ = DataFolderLocator(server.folder).find()
        async with asyncio.timeout(TEST_S_MAX), Realm(address.url, ca_file=address.ca_file) as realm:
            scene = await realm.scene(LOBBY, display_name="Ada")
            with pytest.raises(stoa.NotGrantedError, match=r"create of object 'lamp-1' in public/lobby was refused: not_granted"):
                await scene.add(Box(object_id="lamp-1"))
            with pytest.raises(stoa.RefusedError, match="entering"):
                await realm.scene("nobody/nowhere")
        async with Realm(address.url, token="x", ca_file=address.ca_file) as realm:  # noqa: S106  # a wrong one
            with pytest.raises(stoa.NotSignedInError):
                await realm.scene(LOBBY)

    asyncio.run(main())


def test_clicks_chat_joins_and_leaves_of_a_person_reach_the_script(server: Server) -> None:
    async def main() -> None:
        async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
            scene = await realm.scene(LOBBY)
            clicks, chat, joins, leaves = scene.events("mousedown"), scene.chat(), scene.user_joins(), scene.user_leaves()
            async with person(server.folder, LOBBY) as ada:
                await ada.enter("Ada")
                assert (await anext(joins)).display_name == "Ada"
                await ada.click("lamp")
                assert (await anext(clicks)).target == "lamp"
                await ada.say("hello")
                assert (await anext(chat)).text == "hello"
                late = await realm.scene(LOBBY)
                assert [each.display_name for each in late.users.values()] == ["Ada"]
            assert (await anext(leaves)).id_tag == ada.me.id_tag
            assert dict(scene.users) == {}

    asyncio.run(main())


def test_a_scene_and_its_script_recover_after_the_server_is_killed(server: Server) -> None:
    async def main() -> None:
        async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
            scene = await realm.scene(LOBBY)
            await scene.add(Box(object_id="stone", width=3), persist=True)
            lamp = await scene.add(Box(object_id="lamp-1"))
            await lamp.update(width=2)
            clicks = lamp.clicks()
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await scene.update("stone", height=2)
            other = await realm.scene(LOBBY)
            assert other.objects["stone"].attributes["width"] == 3
            assert other.objects["stone"].attributes["height"] == 2
            assert other.objects["lamp-1"].attributes["width"] == 2
            async with person(server.folder, LOBBY) as ada:
                await ada.click("lamp-1")
                assert (await anext(clicks)).target == "lamp-1"

    asyncio.run(main())
