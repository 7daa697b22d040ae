"""Runs programs of arena-py, unmodified, against a real realm, and counts those that ran.

`python interop/arena_examples.py` runs ours, which together use each public class, method, property and callback of
the package once. The list is read from the package, so a new API of a new version fails until an example uses it.
`--checkout PATH` runs the examples of arena-py's own repository instead. STOA_BIN names the server, ARENA_PYTHON a
Python that has arena-py.
"""

import argparse
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import arena_checkout
from arena_realm import Realm, enter_namespace, program

HERE = Path(__file__).resolve().parent
OURS_LIMIT_S = 40.0
# Examples of arena-py run until they are stopped. Faults show at their start.
THEIRS_LIMIT_S = 12.0
AT_ONCE = 4
# Programs that use an account's sign-in instead of a token in the environment.
SIGNED_IN = {"signed_in.py"}
PASSWORD = "correct horse battery staple"
WRONG = re.compile(r"Traceback|Something went wrong|FAILURE!!!|ERROR: |Connection error|Malformed payload|\[WARNING\] Ignoring error")

# Invalid messages of arena_person.py by refusal reason: on five kinds of topics, and in chat once more.
DEAFENING = {"not_an_object": 25, "not_finite": 5, "reserved_key": 1}

# Internals of the package that are public by name only, and called by no program.
INSIDES = {
    "ArenaCmdInterpreter.*": "a terminal for its developers, off unless ENABLE_INTERPRETER",
    "ArenaMQTT.on_disconnect": "1.6.0 never gets here: the call fails on its number of arguments",
    "BaseObject": "only its subclasses are made",
    "BaseObject.*": "overridden by each of them",
    "BaseObjectJSONEncoder": "made by json.dumps alone",
    "ArenaTelemetry.*": "prints reported faults",
    "update_callback": "from one of its classes to another",
    "Utils.matrix3_to_quat": "not reached with its own matrices",
    "ArenaMQTT": "only Scene and Device are made",
    "ArenaMQTT.process_message": "overridden by both",
    "QueueStats": "a named tuple",
    "Utils": "never made: its methods are the class's",
}


@dataclass
class ProgramRunResult:
    """The result of one program."""

    path: Path
    output: str = ""
    code: int | None = None
    facts: set[tuple[str, str]] = field(default_factory=set)

    def of(self, kind: str) -> set[str]:
        """Returns the facts of one kind that arena_watch.py recorded."""
        return {what for fact, what in self.facts if fact == kind}

    def complaints(self, *, ends_itself: bool) -> list[str]:
        """Returns why this does not count as run; empty if it does."""
        found = sorted(f"refused: {refusal}" for refusal in self.of("refused"))
        found += [line.strip() for line in self.output.splitlines() if WRONG.search(line)][:3]
        if "Connected!" not in self.output:
            found.append("never connected")
        if not any(topic.startswith("realm/") for topic in self.of("published")):
            found.append("published nothing")
        if ends_itself and "example: done" not in self.output:
            found.append("did not come to its end")
        if not ends_itself and self.code not in (None, 0):
            found.append(f"ended with {self.code}")
        return found


class ProgramRunner:
    """Runs programs in a realm, each with its own scene, home folder and token."""

    def __init__(self, realm: Realm, package: str) -> None:
        """`package` is the folder of arena-py; empty for the installed one."""
        self._realm = realm
        self._package = package
        self._python = program("ARENA_PYTHON")
        self._ids = itertools.count()

    def run(self, path: Path, slug: str, limit_s: float) -> ProgramRunResult:
        """Runs one program, for at most `limit_s`."""
        run = ProgramRunResult(path)
        scene = f"alice/{slug}"
        self._realm.run("scene", "create", scene)
        home = self._realm.folder / slug
        home.mkdir()
        report = home / "report"
        environment = self._environment(home, scene) | ({} if path.name in SIGNED_IN else self._token("alice", scene))
        if path.name in SIGNED_IN:
            self._sign_in(home)
        person = self._person(environment | self._token("ada", scene), scene)
        line = [self._python, "-u", str(HERE / "arena_watch.py"), str(report), str(path)]
        with (home / "output").open("w") as output:
            child = subprocess.Popen(
                line, stdout=output, stderr=subprocess.STDOUT, env=environment, cwd=path.parent, stdin=subprocess.DEVNULL
            )
            run.code = wait_for_end(child, limit_s)
        person.kill()
        person.wait()
        run.output = (home / "output").read_text(errors="replace")
        if report.exists():
            run.facts = {tuple(json.loads(line)) for line in report.read_text().splitlines()}
        return run

    def _environment(self, home: Path, scene: str) -> dict[str, str]:
        namespace, name = scene.split("/")
        place = {
            "HOME": str(home),
            "MQTTH": "localhost",
            "NAMESPACE": namespace,
            "SCENE": name,
            "PYTHONPATH": self._package,
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        return os.environ | place

    def _sign_in(self, home: Path) -> None:
        """Writes the sign-in to arena-py's file for Google credentials."""
        self._realm.run("user", "add", "alice", typed=f"{PASSWORD}\n")
        credentials = self._realm.run("google-credentials", "--host", "localhost", "--user", "alice")
        folder = home / ".arena/python/localhost/s"
        folder.mkdir(parents=True)
        (folder / ".arena_google_auth").write_text(credentials)

    def _token(self, user: str, scene: str) -> dict[str, str]:
        return {"ARENA_USERNAME": user, "ARENA_PASSWORD": self._realm.run("token", "--user", user, "--scene", scene)}

    def _person(self, environment: dict[str, str], scene: str) -> subprocess.Popen:
        # Each person needs its own id, as equal ids take over each other's MQTT session.
        return subprocess.Popen([self._python, str(HERE / "arena_person.py"), scene, f"ada_{next(self._ids):010}"], env=environment)


def wait_for_end(child: subprocess.Popen, limit_s: float) -> int | None:
    """Returns the exit code, or None if the program ran until the limit, where SIGINT ends it."""
    try:
        return child.wait(limit_s)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGINT)
    try:
        child.wait(3)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    return None


