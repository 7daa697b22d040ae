from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stoa._json import Json, JsonObject, encode, parse
from stoa._merge import changed_keys, merged, without_nulls

leaves = st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab", max_size=2)
keys = st.sampled_from(["a", "b", "c"])


def objects(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[JsonObject]:
    return st.dictionaries(keys, inner, max_size=3)


values: st.SearchStrategy[Json] = st.recursive(leaves, lambda inner: objects(inner) | st.lists(inner, max_size=2), max_leaves=8)
attributes = objects(values)


def without_null_leaves(value: Json) -> bool:
    return not isinstance(value, dict) or all(each is not None and without_null_leaves(each) for each in value.values())


def test_merging_replaces_lists_and_removes_null_keys() -> None:
    old: JsonObject = {"material": {"color": "#fff", "opacity": 1}, "list": [1, 2], "parent": "table"}
    patch: JsonObject = {"material": {"opacity": None}, "list": [3], "parent": None, "new": {"a": None}}
    assert merged(old, patch) == {"material": {"color": "#fff"}, "list": [3], "new": {}}


@given(attributes, attributes)
def test_merging_a_patch_twice_equals_merging_it_once(old: JsonObject, patch: JsonObject) -> None:
    once = merged(old, patch)
    assert merged(once, patch) == once


@given(attributes, attributes)
def test_merging_leaves_its_arguments_alone(old: JsonObject, patch: JsonObject) -> None:
    before = encode(old), encode(patch)
    merged(old, patch)
    assert (encode(old), encode(patch)) == before


@given(attributes)
def test_an_empty_patch_changes_nothing(old: JsonObject) -> None:
    assert merged(old, {}) == old
    assert changed_keys(old, merged(old, {})) == frozenset()


@given(attributes)
def test_without_nulls_removes_every_null_leaf(patch: JsonObject) -> None:
    assert without_null_leaves(without_nulls(patch))


@given(attributes, attributes)
def test_keys_outside_the_patch_keep_their_values(old: JsonObject, patch: JsonObject) -> None:
    result = merged(old, patch)
    assert all(result[key] == old[key] for key in old.keys() - patch.keys())
    assert changed_keys(old, result) <= patch.keys()


@given(attributes)
def test_attributes_survive_a_json_round_trip(value: JsonObject) -> None:
    assert parse(encode(value)) == value
