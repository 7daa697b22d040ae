"""A device with its own topic branch outside of scenes, without a message format."""

from arena import *

device = Device(host="localhost", device="example")
TOPIC = f"{device.realm}/d/{device.namespace}/{device.device}/temperature"


def on_temperature(client, userdata, msg):
    assert json.loads(msg.payload) == {"celsius": 21}
    print("example: done", flush=True)
    device.stop_tasks()


device.message_callback_add(TOPIC, on_temperature)


@device.run_forever(interval_ms=200)
def measure():
    device.publish(TOPIC, {"celsius": 21})


device.run_tasks()