def run_all(paths: list[Path], limit_s: float, package: str = "") -> tuple[list[ProgramRunResult], dict[str, float]]:
    """Runs programs in their own realm. Also returns the realm's unexpected refusals by reason."""
    with Realm() as realm, ThreadPoolExecutor(AT_ONCE) as pool:
        stage = ProgramRunner(realm, package)
        runs = list(pool.map(lambda numbered: stage.run(numbered[1], f"e{numbered[0]}-{numbered[1].stem}", limit_s), enumerate(paths)))
        return runs, unexpected(realm.refusals(), len(runs))


def unexpected(refused: dict[str, float], persons: int) -> dict[str, float]:
    """Returns refusals that exceed the persons' invalid messages, or lack them.

    A program may end before its person has sent all of them.
    """
    tried = {f'stoa_refused_total{{reason="{reason}"}}': float(count * persons) for reason, count in DEAFENING.items()}
    counts = {reason: refused.get(reason, 0.0) for reason in refused | tried}
    return {reason: count for reason, count in counts.items() if not 0 < count <= tried.get(reason, 0.0)}


def surface(package: str = "") -> set[tuple[str, str]]:
    """Returns the package's API, by arena_surface.py."""
    line = [program("ARENA_PYTHON"), str(HERE / "arena_surface.py")]
    done = subprocess.run(line, capture_output=True, text=True, check=True, env=os.environ | {"PYTHONPATH": package})
    return {(kind, name) for kind, name in json.loads(done.stdout)}


def unused(runs: list[ProgramRunResult]) -> list[str]:
    """Returns the part of the API that none of these programs used."""
    used = set().union(*(run.facts for run in runs))
    return sorted(f"{kind} {name}" for kind, name in surface() - used if kind != "holds" and not inside(name))


def inside(name: str) -> bool:
    """Whether `INSIDES` lists the name or its class."""
    return name in INSIDES or name.partition(".")[0] + ".*" in INSIDES


def tell(runs: list[ProgramRunResult], *, ends_itself: bool, root: Path) -> int:
    """Prints the faults of each program, and returns how many ran."""
    good = 0
    for run in runs:
        complaints = run.complaints(ends_itself=ends_itself)
        good += not complaints
        for complaint in complaints:
            print(f"{run.path.relative_to(root)}: {complaint}")
        if complaints and ends_itself:
            print("    " + "\n    ".join(run.output.splitlines()[-25:]))
    return good


def run_ours() -> bool:
    """Runs our examples, and checks that they use the whole API."""
    started = time.monotonic()
    paths = sorted((HERE / "arena_examples").glob("*.py"))
    runs, refused = run_all(paths, OURS_LIMIT_S)
    good = tell(runs, ends_itself=True, root=HERE)
    missing = unused(runs)
    for name in missing:
        print(f"no example uses: {name}")
    if refused:
        print(f"the realm refused: {refused}")
    print(f"arena-py: {good} of {len(runs)} run; {len(missing)} of what the package offers unused")
    all_good = good == len(runs) and not missing and not refused
    print(f"{good} passed, {len(runs) - good + bool(missing) + bool(refused)} failed in {time.monotonic() - started:.1f}s")
    return all_good


def run_theirs(checkout: Path, *, own: bool) -> bool:
    """Runs the runnable examples of a checkout, with its own package or the installed one."""
    package = str(checkout) if own else ""
    paths, left_out = arena_checkout.examples(checkout, {name for _, name in surface(package)})
    runs, refused = run_all(paths, THEIRS_LIMIT_S, package)
    good = tell(runs, ends_itself=False, root=checkout)
    for path, reason in left_out:
        print(f"left out: {path.relative_to(checkout)}: {reason}")
    if refused:
        print(f"the realm refused: {refused}")
    print(f"arena-py's own: {good} of {len(runs)} run; {len(left_out)} left out, of {len(runs) + len(left_out)} files")
    return good == len(runs) and not refused


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checkout", type=Path, help="a checkout of arena-py's repository, whose examples are run instead")
    parser.add_argument("--own", action="store_true", help="with the checkout's own arena-py, not the installed one")
    arguments = parser.parse_args()
    enter_namespace()
    good = run_theirs(arguments.checkout.resolve(), own=arguments.own) if arguments.checkout else run_ours()
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
