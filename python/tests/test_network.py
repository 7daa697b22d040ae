"""The network transport's failures. Tests with the real server cover its successes."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING

import pytest

import stoa
from stoa import Realm

if TYPE_CHECKING:
    from pathlib import Path


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_an_unreachable_address_is_named_in_the_error(scheme: str) -> None:
    async def main() -> None:
        url = f"{scheme}://127.0.0.1:{closed_port()}"
        async with Realm(url) as realm:
            with pytest.raises(stoa.UnreachableError, match=url):
                await realm.scene("public/lobby")
            with pytest.raises(stoa.UnreachableError, match=url):
                await realm.scenes()

    asyncio.run(main())


def test_an_unreadable_ca_file_is_named_in_the_error(tmp_path: Path) -> None:
    async def main() -> None:
        async with Realm("https://127.0.0.1:1", ca_file=tmp_path / "missing.pem") as realm:
            with pytest.raises(stoa.InvalidError, match=r"missing\.pem"):
                await realm.scene("public/lobby")
        broken = tmp_path / "broken.pem"
        broken.write_text("no certificate", "utf-8")
        async with Realm("https://127.0.0.1:1", ca_file=broken) as realm:
            with pytest.raises(stoa.InvalidError, match=r"broken\.pem"):
                await realm.scene("public/lobby")

    asyncio.run(main())
