"""A person with the messages of ARENA's web client, for programs that wait for people.

It first sends messages that would end arena-py's receive loop. Then it joins with camera and hands, clicks every
clickable object, chats, and leaves when an object named `goodbye` appears. `python arena_person.py NAMESPACE/SCENE ID`,
with the token in ARENA_PASSWORD.
"""

import json
import os
import ssl
import sys
import threading

import paho.mqtt.client as mqtt

SCENE, ID = sys.argv[1:3]
TOKEN = os.environ["ARENA_PASSWORD"]
USER = os.environ["ARENA_USERNAME"]
ROOT = f"realm/s/{SCENE}"
EVERY_S = 0.3
STILL = {"position": {"x": 0, "y": 1.6, "z": 0}, "rotation": {"x": 0, "y": 0, "z": 0, "w": 1}}
PERSON = {"displayName": "Ada", "color": "#00aaff", "presence": "Standard", "hasAvatar": False, "hasAudio": True, "hasVideo": False}
CAMERA = {"object_type": "camera", **STILL, "arena-user": PERSON}
HANDS = [f"handLeft_{ID}", f"handRight_{ID}"]
# Each of these payloads ends the receive loop of arena-py 1.6.0, so the realm must refuse it.
DEAFENING = ["[1]", "1", '"x"', "null", "true", "NaN"]

# Clickable objects, each with the program that gets its clicks; None for public clicks.
clickable: dict[str, str | None] = {}
leave = threading.Event()
subscribed = threading.Event()
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=ID)


def say(kind: str, uuid: str, to: str = "", **message: object) -> mqtt.MQTTMessageInfo:
    """Publishes with the client id as token 5, as the rule is for tokens without a client."""
    return client.publish(f"{ROOT}/{kind}/{ID}/{uuid}{to}", json.dumps({"object_id": uuid, **message}))


def on_message(_client: object, _userdata: object, message: mqtt.MQTTMessage) -> None:
    """Updates the clickable objects. The object `goodbye` ends the main loop."""
    said = json.loads(message.payload)
    if said.get("object_id") == "goodbye":
        leave.set()
    if said.get("data", {}).get("click-listener"):
        clickable[said["object_id"]] = said.get("program_id") if said.get("private") else None


def deafen() -> None:
    """Sends the invalid messages on each kind of topic that a person may publish on, and a chat with a reserved key."""
    for kind in "xucop":
        for payload in DEAFENING:
            client.publish(f"{ROOT}/{kind}/{ID}/{ID}", payload)
    say("c", ID, type="chat", text="deaf", self=1)


def enter() -> None:
    """Publishes the camera before the join, as the web client does, then the hands."""
    say("u", ID, action="create", type="object", ttl=30, data=CAMERA)
    say("x", ID, action="join", type="arena", dn="Ada")
    for hand in HANDS:
        say("u", hand, action="create", type="object", data={"object_type": hand.partition("_")[0], **STILL, "dep": ID})


def click() -> None:
    """Presses and releases a mouse button on each clickable object. Only its program gets a private object's events."""
    for target, owner in list(clickable.items()):
        where = {"target": target, "targetPosition": STILL["position"], "originPosition": STILL["position"]}
        for event in ("mousedown", "mouseup"):
            if owner is None:
                say("u", ID, action="clientEvent", type=event, data=where)
            else:
                say("p", ID, f"/{owner}", action="clientEvent", type=event, data=where)


def on_connect(*_: object) -> None:
    """Makes both subscriptions of the web client."""
    client.subscribe([(f"{ROOT}/+/+/+", 0), (f"{ROOT}/+/+/+/{ID}/#", 0)])


client.on_connect = on_connect
client.on_subscribe = lambda *_: subscribed.set()
client.on_message = on_message
client.username_pw_set(USER, TOKEN)
client.will_set(f"{ROOT}/x/{ID}/{ID}", json.dumps({"object_id": ID, "action": "leave"}), qos=2)
client.tls_set(cert_reqs=ssl.CERT_NONE)
client.tls_insecure_set(True)
client.connect("localhost", 8883)
client.loop_start()
subscribed.wait()
deafen()
enter()
while not leave.wait(EVERY_S):
    say("u", ID, action="update", type="object", ttl=30, data=CAMERA)
    say("c", ID, type="chat", dn="Ada", text="hello")
    click()
say("o", "note", action="create", type="object", data={"object_type": "box"})
said = [say("o", "note", action="delete"), *(say("u", hand, action="delete") for hand in HANDS)]
for message in said:
    message.wait_for_publish()
# A closed socket without a DISCONNECT is like a closed tab: the broker publishes the will.
client.socket().close()
