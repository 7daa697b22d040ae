"""The entry point of the package: a realm."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Self

from stoa._address import DataFolderLocator, FixedUrlLocator
from stoa._entrance import RealmClient
from stoa._errors import ClosedError, InvalidError, UnreachableError
from stoa._network import RealmNetworkTransport
from stoa._reason import ContractViolationError
from stoa._scene import Scene
from stoa._topic import SceneName
from stoa._transport import ConnectionLostError, RealmAddress

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType

    from stoa._address import RealmAddressFinder
    from stoa._entrance import SceneSummary
    from stoa._transport import RealmTransport


class Realm:
    """A Stoa realm.

    Over the network: `Realm("https://host:8443", token=…, ca_file=…)`. Without a token you are a guest; without
    `ca_file` the system's authorities are trusted. MQTT runs over WebSocket at the same address, or over TLS at
    `mqtt_port`.
    On the realm's own machine: `Realm(data_dir="stoa-data")` reads the address, the authority and an owner's token.

    `wait_s`: how long each call of `scene` waits for a realm that isn't up yet.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        ca_file: str | PathLike[str] | None = None,
        data_dir: str | PathLike[str] | None = None,
        mqtt_port: int | None = None,
        wait_s: float = 0.0,
        transport: RealmTransport | None = None,
    ) -> None:
        locator: RealmAddressFinder
        if url is not None and data_dir is None:
            ca_path = None if ca_file is None else Path(ca_file)
            locator = FixedUrlLocator(RealmAddress(url=url, ca_file=ca_path, mqtt_port=mqtt_port), token)
        elif data_dir is not None and url is None and token is None and ca_file is None and mqtt_port is None:
            locator = DataFolderLocator(Path(data_dir))
        else:
            raise InvalidError("these options", "give either a url, with token, ca_file, mqtt_port, or a data_dir alone")
        self._entrance = RealmClient(transport or RealmNetworkTransport(), locator)
        self._wait_s = wait_s
        self._scenes: list[Scene] = []
        self._group: asyncio.TaskGroup | None = None

    async def scene(self, name: str, *, display_name: str | None = None) -> Scene:
        """Enter `namespace/scene`. Other people see `display_name` with your chat messages.

        Raises `RefusedError` (`NoSuchSceneError`, `NotGrantedError`, `NotSignedInError`), `UnreachableError`,
        `NotRunningError`, `InvalidError`.
        """
        if self._group is None:
            raise ClosedError("a realm is used within `async with Realm(…) as realm`")
        try:
            scene = Scene(SceneName.parse(name), self._entrance, display_name=display_name)
        except ContractViolationError as error:
            raise InvalidError(f"the scene name {name!r}", "it must look like public/lobby") from error
        await scene.enter(self._group, wait_s=self._wait_s)
        self._scenes.append(scene)
        return scene

    async def scenes(self) -> tuple[SceneSummary, ...]:
        """List the scenes that you may enter. Raises `RefusedError`, `UnreachableError`, `NotRunningError`."""
        try:
            return await self._entrance.request_scenes()
        except ConnectionLostError as error:
            raise UnreachableError(str(error)) from error

    async def __aenter__(self) -> Self:
        self._group = await asyncio.TaskGroup().__aenter__()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        group, self._group = self._group, None
        for scene in self._scenes:
            await scene.close()
        if group is not None:
            # The group gets a cancellation, but no other error of the caller, which it would wrap.
            cancelled = isinstance(error, asyncio.CancelledError)
            await group.__aexit__(*((kind, error, trace) if cancelled else (None, None, None)))
