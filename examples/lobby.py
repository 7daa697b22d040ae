"""Animates the lobby's clickable objects: a lamp, a dice and a counter. `make run` starts it with the realm.

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
    """Switch the lamp on or off at each click."""
    lamp = scene.object("lamp")
    async for _click in lamp.clicks():
        looks = lamp.attributes.get("material")
        is_on = isinstance(looks, dict) and looks.get("color") == LAMP_ON["color"]
        await lamp.update(material=LAMP_OFF if is_on else LAMP_ON)


async def roll_dice(scene: Scene) -> None:
    """Turn the dice at each click and write a random number on its label."""
    dice = scene.object("dice")
    async for _click in dice.clicks():
        half_turn_rad = math.pi * secrets.randbelow(360) / 360
        await dice.update(rotation=(0.0, math.sin(half_turn_rad), 0.0, math.cos(half_turn_rad)))
        await scene.update("dice-label", value=f"dice: {1 + secrets.randbelow(6)}")


async def count_clicks(scene: Scene) -> None:
    """Increase the number on the label, which the realm stores, at each click."""
    label = scene.object("counter-label")
    async for _click in scene.object("counter").clicks():
        shown = re.search(r"\d+", str(label.attributes.get("value")))
        count = 1 + int(shown.group() if shown else 0)
        await label.update(value=f"counter: {count} click{'s' if count > 1 else ''}")


async def main(data_dir: str) -> None:
    """Run until interrupted. Wait for a realm that is starting."""
    async with Realm(data_dir=data_dir, wait_s=60) as realm:
        scene = await realm.scene("public/lobby")
        async with asyncio.TaskGroup() as group:
            for part in (switch_lamp, roll_dice, count_clicks):
                group.create_task(part(scene))
            print("the lobby is alive", flush=True)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "stoa-data"))
