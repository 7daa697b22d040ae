"""Script the shared XR scenes of a Stoa realm.

`async with Realm(…) as realm: scene = await realm.scene("public/lobby")`
"""

from stoa import _generated
from stoa._arguments import ObjectAttributes
from stoa._entrance import Me, Role, SceneSummary
from stoa._errors import (
    ClosedError,
    InvalidError,
    LimitError,
    NoSuchSceneError,
    NotGrantedError,
    NotRunningError,
    NotSignedInError,
    NotStoredError,
    RefusedError,
    StoaError,
    UnreachableError,
)
from stoa._generated import *  # noqa: F403  # the generator keeps its list
from stoa._json import Json, JsonObject
from stoa._motion import Motion, Mover, MoverKind, PoseArrays
from stoa._object import SceneObject
from stoa._realm import Realm
from stoa._scene import Scene
from stoa._stream import Stream
from stoa._values import Change, Chat, ClientEvent, ObjectState, Quaternion, Tick, User, Vec3

__all__ = [
    "Change",
    "Chat",
    "ClientEvent",
    "ClosedError",
    "InvalidError",
    "Json",
    "JsonObject",
    "LimitError",
    "Me",
    "Motion",
    "Mover",
    "MoverKind",
    "NoSuchSceneError",
    "NotGrantedError",
    "NotRunningError",
    "NotSignedInError",
    "NotStoredError",
    "ObjectAttributes",
    "ObjectState",
    "PoseArrays",
    "Quaternion",
    "Realm",
    "RefusedError",
    "Role",
    "Scene",
    "SceneObject",
    "SceneSummary",
    "StoaError",
    "Stream",
    "Tick",
    "UnreachableError",
    "User",
    "Vec3",
]
__all__ += _generated.__all__
