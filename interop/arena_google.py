"""A program for ARENA that signs in after ARENA's documentation, without anything about Stoa and without a token."""

import sys
from pathlib import Path

from arena import Box, Position, Scene

HOST, MQTT_PORT, FILE = sys.argv[1:4]

scene = Scene(host=HOST, scene="den", port=int(MQTT_PORT), headless=True)


@scene.run_once
def main():
    print("arena: namespace", scene.namespace, flush=True)
    print("arena: writable", sorted(found["name"] for found in scene.get_writable_scenes()), flush=True)
    print("arena: uploaded", scene.upload_store_file(FILE), flush=True)
    scene.add_object(Box(object_id="google_box", position=Position(0, 1, -2), persist=True))
    print("arena: added", flush=True)


@scene.run_forever(interval_ms=200)
def look():
    stored = sorted(found.object_id for found in scene.get_persisted_objs().values())
    if "google_box" in stored:
        print("arena: stored", stored, flush=True)
        # arena-py has no public name for the token.
        print("arena: token", scene.auth._mqtt_token["token"], flush=True)  # noqa: SLF001
        Path(FILE).unlink()
        scene.exit()


scene.run_tasks()
