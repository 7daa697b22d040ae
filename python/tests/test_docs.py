"""The pages agree with the package."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from scripted_plane import ScriptedPlane
from scripted_realm import SCENE, ScriptedRealm
from virtual_time import virtual_time

import stoa
import stoa._errors as errors
from stoa import _generated
from stoa._motion_frame import OwnPose

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", [PAGE, README], ids=["tutorial", "readme"])
def test_the_first_script_of_a_page_equals_hello_py(page: str) -> None:
    script = re.search(r"```python\n(import asyncio.*?)```", page, re.DOTALL)
    assert script is not None
    example = (ROOT / "examples" / "hello.py").read_text("utf-8")
    without_docstrings = re.sub(r'^\s*""".*?"""\n\n?', "", example, flags=re.DOTALL | re.MULTILINE)
    assert script.group(1) == without_docstrings


@virtual_time
async def test_motion_snippets_of_the_pages_run_and_store_the_final_position() -> None:
    snippets = [each for page in (README, PAGE) for each in re.findall(r"```python\n(async with scene.motion.*?)```", page, re.DOTALL)]
    ending = [each for each in snippets if "motion.entered()" not in each]
    assert len(ending) == 2
    for snippet in ending:
        plane = ScriptedPlane()
        names: dict[str, Any] = {"asyncio": asyncio, "math": math}
        exec(f"async def run(scene, box):\n{indent(snippet, '    ')}", names)  # noqa: S102  # our own pages
        async with stoa.Realm("https://realm.test:8443", transport=ScriptedRealm(plane=plane)) as entered:
            scene = await entered.scene(SCENE)
            box = await scene.add(stoa.Box(object_id="hello-box"))
            await names["run"](scene, box)
            moved = [said.pose.position for frame in plane.frames for said in frame.entries if isinstance(said, OwnPose)]
            assert len(set(moved)) > 100
            if "box.update" in snippet:
                assert scene.objects["hello-box"].attributes["position"] == {"x": 1.2, "y": 1.5, "z": -1.5}


@virtual_time
async def test_each_line_of_the_lamp_snippet_matches_its_comment() -> None:
    snippet = re.search(r"```python\n(lamp = await scene\.add.*?)```", PAGE, re.DOTALL)
    assert snippet is not None
    lines = snippet.group(1).rstrip().split("\n")
    seen: list[dict[str, Any]] = []
    async with stoa.Realm("https://realm.test:8443", transport=ScriptedRealm()) as entered:
        scene = await entered.scene(SCENE)
        names: dict[str, Any] = {"scene": scene, "lamp": None, "Sphere": stoa.Sphere}
        for line in lines:
            exec(f"async def run(scene, lamp):\n    {line}\n    return lamp", names)  # noqa: S102  # our own page
            names["lamp"] = await names["run"](scene, names["lamp"])
            seen.append(json.loads(json.dumps(dict(scene.objects["my-lamp"].attributes))) if "my-lamp" in scene.objects else {})
    added, changed, without, gone = seen
    assert changed != added
    assert {key: at for key, at in changed.items() if key not in {"material", "position"}} == {
        key: at for key, at in added.items() if key not in {"material", "position"}
    }
    assert "opacity" in changed["material"]
    assert without == {**changed, "material": {key: at for key, at in changed["material"].items() if key != "opacity"}}
    assert gone == {}


def test_the_error_tree_of_the_python_page_matches_the_module() -> None:
    drawn = (errors.__doc__ or "").split("\n\n", 1)[1].rstrip()
    assert drawn in PAGE


def test_the_python_page_names_every_handwritten_export() -> None:
    exported: list[str] = vars(stoa)["__all__"]
    own = exported[: -len(_generated.__all__)]
    assert "Realm" in own
    assert [name for name in own if not re.search(rf"\b{name}\b", PAGE)] == []
