"""Brings the lobby's clickable things to life: a lamp to switch, a dice to roll, a counter. `make run` starts it beside the realm.

python examples/lobby.py [DATA_DIR]
"""

import asyncio
import contextlib
import math
import re
import secrets
import sys

from stoa import Realm, Scene

LAMP_ON = {"color": "#ffd166", "emissive": "#7a4a00"}
LAMP_OFF = {"color": "#6c757d", "emissive": "#000000"}


async def switch_lamp(scene: Scene) -> None:
    """Switch the lamp at each click, beginning with how it stands."""
    lamp = scene.object("lamp")
    async for _click in lamp.clicks():
        looks = lamp.attributes.get("material")
        is_on = isinstance(looks, dict) and looks.get("color") == LAMP_ON["color"]
        await lamp.update(material=LAMP_OFF if is_on else LAMP_ON)


async def roll_dice(scene: Scene) -> None:
    """Turn the dice and write what it shows."""
    dice = scene.object("dice")
    async for _click in dice.clicks():
        half_turn_rad = math.pi * secrets.randbelow(360) / 360
        await dice.update(rotation=(0.0, math.sin(half_turn_rad), 0.0, math.cos(half_turn_rad)))
        await scene.update("dice-label", value=f"dice: {1 + secrets.randbelow(6)}")


async def count_clicks(scene: Scene) -> None:
    """Count on from what the label says: it outlives this script, as the realm stores it."""
    label = scene.object("counter-label")
    async for _click in scene.object("counter").clicks():
        shown = re.search(r"\d+", str(label.attributes.get("value")))
        count = 1 + int(shown.group() if shown else 0)
        await label.update(value=f"counter: {count} click{'s' if count > 1 else ''}")


async def main(data_dir: str) -> None:
    """Run until interrupted; wait for a realm that is just starting."""
    async with Realm(data_dir=data_dir, wait_s=60) as realm:
        scene = await realm.scene("public/lobby")
        async with asyncio.TaskGroup() as group:
            for part in (switch_lamp, roll_dice, count_clicks):
                group.create_task(part(scene))
            print("the lobby is alive", flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "stoa-data"))
