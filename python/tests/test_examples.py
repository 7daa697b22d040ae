"""Runs the examples by their documented commands against the real server."""

from __future__ import annotations

import asyncio
import signal
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from person import person

from stoa import Realm, Scene

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from conftest import Server
    from person import Person

    from stoa import Change

pytestmark = pytest.mark.realm
EXAMPLES = Path(__file__).parents[2] / "examples"
LOBBY = "public/lobby"
TEST_S_MAX = 60.0
CLICK_AGAIN_S = 0.5


@asynccontextmanager
async def running(name: str, server: Server) -> AsyncGenerator[tuple[Scene, Person]]:
    """Run an example beside the realm's folder. It must keep running until SIGINT ends it."""
    async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
        scene = await realm.scene(LOBBY)
        script = await asyncio.create_subprocess_exec(
            sys.executable, EXAMPLES / name, cwd=server.folder.parent, stderr=asyncio.subprocess.PIPE
        )
        try:
            async with person(server.folder, LOBBY) as ada:
                yield scene, ada
            assert script.returncode is None
        finally:
            if script.returncode is None:
                script.send_signal(signal.SIGINT)
            try:
                _, errors = await script.communicate()
            except asyncio.CancelledError:
                script.kill()
                raise
        assert errors == b"", errors.decode()


async def clicked(scene: Scene, ada: Person, target: str, changed: str) -> Change:
    """Click `target` until `changed` changes, as the script may not be subscribed at the first click."""
    changes = scene.changes()
    while True:
        await ada.click(target)
        try:
            async with asyncio.timeout(CLICK_AGAIN_S):
                async for change in changes:
                    if change.object_id == changed and change.old is not None:
                        return change
        except TimeoutError:
            continue


def test_hello_adds_a_box_that_changes_its_colour(server: Server) -> None:
    async def main() -> None:
        async with running("hello.py", server) as (scene, ada):
            change = await clicked(scene, ada, "hello-box", "hello-box")
            assert change.keys == {"material"}
            assert scene.objects["hello-box"].object_type == "box"

    asyncio.run(main())


def test_lobby_answers_clicks_on_lamp_dice_and_counter(server: Server) -> None:
    async def main() -> None:
        async with running("lobby.py", server) as (scene, ada):
            lamp = await clicked(scene, ada, "lamp", "lamp")
            assert lamp.new is not None
            assert lamp.keys == {"material"}
            dice = await clicked(scene, ada, "dice", "dice-label")
            assert dice.new is not None
            assert str(dice.new.attributes["value"]).startswith("dice: ")
            counter = await clicked(scene, ada, "counter", "counter-label")
            assert counter.new is not None
            assert counter.new.attributes["value"] == "counter: 1 click"
            again = await clicked(scene, ada, "counter", "counter-label")
            assert again.new is not None
            assert again.new.attributes["value"] == "counter: 2 clicks"
            assert again.new.persist

    asyncio.run(main())


def test_visitors_greets_and_counts(server: Server) -> None:
    async def main() -> None:
        async with running("visitors.py", server) as (scene, ada):
            changes, chat = scene.changes(), scene.chat()
            sign = scene.object("visitors-sign")
            while sign.attributes.get("value") is None:
                await anext(changes)
            await ada.enter("Ada")
            said = await anext(chat)
            assert (said.display_name, said.text) == ("Doorkeeper", "Welcome, Ada!")
            while not str(sign.attributes["value"]).startswith("1 here now, 1 in all"):
                await anext(changes)

    asyncio.run(main())


def test_satellites_circle_around_a_head(server: Server) -> None:
    async def main() -> None:
        async with running("satellites.py", server) as (scene, _), scene.motion() as motion:
            motion.move_head((2, 1.6, 0))
            satellite = f"satellite-{(await scene.me()).id_tag}"
            seen: set[float] = set()
            while len(seen) < 10:
                seen |= {round(each.position[0], 2) for each in motion.movers if each.name == satellite}
                await asyncio.sleep(0.02)
            assert all(abs(x - 2) <= 0.61 for x in seen)
            assert satellite in scene.objects

    asyncio.run(main())
