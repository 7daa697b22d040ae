# Generated from spec/objects/*.json by cargo xtask gen. Do not edit.
"""Types of scene objects and their components, with ARENA's attribute names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from stoa._schema import Shape, read_object
from stoa._generated._animation import Animation
from stoa._generated._animation_mixer import AnimationMixer
from stoa._generated._any_object import AnyObject
from stoa._generated._ar_hit_test import ArHitTest
from stoa._generated._arena_message import ArenaMessage
from stoa._generated._arena_user import ArenaUser
from stoa._generated._arenaui_button_panel import ArenaUiButtonPanel
from stoa._generated._arenaui_card import ArenaUiCard
from stoa._generated._arenaui_prompt import ArenaUiPrompt
from stoa._generated._armarker import ArMarker
from stoa._generated._attribution import Attribution
from stoa._generated._blip import Blip
from stoa._generated._bloom import Bloom
from stoa._generated._box import Box
from stoa._generated._box_collision_listener import BoxCollisionListener
from stoa._generated._button import Button
from stoa._generated._camera import Camera
from stoa._generated._camera_override import CameraOverride
from stoa._generated._capsule import Capsule
from stoa._generated._channel import Channel
from stoa._generated._circle import Circle
from stoa._generated._click_listener import ClickListener
from stoa._generated._click_pos import CLICK_POS, ClickPos
from stoa._generated._cone import Cone
from stoa._generated._cube import Cube
from stoa._generated._cylinder import Cylinder
from stoa._generated._dodecahedron import Dodecahedron
from stoa._generated._dynamic_body import DynamicBody
from stoa._generated._entity import Entity
from stoa._generated._env_presets import EnvPresets
from stoa._generated._event import ClientEventAttributes
from stoa._generated._fxaa import Fxaa
from stoa._generated._gaussian_splatting import GaussianSplatting
from stoa._generated._geometry import Geometry
from stoa._generated._glitch import Glitch
from stoa._generated._gltf_model import GltfModel
from stoa._generated._gltf_model_lod import GltfModelLod
from stoa._generated._gltf_morph import GltfMorph
from stoa._generated._goto_landmark import GotoLandmark
from stoa._generated._goto_url import GotoUrl
from stoa._generated._hand_left import HandLeft
from stoa._generated._hand_right import HandRight
from stoa._generated._head_model import HeadModel
from stoa._generated._icosahedron import Icosahedron
from stoa._generated._image import Image
from stoa._generated._impulse import Impulse
from stoa._generated._jitsi_video import JitsiVideo
from stoa._generated._landmark import Landmark
from stoa._generated._light import Light
from stoa._generated._line import Line
from stoa._generated._look_at import LookAt
from stoa._generated._material import Material
from stoa._generated._material_extras import MaterialExtras
from stoa._generated._model_container import ModelContainer
from stoa._generated._model_update import ModelUpdate
from stoa._generated._multisrc import MultiSrc
from stoa._generated._obj_model import ObjModel
from stoa._generated._ocean import Ocean
from stoa._generated._octahedron import Octahedron
from stoa._generated._openvps import OpenVps
from stoa._generated._panel import Panel
from stoa._generated._pcd_model import PcdModel
from stoa._generated._physics import Physics
from stoa._generated._physx_body import PhysxBody
from stoa._generated._physx_force_pushable import PhysxForcePushable
from stoa._generated._physx_joint import PhysxJoint
from stoa._generated._physx_joint_constraint import PhysxJointConstraint
from stoa._generated._physx_joint_driver import PhysxJointDriver
from stoa._generated._physx_material import PhysxMaterial
from stoa._generated._pixel import Pixel
from stoa._generated._plane import Plane
from stoa._generated._portal import Portal
from stoa._generated._position import POSITION, Position
from stoa._generated._post_processing import PostProcessing
from stoa._generated._program import Program
from stoa._generated._program_run import ProgramRun
from stoa._generated._remote_render import RemoteRender
from stoa._generated._renderer_settings import RendererSettings
from stoa._generated._ring import Ring
from stoa._generated._rotation import ROTATION, Rotation
from stoa._generated._roundedbox import RoundedBox
from stoa._generated._sao import Sao
from stoa._generated._scale import SCALE, Scale
from stoa._generated._scene_options import SceneOptions
from stoa._generated._seat import Seat
from stoa._generated._shadow import Shadow
from stoa._generated._smaa import Smaa
from stoa._generated._sound import Sound
from stoa._generated._spe_particles import SpeParticles
from stoa._generated._sphere import Sphere
from stoa._generated._ssao import Ssao
from stoa._generated._static_body import StaticBody
from stoa._generated._stoa_user import StoaUser
from stoa._generated._teleport_to_landmark import TeleportToLandmark
from stoa._generated._template_container import TemplateContainer
from stoa._generated._tetrahedron import Tetrahedron
from stoa._generated._text import Text
from stoa._generated._textinput import TextInput
from stoa._generated._thickline import ThickLine
from stoa._generated._threejs_scene import ThreejsScene
from stoa._generated._torus import Torus
from stoa._generated._torus_knot import TorusKnot
from stoa._generated._triangle import Triangle
from stoa._generated._urdf_model import UrdfModel
from stoa._generated._vector2 import VECTOR2, Vector2
from stoa._generated._vector3 import VECTOR3, Vector3
from stoa._generated._video_control import VideoControl
from stoa._generated._videosphere import VideoSphere

SceneAttributes: TypeAlias = ArenaUiButtonPanel | ArenaUiCard | ArenaUiPrompt | Box | Camera | Capsule | Circle | Cone | Cube | Cylinder | Dodecahedron | Entity | GaussianSplatting | GltfModel | HandLeft | HandRight | Icosahedron | Image | Light | Line | LookAt | ObjModel | Ocean | Octahedron | PcdModel | Plane | Ring | RoundedBox | Sphere | TeleportToLandmark | TemplateContainer | Tetrahedron | Text | ThickLine | ThreejsScene | Torus | TorusKnot | Triangle | UrdfModel | VideoSphere
"""An object of any known type."""

OBJECT_TYPES: Mapping[str, type[AnyObject]] = {
    "arenaui-button-panel": ArenaUiButtonPanel,
    "arenaui-card": ArenaUiCard,
    "arenaui-prompt": ArenaUiPrompt,
    "box": Box,
    "camera": Camera,
    "capsule": Capsule,
    "circle": Circle,
    "cone": Cone,
    "cube": Cube,
    "cylinder": Cylinder,
    "dodecahedron": Dodecahedron,
    "entity": Entity,
    "gaussian_splatting": GaussianSplatting,
    "gltf-model": GltfModel,
    "handLeft": HandLeft,
    "handRight": HandRight,
    "icosahedron": Icosahedron,
    "image": Image,
    "light": Light,
    "line": Line,
    "look-at": LookAt,
    "obj-model": ObjModel,
    "ocean": Ocean,
    "octahedron": Octahedron,
    "pcd-model": PcdModel,
    "plane": Plane,
    "ring": Ring,
    "roundedbox": RoundedBox,
    "sphere": Sphere,
    "teleport-to-landmark": TeleportToLandmark,
    "templateContainer": TemplateContainer,
    "tetrahedron": Tetrahedron,
    "text": Text,
    "thickline": ThickLine,
    "threejs-scene": ThreejsScene,
    "torus": Torus,
    "torusKnot": TorusKnot,
    "triangle": Triangle,
    "urdf-model": UrdfModel,
    "videosphere": VideoSphere,
}
"""The class of each `object_type`."""

GROUPS: Mapping[str, Shape] = {
    "animation": Shape("group", group=Animation),
    "animation-mixer": Shape("group", group=AnimationMixer),
    "ar-hit-test": Shape("group", group=ArHitTest),
    "arena-message": Shape("group", group=ArenaMessage),
    "arena-user": Shape("group", group=ArenaUser),
    "armarker": Shape("group", group=ArMarker),
    "attribution": Shape("group", group=Attribution),
    "blip": Shape("group", group=Blip),
    "bloom": Shape("group", group=Bloom),
    "box-collision-listener": Shape("group", group=BoxCollisionListener),
    "button": Shape("group", group=Button),
    "camera-override": Shape("group", group=CameraOverride),
    "channel": Shape("group", group=Channel),
    "click-listener": Shape("group", group=ClickListener),
    "clickPos": CLICK_POS,
    "dynamic-body": Shape("group", group=DynamicBody),
    "env-presets": Shape("group", group=EnvPresets),
    "event": Shape("group", group=ClientEventAttributes),
    "fxaa": Shape("group", group=Fxaa),
    "geometry": Shape("group", group=Geometry),
    "glitch": Shape("group", group=Glitch),
    "gltf-model-lod": Shape("group", group=GltfModelLod),
    "gltf-morph": Shape("group", group=GltfMorph),
    "goto-landmark": Shape("group", group=GotoLandmark),
    "goto-url": Shape("group", group=GotoUrl),
    "head-model": Shape("group", group=HeadModel),
    "impulse": Shape("group", group=Impulse),
    "jitsi-video": Shape("group", group=JitsiVideo),
    "landmark": Shape("group", group=Landmark),
    "material": Shape("group", group=Material),
    "material-extras": Shape("group", group=MaterialExtras),
    "model-container": Shape("group", group=ModelContainer),
    "modelUpdate": Shape("group", group=ModelUpdate),
    "multisrc": Shape("group", group=MultiSrc),
    "openvps": Shape("group", group=OpenVps),
    "panel": Shape("group", group=Panel),
    "physics": Shape("group", group=Physics),
    "physx-body": Shape("group", group=PhysxBody),
    "physx-force-pushable": Shape("group", group=PhysxForcePushable),
    "physx-joint": Shape("group", group=PhysxJoint),
    "physx-joint-constraint": Shape("group", group=PhysxJointConstraint),
    "physx-joint-driver": Shape("group", group=PhysxJointDriver),
    "physx-material": Shape("group", group=PhysxMaterial),
    "pixel": Shape("group", group=Pixel),
    "portal": Shape("group", group=Portal),
    "position": POSITION,
    "post-processing": Shape("group", group=PostProcessing),
    "program": Shape("group", group=Program),
    "program-run": Shape("group", group=ProgramRun),
    "remote-render": Shape("group", group=RemoteRender),
    "renderer-settings": Shape("group", group=RendererSettings),
    "rotation": ROTATION,
    "sao": Shape("group", group=Sao),
    "scale": SCALE,
    "scene-options": Shape("group", group=SceneOptions),
    "seat": Shape("group", group=Seat),
    "shadow": Shape("group", group=Shadow),
    "smaa": Shape("group", group=Smaa),
    "sound": Shape("group", group=Sound),
    "spe-particles": Shape("group", group=SpeParticles),
    "ssao": Shape("group", group=Ssao),
    "static-body": Shape("group", group=StaticBody),
    "stoa-user": Shape("group", group=StoaUser),
    "textinput": Shape("group", group=TextInput),
    "vector2": VECTOR2,
    "vector3": VECTOR3,
    "video-control": Shape("group", group=VideoControl),
}
"""Components, values, options and messages, by the name of their schema."""


def decode_attributes(object_id: str, attributes: Mapping[str, object]) -> AnyObject:
    """Check and decode attributes by their `object_type`. Raises AttributeValueError."""
    return read_object(OBJECT_TYPES, object_id, attributes)


__all__ = [
    "GROUPS",
    "OBJECT_TYPES",
    "Animation",
    "AnimationMixer",
    "AnyObject",
    "ArHitTest",
    "ArMarker",
    "ArenaMessage",
    "ArenaUiButtonPanel",
    "ArenaUiCard",
    "ArenaUiPrompt",
    "ArenaUser",
    "Attribution",
    "Blip",
    "Bloom",
    "Box",
    "BoxCollisionListener",
    "Button",
    "Camera",
    "CameraOverride",
    "Capsule",
    "Channel",
    "Circle",
    "ClickListener",
    "ClickPos",
    "ClientEventAttributes",
    "Cone",
    "Cube",
    "Cylinder",
    "Dodecahedron",
    "DynamicBody",
    "Entity",
    "EnvPresets",
    "Fxaa",
    "GaussianSplatting",
    "Geometry",
    "Glitch",
    "GltfModel",
    "GltfModelLod",
    "GltfMorph",
    "GotoLandmark",
    "GotoUrl",
    "HandLeft",
    "HandRight",
    "HeadModel",
    "Icosahedron",
    "Image",
    "Impulse",
    "JitsiVideo",
    "Landmark",
    "Light",
    "Line",
    "LookAt",
    "Material",
    "MaterialExtras",
    "ModelContainer",
    "ModelUpdate",
    "MultiSrc",
    "ObjModel",
    "Ocean",
    "Octahedron",
    "OpenVps",
    "Panel",
    "PcdModel",
    "Physics",
    "PhysxBody",
    "PhysxForcePushable",
    "PhysxJoint",
    "PhysxJointConstraint",
    "PhysxJointDriver",
    "PhysxMaterial",
    "Pixel",
    "Plane",
    "Portal",
    "Position",
    "PostProcessing",
    "Program",
    "ProgramRun",
    "RemoteRender",
    "RendererSettings",
    "Ring",
    "Rotation",
    "RoundedBox",
    "Sao",
    "Scale",
    "SceneAttributes",
    "SceneOptions",
    "Seat",
    "Shadow",
    "Smaa",
    "Sound",
    "SpeParticles",
    "Sphere",
    "Ssao",
    "StaticBody",
    "StoaUser",
    "TeleportToLandmark",
    "TemplateContainer",
    "Tetrahedron",
    "Text",
    "TextInput",
    "ThickLine",
    "ThreejsScene",
    "Torus",
    "TorusKnot",
    "Triangle",
    "UrdfModel",
    "Vector2",
    "Vector3",
    "VideoControl",
    "VideoSphere",
    "decode_attributes",
]
