"""Moves a box to the point of a click, with Stoa's library. Started by `stoa-lab arena-click`.

Usage: `python agent.py URL MQTT_PORT CA_FILE`, with a token in STOA_TOKEN.
"""

import asyncio
import os
import sys

from stoa import Box, Realm

URL, MQTT_PORT, CA_FILE = sys.argv[1:4]


async def main() -> None:
    """Answer clicks until killed."""
    async with Realm(URL, token=os.environ["STOA_TOKEN"], ca_file=CA_FILE, mqtt_port=int(MQTT_PORT)) as realm:
        scene = await realm.scene("public/lobby")
        box = await scene.add(Box(object_id="arena-click-box", position=(0.0, 1.6, -2.0), click_listener=True))
        clicks = box.clicks()
        print("ready", flush=True)
        async for click in clicks:
            if click.position is not None:
                await box.update(position=(click.position[0], 1.6, -2.0))


asyncio.run(main())
