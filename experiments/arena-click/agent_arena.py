"""Moves a box to the point of a click, with unmodified arena-py. Nothing here is specific to Stoa.

Usage: `python agent_arena.py HOST MQTT_PORT`, with a token in ARENA_PASSWORD.
"""

import sys

from arena import Box, Position, Scene

HOST, MQTT_PORT = sys.argv[1:3]

scene = Scene(host=HOST, namespace="public", scene="lobby", port=int(MQTT_PORT), headless=True)


def on_click(_scene, event, _message):
    if event.type == "mousedown":
        scene.update_object(box, position=Position(event.data.targetPosition.x, 1.6, -2))


box = Box(object_id="arena-click-box", position=Position(0, 1.6, -2), clickable=True, evt_handler=on_click)


@scene.run_once
def main():
    scene.add_object(box)
    print("ready", flush=True)


scene.run_tasks()
