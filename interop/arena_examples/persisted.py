"""Stores objects, scene options and a program's definition, and reads them back by each of arena-py's ways."""

from arena import *

scene = Scene(host="localhost", scene="example")
LIGHT = {"object_id": "left-behind", "action": "create", "type": "object", "persist": True, "data": {"object_type": "sphere", "radius": 2}}
is_read = False


@scene.run_once
def main():
    # Published directly, as arena-py's objects would be read back from its memory.
    scene._publish(dict(LIGHT), "create", custom_payload=True)
    options = Object(object_id="scene-options", persist=True)
    options.type = "scene-options"
    options.data["env-presets"] = {"preset": "arches"}
    scene.add_object(options)
    for number in range(3):
        scene.add_object(Box(object_id=f"box-{number}", persist=True, parent="box-0" if number else None))
    program = Program(object_id="program", persist=True, name="example/program", filename="program.py", filetype="PY", parent="arena-rt1")
    program.update_attributes(args=["speed=3"])
    scene._publish(program, "create")
    scene.delete_program(program)


@scene.run_forever(interval_ms=200)
def look():
    """Waits for the realm to store the last object, and then for it to delete the boxes."""
    global is_read
    stored = {record["object_id"] for record in json.loads(scene.auth.urlopen(url=scene.persist_url, creds=True))}
    if "program" not in stored:
        return
    if "box-0" not in stored:
        read_again(stored)
    elif not is_read:
        is_read = True
        read()


def read():
    found = scene.get_persisted_obj("left-behind")
    assert isinstance(found, Sphere) and found.data.radius == 2, found
    assert set(scene.get_persisted_objs()) == {"left-behind", "scene-options", "box-0", "box-1", "box-2", "program"}
    [options] = scene.get_persisted_scene_option()
    assert options["attributes"]["env-presets"]["preset"] == "arches", options
    assert "left-behind" in scene.all_objects
    scene.delete_object(Object.get("box-0"))


def read_again(stored):
    assert stored == {"left-behind", "scene-options", "program"}, "its children went with box-0"
    try:
        scene.get_persisted_obj("nobody")
    except ValueError:
        print("example: done", flush=True)
    scene.stop_tasks()


scene.run_tasks()
