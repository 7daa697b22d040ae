# Generated from spec/objects/program-run.json by cargo xtask gen. Do not edit.
"""`program-run`: Status of a running program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from stoa._schema import Attribute, AttributeGroup, Shape


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRun(AttributeGroup):
    """Status of a running program."""

    args: str | None = None
    """Arguments that it was given."""
    create_time: str | None = None
    """Time of its start."""
    env: str | None = None
    """Environment that it was given."""
    filename: str | None = None
    """File that runs."""
    last_active_time: str | None = None
    """Time of its last activity."""
    last_pub_time: str | None = None
    """Time of its last published message."""
    last_rcv_time: str | None = None
    """Time of its last received message."""
    namespace: str | None = None
    """Namespace of the scene."""
    pub_msgs: int | None = None
    """Number of messages it has published. Range: at least 0."""
    pub_msgs_per_sec: float | None = None
    """Messages it publishes. In messages/s. Range: at least 0."""
    rcv_msgs: int | None = None
    """Number of messages it has received. Range: at least 0."""
    rcv_msgs_per_sec: float | None = None
    """Messages it receives. In messages/s. Range: at least 0."""
    realm: str | None = None
    """First token of its topics."""
    scene: str | None = None
    """Name of the scene."""
    web_host: str | None = None
    """Host of the realm."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "args": Attribute("args", Shape("text")),
        "create_time": Attribute("create_time", Shape("text")),
        "env": Attribute("env", Shape("text")),
        "filename": Attribute("filename", Shape("text")),
        "last_active_time": Attribute("last_active_time", Shape("text")),
        "last_pub_time": Attribute("last_pub_time", Shape("text")),
        "last_rcv_time": Attribute("last_rcv_time", Shape("text")),
        "namespace": Attribute("namespace", Shape("text")),
        "pub_msgs": Attribute("pub_msgs", Shape("integer", minimum=0)),
        "pub_msgs_per_sec": Attribute("pub_msgs_per_sec", Shape("number", minimum=0)),
        "rcv_msgs": Attribute("rcv_msgs", Shape("integer", minimum=0)),
        "rcv_msgs_per_sec": Attribute("rcv_msgs_per_sec", Shape("number", minimum=0)),
        "realm": Attribute("realm", Shape("text")),
        "scene": Attribute("scene", Shape("text")),
        "web_host": Attribute("web_host", Shape("text")),
    }
