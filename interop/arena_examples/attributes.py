"""Uses every class of attributes once: sets it on an object and reads it back from the realm."""

from arena import *

scene = Scene(host="localhost", scene="example")

ATTRIBUTES = {
    "animation": Animation(property="rotation", start=(0, 0, 0), end=(0, 360, 0), loop=True, dur=5000),
    "animation_mixer": AnimationMixer(clip="*", timeScale=1),
    "armarker": Armarker(markerid="100", markertype="apriltag_36h11", size=150),
    "attribution": Attribution(author="somebody", license="CC-BY"),
    "blip": Blip(blipin=True, geometry="disk"),
    "box_collision_listener": BoxCollisionListener(enabled=True, dynamic=False),
    "click_listener": ClickListener(enabled=True, bubble=False),
    "gltf_model_lod": GltfModelLod(detailedUrl="a.glb", detailedDistance=3),
    "gltf_morph": GltfMorph(morphtarget="smile", value=0.5),
    "goto_landmark": GotoLandmark(on="mousedown", landmark="here"),
    "goto_url": GotoUrl(on="mousedown", url="https://example.org", dest="newtab"),
    "jitsi_video": JitsiVideo(displayName="Ada"),
    "landmark": Landmark(label="here", randomRadiusMax=2),
    "material": Material(color=Color(255, 0, 0), opacity=0.5, transparent=True),
    "material_extras": MaterialExtras(renderOrder=1),
    "model_container": ModelContainer(x=1, y=1, z=1, uniform=True),
    "modelUpdate": ModelUpdate(arm=Data(rotation=Rotation(0, 0, 0, 1), position=Position(0, 0, 0))),
    "multisrc": Multisrc(srcspath="a/", srcs="1.png,2.png"),
    "physx_body": PhysxBody(type="static", mass=2),
    "physx_force_pushable": PhysxForcePushable(on="mousedown", force=8),
    "physx_joint": PhysxJoint(type="Revolute", target="box"),
    "physx_joint_constraint": PhysxJointConstraint(constrainedAxes=["x"], stiffness=0.5),
    "physx_joint_driver": PhysxJointDriver(axes=["x"], stiffness=1),
    "physx_material": PhysxMaterial(staticFriction=0.3, restitution=0.2),
    "remote_render": RemoteRender(enabled=True),
    "shadow": Shadow(cast=True, receive=True),
    "sound": Sound(positional=True, src="a.wav", autoplay=True),
    "spe_particles": SpeParticles(texture="a.png", duration=10),
    "textinput": Textinput(on="mousedown", title="Name?", label="Name"),
    "video_control": VideoControl(video_object="box", video_path="a.mp4"),
    "own_component": Attribute(speed=3),
}
# Deprecated by arena-py, still sent by old programs; and other names of the above.
OLD = {
    "dynamic_body": DynamicBody(type="dynamic"),
    "physics": Physics(type="dynamic"),
    "static_body": StaticBody(type="static"),
    "impulse": Impulse(on="mousedown", force=(1, 50, 1), position=(1, 1, 1)),
    "particles": Particles(texture="a.png"),
    "text_input": TextInput(on="mousedown", title="Name?"),
}


def places():
    """Uses the arithmetic of attributes."""
    here, there = Position(1, 2, 3), Position((1, 2, 5))
    assert here.distance_to(there) == 2
    assert here.to_str() == "1 2 3"
    assert there.array == [1, 2, 5]
    turn = Rotation(0, 60, 0)
    assert not turn.is_quaternion
    assert turn.array == [0, 0.5, 0, 0.866]
    assert round(turn.quaternion.euler.y) == 60
    assert Scale(2, 2, 2).array == [2, 2, 2]
    assert Scale(2, 2, 2).to_str() == "2 2 2"
    assert Color("red").hex == "#ff0000"


@scene.run_once
def main():
    places()
    for name, attribute in (ATTRIBUTES | OLD).items():
        box = Box(object_id=f"with-{name}", persist=True, **{name: attribute})
        scene.add_object(box)
        box.update_attributes(rotation=(0, 90, 0), material=Material(color="blue"))
        scene.update_object(box)
    child = Box(object_id="child", parent=Object.get("with-blip"), look_at="#my-camera", persist=True, ttl=600)
    scene.add_object(child)
    Utils.get_world_pose(child, scene)
    scene.delete_attributes(child, ["look-at"])  # by its name on the wire


@scene.run_forever(interval_ms=200)
def look():
    records = {record["object_id"]: record["attributes"] for record in persisted()}
    if "look-at" in records.get("child", {"look-at": ""}):
        return  # The realm has not stored the last change yet.
    for name in ATTRIBUTES:
        assert wire_name(name) in records[f"with-{name}"], (name, records[f"with-{name}"])
        assert records[f"with-{name}"]["rotation"]["w"] == 0.707, name
    assert records["with-own_component"]["own_component"] == {"speed": 3}
    assert records["child"]["parent"] == "with-blip"
    print("example: done", flush=True)
    scene.stop_tasks()


def wire_name(name):
    """Returns a keyword's wire name. arena-py 1.6.0 keeps `animation_mixer`, as it begins like `animation`."""
    return name if name == "animation_mixer" else ATTRIBUTE_KEYWORD_TRANSLATION.get(name, name)


def persisted():
    """Reads the realm's objects, bypassing arena-py's memory."""
    return json.loads(scene.auth.urlopen(url=scene.persist_url, creds=True))


scene.run_tasks()
