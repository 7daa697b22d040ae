"""Prints arena-py's public API as a JSON list of pairs, by introspection. It needs a Python with arena-py."""

import inspect
import json

import arena


def public(names) -> list[str]:
    """Returns the public names."""
    return [name for name in names if not name.startswith("_")]


def surface() -> list[tuple[str, str]]:
    """Returns classes (`made`), methods and properties (`called`), callbacks (`own`), events' attributes (`holds`)."""
    found: set[tuple[str, str]] = set()
    for name in public(dir(arena)):
        offered = getattr(arena, name)
        if not inspect.isclass(offered) or not offered.__module__.startswith("arena."):
            continue
        found.add(("made", name))
        for member, value in vars(offered).items():
            if public([member]) and (callable(value) or isinstance(value, (property, classmethod, staticmethod))):
                found.add(("called", f"{offered.__name__}.{member}"))
        found.update(("own", parameter) for parameter in inspect.signature(offered.__init__).parameters if is_callback(parameter))
    camera = arena.Camera(object_id="anyone", data={"position": {"x": 0, "y": 0, "z": 0}})
    found.update(("own", attribute) for attribute in vars(camera) if is_callback(attribute))
    found.update(("holds", f"Event.{attribute}") for attribute in vars(arena.Event(object_id="anyone")))
    return sorted(found)


def is_callback(name: str) -> bool:
    """Whether a name follows arena-py's convention for callbacks."""
    return name.endswith(("_callback", "_handler"))


print(json.dumps(surface()))
