"""Uses every class of objects once, including classes that pages can't draw and ignore."""

from arena import *

scene = Scene(host="localhost", scene="example")

MODEL = "store/users/example/duck.glb"
OBJECTS = [
    Object(object_id="object"),
    Entity(object_id="entity"),
    Box(object_id="box", width=1, height=1, depth=1, position=Position(0, 1, -3)),
    Cube(object_id="cube"),
    Capsule(object_id="capsule", radius=0.5, length=1),
    Circle(object_id="circle", radius=1),
    Cone(object_id="cone", radiusBottom=1, height=2),
    Cylinder(object_id="cylinder", radius=0.5, height=2),
    Dodecahedron(object_id="dodecahedron"),
    Icosahedron(object_id="icosahedron"),
    Octahedron(object_id="octahedron"),
    Tetrahedron(object_id="tetrahedron"),
    Plane(object_id="plane", width=2, height=2),
    Ring(object_id="ring", radiusInner=0.5, radiusOuter=1),
    Roundedbox(object_id="roundedbox", radius=0.1),
    Sphere(object_id="sphere", radius=0.5),
    Torus(object_id="torus"),
    TorusKnot(object_id="torus-knot"),
    Triangle(object_id="triangle", vertexA=Position(0, 0, 0), vertexB=Position(1, 0, 0), vertexC=Position(0, 1, 0)),
    Videosphere(object_id="videosphere", src="store/users/example/360.mp4"),
    Ocean(object_id="ocean", width=10, depth=10),
    Line(object_id="line", start=(0, 0, 0), end=(1, 1, 1)),
    Thickline(object_id="thickline", path=[(0, 0, 0), (1, 1, 1)], lineWidth=3),
    ThickLine(object_id="thick-line"),
    Text(object_id="text", value="hello", font="exo2bold"),
    Light(object_id="light", type="point", intensity=2),
    Image(object_id="image", url="store/users/example/image.png"),
    GltfModel(object_id="gltf-model", url=MODEL),
    GLTF(object_id="gltf", url=MODEL),
    Model(object_id="model", url=MODEL),
    ObjModel(object_id="obj-model", obj="a.obj", mtl="a.mtl"),
    PcdModel(object_id="pcd-model", url="a.pcd", pointSize=0.1),
    UrdfModel(object_id="urdf-model", url="a.urdf", joints="j1: 0.5"),
    ThreejsScene(object_id="threejs-scene", url="a.json"),
    GaussianSplatting(object_id="gaussian-splatting", src="a.splat"),
    ArenauiCard(object_id="arenaui-card", title="Title", body="Body"),
    Card(object_id="card", title="Title"),
    ArenauiPrompt(object_id="arenaui-prompt", title="Sure?", buttons=["Yes", "No"]),
    Prompt(object_id="prompt", title="Sure?"),
    ArenauiButtonPanel(object_id="arenaui-button-panel", title="Choose", buttons=[Button("One"), Button("Two")]),
    ButtonPanel(object_id="button-panel", buttons=[Button("One")]),
]
WORN = [HandLeft(object_id="handLeft_statue", dep="statue"), HandRight(object_id="handRight_statue", dep="statue")]


@scene.run_once
def main():
    for worn in OBJECTS + WORN:
        worn.persist = True
    scene.add_objects(OBJECTS + WORN)
    model = Object.get("gltf")
    model.update_morph([Morph("smile", 0.5), GltfMorph("frown", 0.1)])
    model.remove_morph(Morph("frown", 0))
    scene.update_objects([model], scale=Scale(2, 2, 2))
    model.clear_morphs()
    Text.text.fget(Object.get("text"))
    Light.light.fget(Object.get("light"))


@scene.run_forever(interval_ms=200)
def look():
    stored = {record["object_id"]: record["attributes"]["object_type"] for record in persisted()}
    if len(stored) < len(OBJECTS + WORN):
        return  # The realm has not stored all of them yet.
    for object in OBJECTS + WORN:
        assert stored[object.object_id] == object.data.object_type, object.object_id
    print("example: done", flush=True)
    scene.stop_tasks()


def persisted():
    """Reads the realm's objects, bypassing arena-py's memory."""
    return json.loads(scene.auth.urlopen(url=scene.persist_url, creds=True))


scene.run_tasks()
