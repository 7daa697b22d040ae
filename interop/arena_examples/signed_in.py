"""Uses the API that needs an account: editable scenes and their files. It runs without a token in its environment."""

import tempfile

from arena import *

scene = Scene(host="localhost", scene="example", video=True)


@scene.run_once
def main():
    assert f"{scene.namespace}/{scene.scene}" in [entry["name"] for entry in scene.get_writable_scenes()]
    with tempfile.NamedTemporaryFile("w", suffix=".obj") as model:
        model.write("v 0 0 0\n")
        model.flush()
        url = scene.upload_store_file(model.name, "models/point.obj")
    stored = scene.auth.urlopen(url=url)
    assert stored == "v 0 0 0\n", stored
    scene.add_object(ObjModel(object_id="point", obj=url, persist=True))


@scene.run_forever(interval_ms=200)
def look():
    stored = json.loads(scene.auth.urlopen(url=scene.persist_url, creds=True))
    if not stored:
        return
    # Token 5 is the realm's name for this client, not the MQTT client id.
    assert scene.userclient.endswith("_py") and scene.userid != scene.client_id()
    assert [record["object_id"] for record in stored] == ["point"], stored
    print("example: done", flush=True)
    scene.stop_tasks()


scene.run_tasks()
