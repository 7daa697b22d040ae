"""A program for ARENA after its documentation, without anything about Stoa."""

from arena import Box, Position, Scene

scene = Scene(host="localhost", namespace="public", scene="lobby")


def on_click(_scene, event, _message):
    if event.type == "mousedown":
        print("arena: clicked", flush=True)
        scene.update_object(box, material={"color": "#00ff00"})


box = Box(
    object_id="arena_box",
    position=Position(-1.2, 1.6, -2.5),
    width=0.6,
    height=0.6,
    depth=0.6,
    clickable=True,
    evt_handler=on_click,
    persist=True,
)


@scene.run_once
def main():
    scene.add_object(box)
    print("arena: added", flush=True)


moves = 0


@scene.run_forever(interval_ms=500)
def beat():
    global moves
    moves += 1
    scene.update_object(box, position=Position(-1.2, 1.6 + 0.05 * (moves % 2), -2.5))


scene.run_tasks()
