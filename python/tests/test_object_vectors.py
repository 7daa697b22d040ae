"""Runs the object vectors, as Rust and TypeScript do, and tests the Python types."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

import pytest

from stoa._generated import GROUPS, OBJECT_TYPES, AnyObject, Box, Light, Material, decode_attributes
from stoa._json import is_object
from stoa._schema import AttributeValueError, ViolationReason, read

if TYPE_CHECKING:
    from stoa._json import Json

VECTORS = Path(__file__).parents[2] / "spec" / "vectors" / "objects"


class Case(NamedTuple):
    stem: str
    name: str
    json: Json
    valid: bool
    error_path: str | None


def all_cases() -> list[Case]:
    return [
        Case(path.stem, case["name"], case["json"], case["valid"], case.get("error_path"))
        for path in sorted(VECTORS.glob("*.json"))
        for case in json.loads(path.read_text(encoding="utf-8"))
    ]


def decode(case: Case) -> object:
    if case.stem in OBJECT_TYPES and is_object(case.json):
        return decode_attributes("lamp", case.json)
    if case.stem in GROUPS:
        return read(GROUPS[case.stem], case.json)
    if is_object(case.json):
        return AnyObject.from_attributes("lamp", case.json)
    raise AttributeValueError(ViolationReason.WRONG_TYPE)


def wrong_path(case: Case) -> str | None:
    try:
        decode(case)
    except AttributeValueError as error:
        return error.path
    return None


def without_nulls(value: Json) -> Json:
    if is_object(value):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def test_object_vectors_are_accepted_or_refused_at_their_path() -> None:
    cases = all_cases()
    for case in cases:
        path = wrong_path(case)
        assert (path is None) == case.valid, f"{case.name}: {path}"
        assert path == case.error_path, case.name
    sys.stdout.write(f"\nvectors objects: {len(cases)} run, 0 skipped\n")
    assert cases, "no vectors found"


def test_valid_object_vectors_survive_a_round_trip_except_for_nulls() -> None:
    objects = [case for case in all_cases() if case.valid and case.stem in OBJECT_TYPES]
    for case in objects:
        assert is_object(case.json)
        assert decode_attributes("lamp", case.json).to_attributes() == without_nulls(case.json), case.name
    assert objects, "negative control: something was encoded"


def test_position_and_rotation_are_tuples_in_python_and_objects_on_the_wire() -> None:
    box = Box(object_id="lamp", position=(0.0, 1.5, -2.0), rotation=(0.0, 0.0, 0.0, 1.0))
    attributes = box.to_attributes()
    assert attributes == {
        "object_type": "box",
        "position": {"x": 0.0, "y": 1.5, "z": -2.0},
        "rotation": {"x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0},
    }
    assert Box.from_attributes("lamp", attributes) == box


def test_euler_angles_in_degrees_become_a_quaternion() -> None:
    box = Box.from_attributes("lamp", {"rotation": {"x": 0, "y": 90, "z": 0}})
    assert box.rotation == pytest.approx((0.0, math.sqrt(0.5), 0.0, math.sqrt(0.5)))


def test_encoding_an_attribute_out_of_range_raises_an_error_with_its_path() -> None:
    with pytest.raises(AttributeValueError, match=r"material\.opacity.*out of range"):
        Box(object_id="lamp", material=Material(opacity=2.0)).to_attributes()


def test_encoding_a_position_of_two_numbers_raises_an_error_with_its_path() -> None:
    assert Box(object_id="lamp", position=(1.0, 2.0, 3.0)).to_attributes()["position"] == {"x": 1.0, "y": 2.0, "z": 3.0}
    with pytest.raises(AttributeValueError, match=r"position.*wrong type"):
        Box(object_id="lamp", position=cast("tuple[float, float, float]", (1.0, 2.0))).to_attributes()


def test_attributes_of_another_type_are_refused() -> None:
    with pytest.raises(AttributeValueError, match="object_type"):
        Light.from_attributes("lamp", {"object_type": "box"})
