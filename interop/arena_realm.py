"""A realm for third-party clients: the real binary on the ports that they expect, with a temporary data folder."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
READY_S = 60.0
POLL_S = 0.05
ADMIN = "127.0.0.1:8445"
# arena-py has no setting for other ports in the environment, and its examples name none.
PORTS = [
    *("--https", "127.0.0.1:443"),
    *("--http", "127.0.0.1:8080"),
    *("--mqtt", "127.0.0.1:1883"),
    *("--mqtts", "127.0.0.1:8883"),
    *("--admin", ADMIN),
]


def enter_namespace() -> None:
    """Starts this script again in its own network namespace, where the ports 443 and 8883 are free."""
    if os.environ.get("STOA_IN_NAMESPACE") == "1":
        return
    for way in (["unshare", "--net"], ["unshare", "--user", "--map-root-user", "--net"]):
        works = subprocess.run([*way, "ip", "link", "set", "lo", "up"], capture_output=True, check=False).returncode == 0
        if works:
            os.environ["STOA_IN_NAMESPACE"] = "1"
            os.execvp(way[0], [*way, str(REPOSITORY / "deploy/in-netns.sh"), sys.executable, *sys.argv])
    sys.exit("no network namespace can be made here: it takes root or user namespaces, and the programs unshare and ip")


def program(variable: str) -> str:
    """Returns the path of a program from an environment variable. Exits with a hint if it is unset."""
    found = os.environ.get(variable)
    if not found:
        sys.exit(f"{variable} is not set; see interop/README.md")
    return found


class Realm:
    """Runs `stoa serve` for the duration of a `with` block."""

    def __init__(self, *options: str) -> None:
        """`options` are additional options of `stoa serve`."""
        self._binary = program("STOA_BIN")
        self._options = options
        self.folder = Path(tempfile.mkdtemp(prefix="stoa-interop-"))

    def __enter__(self) -> "Realm":
        self._log = (self.folder / "serve.log").open("w")
        line = [self._binary, "serve", "--data", str(self.folder / "realm"), "--no-open", *PORTS, *self._options]
        self._server = subprocess.Popen(line, stdout=self._log, stderr=subprocess.STDOUT)
        until(lambda: self._names_this_server(), READY_S, "the realm is ready")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.terminate()
        self._server.wait()
        self._log.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _names_this_server(self) -> bool:
        if self._server.poll() is not None:
            sys.exit(f"the realm ended:\n{(self.folder / 'serve.log').read_text()}")
        ports = self.folder / "realm/run/ports.json"
        return ports.exists() and json.loads(ports.read_text())["pid"] == self._server.pid

    def run(self, *words: str, typed: str = "") -> str:
        """Runs a command of `stoa` with the input `typed` and returns its output. Exits if it fails."""
        line = [self._binary, *words, "--data", str(self.folder / "realm")]
        done = subprocess.run(line, input=typed, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"stoa {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout.strip()

    def refusals(self) -> dict[str, float]:
        """Returns the numbers of refused messages by reason, since the realm's start."""
        with urllib.request.urlopen(f"http://{ADMIN}/metrics") as answer:
            lines = answer.read().decode().splitlines()
        counted = (line.rsplit(" ", 1) for line in lines if line.startswith("stoa_refused_total"))
        return {labels: float(count) for labels, count in counted if float(count) > 0}


def until(holds, patience_s: float, what: str) -> None:
    """Waits for a condition. Exits at the timeout."""
    end = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"waited {patience_s} s in vain until {what}")
        time.sleep(POLL_S)
