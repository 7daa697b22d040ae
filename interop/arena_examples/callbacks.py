"""Registers every callback and handler, and checks that each is called.

It needs a person who joins with two hands, clicks, chats, and leaves when an object named `goodbye` appears.
"""

from arena import *

heard = set()


def end_program_callback(scene):
    print("example: ended, not heard:", sorted((WANTED | PARTING) - heard), flush=True)


scene = Scene(host="localhost", scene="example", end_program_callback=end_program_callback)


def on_msg_callback(scene, obj, msg):
    heard.add("message")


def new_obj_callback(scene, obj, msg):
    # arena-py 1.6.0 calls this only for messages without an object_type. Here that is the person's join.
    heard.add("new object")


def delete_obj_callback(scene, obj, msg):
    heard.add(f"{obj.object_id} deleted")


def user_join_callback(scene, camera, msg):
    assert camera.displayName == "Ada", camera
    assert isinstance(camera, Camera)
    camera.hand_found_callback = hand_found_callback
    camera.hand_remove_callback = hand_remove_callback
    heard.add("joined")
    assert [user.object_id for user in scene.get_user_list()] == [camera.object_id]
    # The box is not stored: only clients that subscribed before receive it. The person subscribes before its join.
    scene.add_object(box)
    scene.manipulate_camera(camera, position=(0, 2, 0), rotation=(0, 0, 0, 1))
    scene.look_at(camera, box)
    scene.teleport_to_landmark(camera, box)


def user_left_callback(scene, camera, msg):
    heard.add("left")


def on_chat_callback(scene, chat, msg):
    assert chat.text == "hello", chat
    heard.add("chat")


def hand_found_callback(scene, hand, msg):
    heard.add(f"found {hand.object_id.partition('_')[0]}")


def hand_remove_callback(scene, hand, msg):
    heard.add("hand removed")


def evt_handler(scene, event, msg):
    assert event.data.target == "box"
    assert event.data.targetPosition.distance_to(Position(0, 1.6, 0)) == 0
    assert event.data.source is event.data.clickPos is event.data.position is None, "deprecated, and empty"
    heard.add(event.type)
    scene.update_object(box, material={"color": "green"})


def update_handler(obj):
    heard.add("own update")


scene.on_msg_callback = on_msg_callback
scene.new_obj_callback = new_obj_callback
scene.delete_obj_callback = delete_obj_callback
scene.user_join_callback = user_join_callback
scene.user_left_callback = user_left_callback
scene.on_chat_callback = on_chat_callback

box = Box(object_id="box", clickable=True, evt_handler=evt_handler, update_handler=update_handler, position=(0, 1, -3))
assert box.clickable


@scene.run_once
def send_events():
    """Sends a click and an event of a type of its own."""
    scene.generate_click_event(box, type="mouseenter")
    scene.generate_custom_event(Event(object_id=scene.client_id(), type="knock", target="box"))


# Everything that must be heard before `goodbye` makes the person leave, and everything that follows it.
WANTED = {"message", "new object", "joined", "chat", "mousedown", "mouseup", "own update", "found handLeft", "found handRight"}
PARTING = {"hand removed", "note deleted", "left"}
goodbye = Box(object_id="goodbye")
asked = False


@scene.run_forever(interval_ms=100)
def end_when_heard():
    """Adds and removes `goodbye` once all of WANTED is heard, and ends the program once PARTING is heard too."""
    global asked
    if not asked and WANTED <= heard:
        asked = True
        scene.add_object(goodbye)
        scene.delete_object(goodbye)
    if PARTING <= heard:
        print("example: done", flush=True)
        scene.stop_tasks()


scene.run_tasks()
