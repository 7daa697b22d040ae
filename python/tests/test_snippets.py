"""The pages' snippets work: JSON fits the schemas, Python runs against a realm."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from textwrap import indent
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from stoa import Realm, Sphere
from stoa._generated import GROUPS, OBJECT_TYPES, AnyObject, decode_attributes
from stoa._json import is_object
from stoa._schema import AttributeValueError, read

if TYPE_CHECKING:
    from conftest import Server

    from stoa._json import Json

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
REFERENCE = ROOT / "docs" / "objects"
OPTIONS = "scene-options"
SANDBOX = "public/sandbox"
TEST_S_MAX = 60.0


class Snippet(NamedTuple):
    page: Path
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}: {self.text[:60]!r}"


def snippets(language: str) -> list[Snippet]:
    found = [
        (page, each)
        for page in PAGES
        for each in re.findall(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    ]
    return [Snippet(page, text) for page, text in found]


def scripts() -> list[Snippet]:
    """Return the complete scripts, which end by themselves."""
    return [snippet for snippet in snippets("python") if snippet.text.rstrip().endswith("\nasyncio.run(main())")]


def unfit(stem: str, value: Json) -> str | None:
    """Return why a value breaks the schema `stem`, or None. Objects and options are messages, or attributes alone."""
    data = value.get("data") if is_object(value) else None
    try:
        if stem == "arena-message" or not is_object(value) or not is_object(data):
            unfit_value(stem, value)
        elif value.get("type") == OPTIONS:
            for name, option in data.items():
                unfit_value(name, option)
        else:
            decode_attributes("it", data)
    except (AttributeValueError, KeyError) as error:
        return repr(error)
    return None


def unfit_value(stem: str, value: Json) -> None:
    if is_object(value) and (stem in OBJECT_TYPES or value.get("object_type") in OBJECT_TYPES):
        decode_attributes("it", value)
    elif stem == "any-object" and is_object(value):
        AnyObject.from_attributes("it", value)
    else:
        read(GROUPS[stem], value)


def test_json_snippets_of_the_pages_match_their_schemas() -> None:
    found = snippets("json")
    assert len(found) > len(GROUPS) + len(OBJECT_TYPES), "each schema has its example"
    wrong = {snippet.name: why for snippet in found if (why := unfit(snippet.page.stem, json.loads(snippet.text)))}
    assert wrong == {}


@pytest.mark.parametrize(
    ("stem", "value"),
    [
        ("seat", {"facing": 361}),
        ("box", {"data": {"object_type": "box", "width": -1}}),
        ("bloom", {"type": OPTIONS, "data": {"post-processing": {"bloom": {"strength": -1}}}}),
        ("box", {"data": {"object_type": "bowl"}}),
        ("bowl", {"facing": 1}),
    ],
)
def test_json_that_violates_a_schema_is_detected(stem: str, value: Json) -> None:
    assert unfit(stem, value) is not None


def test_each_page_of_an_object_type_or_attribute_has_a_script() -> None:
    have = {snippet.page.stem for snippet in scripts()}
    wanted = set(OBJECT_TYPES) | {stem for stem in AnyObject.ATTRIBUTES if (REFERENCE / f"{stem}.md").exists()}
    assert wanted - have == set()
    assert OPTIONS in have


@pytest.mark.realm
def test_page_scripts_create_the_objects_that_their_pages_json_shows(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(server.folder.parent)
    for snippet in scripts():
        names = {"__name__": "snippet"}
        try:
            exec(compile(snippet.text, snippet.name, "exec"), names)  # noqa: S102  # our own pages
        except Exception as error:
            raise AssertionError(snippet.name) from error
    held = asyncio.run(all_of(server))
    for snippet in snippets("json"):
        message = json.loads(snippet.text)
        if snippet.page.parent != REFERENCE or "data" not in message or message["type"] == OPTIONS:
            continue
        if snippet.page.stem == "arena-message":
            continue
        assert held[message["object_id"]] == message["data"], snippet.name


@pytest.mark.realm
def test_the_lamp_snippet_adds_changes_and_removes_an_object(server: Server) -> None:
    assert asyncio.run(changes_by_the_snippet(server)) == ["come", "changed", "changed", "gone"]


async def changes_by_the_snippet(server: Server) -> list[str]:
    [lamp] = [snippet for snippet in snippets("python") if snippet.text.startswith("lamp = ")]
    names: dict[str, Any] = {"Sphere": Sphere}
    exec(f"async def run(scene):\n{indent(lamp.text, '    ')}", names)  # noqa: S102  # our own pages
    async with asyncio.timeout(TEST_S_MAX), Realm(data_dir=server.folder) as realm:
        scene = await realm.scene(SANDBOX)
        changes = scene.changes()
        await names["run"](scene)
        seen = [await anext(changes) for _ in range(4)]
    return ["come" if change.old is None else "gone" if change.new is None else "changed" for change in seen]


async def all_of(server: Server) -> dict[str, dict[str, Json]]:
    async with Realm(data_dir=server.folder) as realm:
        scene = await realm.scene(SANDBOX)
        return {object_id: dict(state.attributes) for object_id, state in scene.objects.items()}
