"""Uses objects that one person sees, and whose clicks only this program receives."""

from arena import *

scene = Scene(host="localhost", scene="example")


def evt_handler(scene, event, msg):
    # realm/s/<namespace>/<scene>/p/<user client>/<user>/<this program>
    assert msg["topic"].split("/")[4] == "p" and len(msg["topic"].split("/")) == 8, msg["topic"]
    if event.type == "mousedown":
        scene.delete_object(Object.get("secret"))
        scene.add_object(Box(object_id="goodbye"))


def user_join_callback(scene, camera, msg):
    secret = Box(object_id="secret", private_userid=camera.object_id, clickable=True, evt_handler=evt_handler)
    scene.add_object(secret)
    assert list(scene.get_private_objects()[camera.object_id]) == ["secret"]


def user_left_callback(scene, camera, msg):
    print("example: done", flush=True)
    scene.stop_tasks()


scene.user_join_callback = user_join_callback
scene.user_left_callback = user_left_callback
scene.run_tasks()
