"""Handle to one object of a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from stoa._json import Json
    from stoa._scene import Scene
    from stoa._stream import Stream
    from stoa._values import ClientEvent, ObjectState


class SceneObject:
    """Handle to one object of a scene. The object may be created, changed and removed during the handle's life."""

    def __init__(self, scene: Scene, object_id: str) -> None:
        self._scene = scene
        self._object_id = object_id

    @property
    def object_id(self) -> str:
        """The object's id."""
        return self._object_id

    @property
    def state(self) -> ObjectState | None:
        """The object's current state, None if it doesn't exist."""
        return self._scene.objects.get(self._object_id)

    @property
    def attributes(self) -> Mapping[str, Json]:
        """The current attributes by ARENA's names, empty if the object doesn't exist."""
        state = self.state
        return {} if state is None else state.attributes

    def clicks(self) -> Stream[ClientEvent]:
        """Follow clicks on the object, which must have `click_listener`."""
        return self.events("mousedown")

    def events(self, of_type: str | None = None) -> Stream[ClientEvent]:
        """Follow people's events on the object: all, or those of one type."""
        return self._scene.events(of_type, target=self)

    async def update(
        self,
        *,
        persist: bool | None = None,
        overwrite: bool = False,
        ttl_s: float | None = None,
        **attributes: object,
    ) -> None:
        """Change the object, as `Scene.update` does."""
        await self._scene.update(self, persist=persist, overwrite=overwrite, ttl_s=ttl_s, **attributes)

    async def remove(self) -> None:
        """Remove the object, as `Scene.remove` does."""
        await self._scene.remove(self)

    def __repr__(self) -> str:
        return f"SceneObject({self._object_id!r} in {self._scene.name})"
