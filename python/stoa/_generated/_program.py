# Generated from spec/objects/program.json by cargo xtask gen. Do not edit.
"""`program`: A program of a scene: its file and its runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from stoa._schema import Attribute, AttributeGroup, Shape
from stoa._generated._channel import Channel
from stoa._generated._program_run import ProgramRun


@dataclass(frozen=True, slots=True, kw_only=True)
class Program(AttributeGroup):
    """A program of a scene: its file and its runtime."""

    affinity: Literal["client", "none"] | None = None
    """Preferred runtime. Default `"client"`."""
    args: Sequence[str] | None = None
    """Arguments on its command line."""
    channels: Sequence[Channel] | None = None
    """Topics that it reads and writes. Default `[{"mode":"rw","params":{"topic":"realm/s/${scene}/${namespace}"},"path":"/ch/${scene}","type":"pubsub"}]`."""
    env: Sequence[str] | None = None
    """Its environment variables; names in `${}` are filled in. Default `["MID=${moduleid}","SCENE=${scene}","NAMESPACE=${namespace}","MQTTH=${mqtth}","REALM=realm"]`."""
    file: str | None = None
    """Name of its file."""
    filename: str | None = None
    """Name of its file; write `file` instead. Deprecated."""
    filetype: Literal["WA", "PY"] | None = None
    """WebAssembly or Python. Default `"WA"`."""
    instantiate: Literal["single", "client"] | None = None
    """Whether it runs once, or once for each client. Default `"client"`."""
    location: str | None = None
    """Folder of its file in the file store."""
    name: str | None = None
    """Name of the program, with its namespace."""
    parent: str | None = None
    """Runtime that it runs on."""
    run_info: ProgramRun | None = None
    """Its status while it runs."""
    ATTRIBUTES: ClassVar[Mapping[str, Attribute]] = {
        "affinity": Attribute("affinity", Shape("text", values=("client", "none",))),
        "args": Attribute("args", Shape("array", items=Shape("text"))),
        "channels": Attribute("channels", Shape("array", items=Shape("group", group=Channel))),
        "env": Attribute("env", Shape("array", items=Shape("text"))),
        "file": Attribute("file", Shape("text")),
        "filename": Attribute("filename", Shape("text")),
        "filetype": Attribute("filetype", Shape("text", values=("WA", "PY",))),
        "instantiate": Attribute("instantiate", Shape("text", values=("single", "client",))),
        "location": Attribute("location", Shape("text")),
        "name": Attribute("name", Shape("text")),
        "parent": Attribute("parent", Shape("text")),
        "run_info": Attribute("run_info", Shape("group", group=ProgramRun)),
    }
