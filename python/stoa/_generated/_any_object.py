# Generated from spec/objects/any-object.json by cargo xtask gen. Do not edit.
"""`any-object`: Attributes of any object type: its pose, its parent, and components."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from stoa._schema import Attribute, SchemaObject, Shape
from stoa._generated._animation import Animation
from stoa._generated._animation_mixer import AnimationMixer
from stoa._generated._armarker import ArMarker
from stoa._generated._attribution import Attribution
from stoa._generated._blip import Blip
from stoa._generated._box_collision_listener import BoxCollisionListener
from stoa._generated._click_listener import ClickListener
from stoa._generated._dynamic_body import DynamicBody
from stoa._generated._geometry import Geometry
from stoa._generated._gltf_model_lod import GltfModelLod
from stoa._generated._gltf_morph import GltfMorph
from stoa._generated._goto_landmark import GotoLandmark
from stoa._generated._goto_url import GotoUrl
from stoa._generated._impulse import Impulse
from stoa._generated._jitsi_video import JitsiVideo
from stoa._generated._landmark import Landmark
from stoa._generated._material import Material
from stoa._generated._material_extras import MaterialExtras
from stoa._generated._model_container import ModelContainer
from stoa._generated._model_update import ModelUpdate
from stoa._generated._multisrc import MultiSrc
from stoa._generated._physx_body import PhysxBody
from stoa._generated._physx_force_pushable import PhysxForcePushable
from stoa._generated._physx_joint import PhysxJoint
from stoa._generated._physx_joint_constraint import PhysxJointConstraint
from stoa._generated._physx_joint_driver import PhysxJointDriver
from stoa._generated._physx_material import PhysxMaterial
from stoa._generated._portal import Portal
from stoa._generated._position import POSITION, Position
from stoa._generated._remote_render import RemoteRender
from stoa._generated._rotation import ROTATION, Rotation
from stoa._generated._scale import SCALE, Scale
from stoa._generated._seat import Seat
from stoa._generated._shadow import Shadow
from stoa._generated._sound import Sound
from stoa._generated._spe_particles import SpeParticles
from stoa._generated._static_body import StaticBody
from stoa._generated._textinput import TextInput
from stoa._generated._vector3 import VECTOR3, Vector3
from stoa._generated._video_control import VideoControl


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyObject(SchemaObject):
    """Attributes of any object type: its pose, its parent, and components."""

    animation: Animation | None = None
    """A change of one property over time."""
    animation_mixer: AnimationMixer | None = None
    """The playing clips of a glTF model."""
    armarker: ArMarker | None = None
    """Ties the scene to a marker in the real world."""
    attribution: Attribution | None = None
    """Author and licence of its model."""
    blip: Blip | None = None
    """Lets it appear and disappear with an effect."""
    box_collision_listener: BoxCollisionListener | bool | str | None = None
    """Reports heads and hands in its box."""
    buffer: object | None = None
    """Raw geometry, carried unchanged."""
    click_listener: bool | str | ClickListener | None = None
    """Reports clicks: `true`, an empty text, or an object."""
    collision_listener: str | bool | Mapping[str, object] | None = None
    """Reports collisions."""
    dynamic_body: DynamicBody | None = None
    """A moving body, by the former physics engine. Deprecated."""
    geometry: Geometry | None = None
    """Its form."""
    gltf_model_lod: GltfModelLod | None = None
    """A more detailed model for near by."""
    gltf_morph: GltfMorph | None = None
    """Weight of a morph target."""
    goto_landmark: GotoLandmark | None = None
    """Takes people to a landmark at a click."""
    goto_url: GotoUrl | None = None
    """Opens an address at a click."""
    hide_on_enter_ar: bool | str | None = None
    """Whether it is hidden in AR."""
    hide_on_enter_vr: bool | str | None = None
    """Whether it is hidden in VR."""
    impulse: Impulse | None = None
    """A push, by the former physics engine. Deprecated."""
    jitsi_video: JitsiVideo | None = None
    """Shows a person's video on it."""
    landmark: Landmark | None = None
    """Makes it a place that people can go to."""
    locked: bool | None = None
    """Locks it: editors neither move nor delete it until it is unlocked. Default `false`."""
    look_at: str | Vector3 | None = None
    """Id of an object, or a place, to which it is always turned."""
    material: Material | None = None
    """Look of its surface."""
    material_extras: MaterialExtras | None = None
    """Further properties of its material."""
    model_container: ModelContainer | None = None
    """A box that its model is scaled to fit."""
    modelUpdate: ModelUpdate | None = None
    """Poses of parts of its glTF model."""
    multisrc: MultiSrc | None = None
    """Several pictures, one for each face."""
    parent: str | None = None
    """Id of the object, or of the person, that it belongs to and moves with."""
    physx_body: PhysxBody | None = None
    """Makes it a body of the physics engine."""
    physx_force_pushable: PhysxForcePushable | None = None
    """Lets people push it."""
    physx_grabbable: bool | str | Mapping[str, object] | None = None
    """Whether people may grab it."""
    physx_joint: PhysxJoint | None = None
    """A joint between it and another body."""
    physx_joint_constraint: PhysxJointConstraint | None = None
    """Limits of its joint."""
    physx_joint_driver: PhysxJointDriver | None = None
    """Motors of its joint."""
    physx_material: PhysxMaterial | None = None
    """Friction and bounce of its surface."""
    portal: Portal | None = None
    """Takes people to another scene."""
    position: Position | None = None
    """Position, relative to its parent. In metres."""
    remote_render: RemoteRender | None = None
    """Whether a render server draws it."""
    rotation: Rotation | None = None
    """Rotation, relative to its parent."""
    scale: Scale | None = None
    """Scale along its axes."""
    screenshareable: bool | None = None
    """Whether shared screens may be shown on it."""
    seat: Seat | None = None
    """Lets people sit down."""
    shadow: Shadow | None = None
    """Shadows of it and on it."""
    show_on_enter_ar: bool | str | None = None
    """Whether it is shown in AR only."""
    show_on_enter_vr: bool | str | None = None
    """Whether it is shown in VR only."""
    skipCache: bool | None = None
    """Whether its file is fetched anew each time."""
    sound: Sound | None = None
    """A sound at its place."""
    spe_particles: SpeParticles | None = None
    """A source of particles."""
    static_body: StaticBody | None = None
    """A body at rest, by the former physics engine. Deprecated."""
    submodel_parent: str | None = None
    """Name of the part of the parent's model that it belongs to."""
    textinput: TextInput | None = None
    """A form that opens at an event."""
    ttl: float | None = None
    """Lifetime; -1 is for ever. In seconds. Range: at least -1."""
    url: str | None = None
    """Address of the file that is shown."""
    video_control: VideoControl | None = None
    """A video that starts and stops by clicks."""
    visible: bool | None = None
    """Whether it is drawn. Default `true`."""
    animations: Mapping[str, Animation] = field(default_factory=dict[str, Animation])
    """Further animations, distinguished by the suffix. Keyed by the part after `animation__`."""
    gltf_morphs: Mapping[str, GltfMorph] = field(default_factory=dict[str, GltfMorph])
    """Further morph targets, distinguished by the suffix. Keyed by the part after `gltf-morph__`."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "animation": Attribute("animation", Shape("group", group=Animation)),
        "animation-mixer": Attribute("animation_mixer", Shape("group", group=AnimationMixer)),
        "armarker": Attribute("armarker", Shape("group", group=ArMarker)),
        "attribution": Attribute("attribution", Shape("group", group=Attribution)),
        "blip": Attribute("blip", Shape("group", group=Blip)),
        "box-collision-listener": Attribute("box_collision_listener", Shape("choice", shapes=(Shape("group", group=BoxCollisionListener), Shape("boolean"), Shape("text"),))),
        "buffer": Attribute("buffer", Shape("any")),
        "click-listener": Attribute("click_listener", Shape("choice", shapes=(Shape("boolean"), Shape("text"), Shape("group", group=ClickListener),))),
        "collision-listener": Attribute("collision_listener", Shape("choice", shapes=(Shape("text"), Shape("boolean"), Shape("object"),))),
        "dynamic-body": Attribute("dynamic_body", Shape("group", group=DynamicBody)),
        "geometry": Attribute("geometry", Shape("group", group=Geometry)),
        "gltf-model-lod": Attribute("gltf_model_lod", Shape("group", group=GltfModelLod)),
        "gltf-morph": Attribute("gltf_morph", Shape("group", group=GltfMorph)),
        "goto-landmark": Attribute("goto_landmark", Shape("group", group=GotoLandmark)),
        "goto-url": Attribute("goto_url", Shape("group", group=GotoUrl)),
        "hide-on-enter-ar": Attribute("hide_on_enter_ar", Shape("choice", shapes=(Shape("boolean"), Shape("text"),))),
        "hide-on-enter-vr": Attribute("hide_on_enter_vr", Shape("choice", shapes=(Shape("boolean"), Shape("text"),))),
        "impulse": Attribute("impulse", Shape("group", group=Impulse)),
        "jitsi-video": Attribute("jitsi_video", Shape("group", group=JitsiVideo)),
        "landmark": Attribute("landmark", Shape("group", group=Landmark)),
        "locked": Attribute("locked", Shape("boolean")),
        "look-at": Attribute("look_at", Shape("choice", shapes=(Shape("text"), VECTOR3,))),
        "material": Attribute("material", Shape("group", group=Material)),
        "material-extras": Attribute("material_extras", Shape("group", group=MaterialExtras)),
        "model-container": Attribute("model_container", Shape("group", group=ModelContainer)),
        "modelUpdate": Attribute("modelUpdate", Shape("group", group=ModelUpdate)),
        "multisrc": Attribute("multisrc", Shape("group", group=MultiSrc)),
        "parent": Attribute("parent", Shape("text")),
        "physx-body": Attribute("physx_body", Shape("group", group=PhysxBody)),
        "physx-force-pushable": Attribute("physx_force_pushable", Shape("group", group=PhysxForcePushable)),
        "physx-grabbable": Attribute("physx_grabbable", Shape("choice", shapes=(Shape("boolean"), Shape("text"), Shape("object"),))),
        "physx-joint": Attribute("physx_joint", Shape("group", group=PhysxJoint)),
        "physx-joint-constraint": Attribute("physx_joint_constraint", Shape("group", group=PhysxJointConstraint)),
        "physx-joint-driver": Attribute("physx_joint_driver", Shape("group", group=PhysxJointDriver)),
        "physx-material": Attribute("physx_material", Shape("group", group=PhysxMaterial)),
        "portal": Attribute("portal", Shape("group", group=Portal)),
        "position": Attribute("position", POSITION),
        "remote-render": Attribute("remote_render", Shape("group", group=RemoteRender)),
        "rotation": Attribute("rotation", ROTATION),
        "scale": Attribute("scale", SCALE),
        "screenshareable": Attribute("screenshareable", Shape("boolean")),
        "seat": Attribute("seat", Shape("group", group=Seat)),
        "shadow": Attribute("shadow", Shape("group", group=Shadow)),
        "show-on-enter-ar": Attribute("show_on_enter_ar", Shape("choice", shapes=(Shape("boolean"), Shape("text"),))),
        "show-on-enter-vr": Attribute("show_on_enter_vr", Shape("choice", shapes=(Shape("boolean"), Shape("text"),))),
        "skipCache": Attribute("skipCache", Shape("boolean")),
        "sound": Attribute("sound", Shape("group", group=Sound)),
        "spe-particles": Attribute("spe_particles", Shape("group", group=SpeParticles)),
        "static-body": Attribute("static_body", Shape("group", group=StaticBody)),
        "submodel-parent": Attribute("submodel_parent", Shape("text")),
        "textinput": Attribute("textinput", Shape("group", group=TextInput)),
        "ttl": Attribute("ttl", Shape("number", minimum=-1)),
        "url": Attribute("url", Shape("text")),
        "video-control": Attribute("video_control", Shape("group", group=VideoControl)),
        "visible": Attribute("visible", Shape("boolean")),
    }
    PREFIXES: ClassVar[Mapping[str, Attribute]] = {
        "animation__": Attribute("animations", Shape("group", group=Animation)),
        "gltf-morph__": Attribute("gltf_morphs", Shape("group", group=GltfMorph)),
    }
