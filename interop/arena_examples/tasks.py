"""Uses each kind of task, and topics of its own."""

from arena import *

# `Arena` is the package's alias of Scene. The command line overrides these arguments.
scene = Arena(host="localhost", scene="example", cli_args=True, debug=True)
box = Box(object_id="box", position=(0, 0, 0))
ran = []
TOPIC = f"realm/s/{scene.namespace}/{scene.scene}/u/{scene.userclient}/{scene.userid}"


def on_own_topic(client, userdata, msg):
    ran.append("own topic")


@scene.run_once
def once():
    assert scene.args["position"] == (0, 0, 0)
    ran.append("once")
    scene.message_callback_add(TOPIC, on_own_topic)
    scene.add_object(box)
    box.dispatch_animation([Animation(property="position", start=Position(0, 0, 0), end=Position(0, 1, 0), dur=300)])
    box.dispatch_animation(AnimationMixer(clip="none"))
    box.remove_animation_at_index(1)
    scene.run_animations(box)
    box.clear_animations()


@scene.run_after_interval(interval_ms=200)
def later():
    ran.append("later")


@scene.run_async
async def slowly():
    await scene.sleep(600)
    # arena-py publishes the end of the animation as the box's position.
    assert box.data.position.y == 1, box
    ran.append("async")
    scene.generate_custom_event(Event(object_id=scene.client_id(), type="knock", position=Position(0, 0, 0)))
    scene.transport.publish(TOPIC, json.dumps({"object_id": scene.userid, "action": "clientEvent", "type": "knock", "data": {}}))
    # arena-py publishes its program's statistics every 5 s.
    await scene.sleep(5000)
    ran.append("statistics")


@scene.run_forever(interval_ms=100)
def often():
    if {"once", "later", "async", "own topic", "statistics"} <= set(ran):
        scene.message_callback_remove(TOPIC)
        scene.get_rcv_pub_queue_len()
        print("example: done", flush=True)
        scene.exit()


scene.run_tasks()
