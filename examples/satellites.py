"""Moves a ball around each of up to 30 heads in the lobby, thirty times a second by datagrams.

    python examples/satellites.py [data folder]

Needs a running realm (`make run`). The balls move as smoothly as people do.
"""

import asyncio
import contextlib
import math
import sys

from stoa import Material, Motion, Mover, Realm, Scene, Sphere

RATE_HZ = 30
RADIUS_M = 0.6
TURNS_PER_S = 0.4


async def put(scene: Scene, head: Mover) -> None:
    """Add a ball for one head. The realm doesn't store it, and removes it after a minute."""
    look = Material(color="#ffd166")
    ball = Sphere(object_id=f"satellite-{head.name}", radius=0.06, position=head.position, material=look)
    await scene.add(ball, ttl_s=60)


async def welcome(scene: Scene, motion: Motion) -> None:
    """Add a ball for each person, present or arriving."""
    entered = motion.entered()
    for head in motion.movers:
        if head.kind == "head":
            await put(scene, head)
    async for mover in entered:
        if mover.kind == "head":
            await put(scene, mover)


async def circle(scene: Scene, motion: Motion) -> None:
    """Move the balls of the first 30 heads around the heads' present positions."""
    async for tick in scene.every(1 / RATE_HZ):
        angle = 2 * math.pi * TURNS_PER_S * tick.time_s
        for head in [each for each in motion.movers if each.kind == "head"][:30]:
            x, y, z = head.position
            motion.move_object(f"satellite-{head.name}", (x + RADIUS_M * math.cos(angle), y + 0.1, z + RADIUS_M * math.sin(angle)))


async def main() -> None:
    """Run until interrupted."""
    async with Realm(data_dir=sys.argv[1] if len(sys.argv) > 1 else "stoa-data") as realm:
        scene = await realm.scene("public/lobby")
        async with scene.motion() as motion, asyncio.TaskGroup() as group:
            group.create_task(welcome(scene, motion))
            group.create_task(circle(scene, motion))


with contextlib.suppress(KeyboardInterrupt):
    asyncio.run(main())
