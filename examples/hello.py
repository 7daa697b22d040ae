"""Adds a box to the lobby that changes its colour on each click. Start it during `make run`; Ctrl+C ends it."""

import asyncio
import contextlib
from itertools import cycle

from stoa import Box, Realm


async def main() -> None:
    """Run until interrupted."""
    async with Realm(data_dir="stoa-data") as realm:
        scene = await realm.scene("public/lobby")
        box = await scene.add(Box(object_id="hello-box", position=(1.2, 1.5, -1.5), scale=(0.4, 0.4, 0.4), click_listener=True))
        colors = cycle(["#ef476f", "#ffd166", "#06d6a0"])
        async for _click in box.clicks():
            await box.update(material={"color": next(colors)})


with contextlib.suppress(KeyboardInterrupt):
    asyncio.run(main())
