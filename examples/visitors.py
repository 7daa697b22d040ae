"""Greets each person who enters the lobby, and counts them on a sign. Ctrl+C ends it."""

import asyncio
import contextlib

from stoa import Realm, Scene, Text

SIGN = "visitors-sign"
BEAT_S = 2.0


async def greet(scene: Scene, guests: set[str]) -> None:
    """Greet and remember each newcomer."""
    async for user in scene.user_joins():
        guests.add(user.id_tag)
        await scene.say(f"Welcome, {user.display_name}!")


async def count(scene: Scene, guests: set[str]) -> None:
    """Update the sign when a number has changed."""
    shown = ""
    async for _tick in scene.every(BEAT_S):
        text = f"{len(scene.users)} here now, {len(guests)} in all"
        if text != shown:
            shown = text
            await scene.update(SIGN, value=text)


async def main() -> None:
    """Run until interrupted."""
    async with Realm(data_dir="stoa-data") as realm:
        scene = await realm.scene("public/lobby", display_name="Doorkeeper")
        await scene.add(Text(object_id=SIGN, position=(0, 3.2, -4.6), color="#16324f", width=4))
        guests = set(scene.users)
        async with asyncio.TaskGroup() as group:
            group.create_task(greet(scene, guests))
            group.create_task(count(scene, guests))


with contextlib.suppress(KeyboardInterrupt):
    asyncio.run(main())
