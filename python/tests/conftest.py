"""Fixture of the real server, for tests marked `realm`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

# A background job of a shell ignores SIGINT. Child processes inherit an ignored signal, but not a handled one.
signal.signal(signal.SIGINT, signal.default_int_handler)

START_S_MAX = 30.0
ANY_PORT = "127.0.0.1:0"


class Server:
    """Runs `stoa serve` on its own folder."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.folder = folder
        self.binary = binary
        self._running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        addresses = [word for flag in ("https", "http", "mqtt", "mqtts", "admin", "motion") for word in (f"--{flag}", ANY_PORT)]
        with (self.folder.parent / "server.log").open("ab") as log:
            self._running = subprocess.Popen(  # noqa: S603  # the binary under test
                [self.binary, "serve", "--data", self.folder, *addresses, "--no-open"], stdout=log, stderr=log
            )
        ports = self.folder / "run" / "ports.json"
        deadline_s = time.monotonic() + START_S_MAX
        while not self._is_ready(ports):
            if self._running.poll() is not None or time.monotonic() > deadline_s:
                self.stop()
                pytest.fail(f"the server did not start:\n{self.log()}")
            # The server writes the file when it is ready, and polling is the only way to notice.
            time.sleep(0.02)

    def _is_ready(self, ports: Path) -> bool:
        return self._running is not None and ports.exists() and f'"pid":{self._running.pid}' in ports.read_text("utf-8").replace(" ", "")

    def kill(self) -> None:
        if self._running is not None:
            self._running.send_signal(signal.SIGKILL)
            self._running.wait()

    def stop(self) -> None:
        if self._running is not None and self._running.poll() is None:
            self._running.terminate()
            self._running.wait(START_S_MAX)

    def log(self) -> str:
        return (self.folder.parent / "server.log").read_text("utf-8", "replace")[-4_000:]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Start a realm in `tmp_path / "stoa-data"` and wait until it is ready."""
    binary = os.environ.get("STOA_BIN")
    if not binary:
        pytest.fail("tests marked `realm` need the built server: STOA_BIN=target/debug/stoa")
    server = Server(Path(binary).resolve(), tmp_path / "stoa-data")
    server.folder.mkdir()
    server.start()
    try:
        yield server
    finally:
        server.stop()
