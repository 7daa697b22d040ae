"""Runs Eclipse's interoperability suite (eclipse-paho/paho.mqtt.testing) against Stoa and mosquitto.

    git clone https://github.com/eclipse-paho/paho.mqtt.testing SUITE && git -C SUITE checkout COMMIT
    python interop/mqtt_suite.py SUITE --stoa ./stoa

It prints how many cases pass for each version of the protocol. The run fails if fewer cases pass than with mosquitto,
if `mqtt_suite_reasons.toml` lacks the reason of a failing case, or if it has one for a passing case. The suite is never
copied into this repository.
"""

import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import tomllib

COMMIT = "9d7bb80bb8b9d9cfc0b52f8cb4c1916401281103"
VERSIONS = ("3.1.1", "5.0")
HERE = pathlib.Path(__file__).parent
START_S_MAX = 30
CASE_S_MAX = 90
# Parallel servers of each kind and version. The cases mostly sleep, so a run takes minutes.
LANES = 3
# This case needs a forbidden filter, so it alone has a token without that right.
REFUSED_CASE = "test_subscribe_failure"
USER = "suite"
# Wildcards don't cover topics that begin with `$`, so their rights are explicit.
TOPICS = ("TopicA/#", "Topic/#", "/TopicA", "client_test5/#", "$TopicA/#")


class SuiteSetupError(Exception):
    """The environment can't run the suite."""


def wait_for(ready, process):
    deadline_s = time.monotonic() + START_S_MAX
    while not ready():
        if process.poll() is not None or time.monotonic() > deadline_s:
            raise SuiteSetupError("a server did not start; see its log in the folder given by --keep")
        time.sleep(0.05)


def accepts(port):
    with contextlib.closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@contextlib.contextmanager
def running(command, folder):
    """Runs a server for the duration of a `with` block."""
    with (folder / "server.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(START_S_MAX)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextlib.contextmanager
def stoa(binary, folder):
    data = folder / "data"
    doors = [word for door in ("https", "http", "mqtt", "mqtts", "admin", "motion") for word in (f"--{door}", "127.0.0.1:0")]
    with running([binary, "serve", "--data", data, *doors, "--no-open"], folder) as process:
        ports = data / "run" / "ports.json"
        wait_for(lambda: ports.exists() and json.loads(ports.read_text() or "{}").get("pid") == process.pid, process)

        def token(subscribe):
            rights = ["--subscribe", subscribe, *(word for topic in TOPICS for word in ("--publish", topic))]
            command = [binary, "token", "--data", data, "--user", USER, *rights]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

        everything, most = token("#"), token("TopicA/#")
        port = int(json.loads(ports.read_text())["mqtt"].rpartition(":")[2])
        yield port, lambda case: {"SUITE_USER": USER, "SUITE_TOKEN": most if case == REFUSED_CASE else everything}


@contextlib.contextmanager
def mosquitto(binary, folder):
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "mosquitto.conf").write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    with running([binary, "-c", folder / "mosquitto.conf"], folder) as process:
        wait_for(lambda: accepts(port), process)
        yield port, lambda _case: {}


def case_names(suite, version):
    command = [sys.executable, HERE / "mqtt_suite_case.py", suite, version, "0"]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    if not names:
        raise SuiteSetupError(f"no cases for {version} in {suite}")
    return names


def passes(case, log_file, environment):
    with log_file.open("wb") as log:
        command = [sys.executable, HERE / "mqtt_suite_case.py", *case]
        try:
            ended = subprocess.run(command, stdout=log, stderr=log, env={**os.environ, **environment}, timeout=CASE_S_MAX)
        except subprocess.TimeoutExpired:
            log.write(b"\nthe case did not end in time\n")
            return False
    return ended.returncode == 0


def run_cases(start, folder, suite, version, names):
    """Runs some cases of one version in sequence on a new server. Returns case -> passed."""
    folder.mkdir(parents=True)
    with start(folder) as (port, environment):
        run = lambda name: passes((suite, version, str(port), name), folder / f"{name}.log", environment(name))
        return {name: run(name) for name in names}


def try_again(start, folder, suite, version, outcome):
    """Runs each failed case again, alone: some wait for the wrong client's answer and lose a race on a busy machine."""
    failed = [name for name, passed in outcome.items() if not passed]
    if not failed:
        return {}
    again = run_cases(start, folder, suite, version, failed)
    for name in (name for name, passed in again.items() if passed):
        print(f"{version} {name} passed at the second try, alone")
    return again


def check_suite(suite):
    head = subprocess.run(["git", "-C", suite, "rev-parse", "HEAD"], capture_output=True, text=True).stdout.strip()
    changed = subprocess.run(["git", "-C", suite, "status", "--porcelain", "-uno"], capture_output=True, text=True).stdout.strip()
    if head != COMMIT or changed:
        raise SuiteSetupError(
            f"{suite} must be an unchanged checkout of {COMMIT}, but is at {head or 'none'}{' and changed' if changed else ''}"
        )


def verdicts(version, results, reasons):
    """Returns descriptions of a run's faults."""
    ours, theirs = results["stoa"], results["mosquitto"]
    failed = [name for name, passed in ours.items() if not passed]
    unexplained = [f"{version} {name} fails, and no reason is written down" for name in failed if name not in reasons]
    stale = [f"{version} {name} passes, but a reason why it fails is written down" for name in reasons if ours.get(name, False)]
    unknown = [f"{version} {name} has a reason, but the suite has no such case" for name in reasons if name not in ours]
    fewer = (
        [f"{version}: {sum(ours.values())} pass, and {sum(theirs.values())} with mosquitto"]
        if sum(ours.values()) < sum(theirs.values())
        else []
    )
    return unexplained + stale + unknown + fewer


def report(results, reasons, wanted):
    wrong = []
    for version in VERSIONS:
        for server in ("stoa", "mosquitto"):
            outcome = results[server, version]
            print(f"MQTT {version} {server}: {sum(outcome.values())} of {len(outcome)} cases pass")
            for name in sorted(name for name, passed in outcome.items() if not passed):
                reason = re.sub(r"\s+", " ", reasons[version].get(name, "no reason is written down")).strip()
                print(f"    {name}" + (f": {reason}" if server == "stoa" else ""))
        known = {name: reason for name, reason in reasons[version].items() if not wanted or name in wanted}
        wrong += verdicts(version, {server: results[server, version] for server in ("stoa", "mosquitto")}, known)
    for line in wrong:
        print(f"wrong: {line}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path, help=f"a checkout of the suite at {COMMIT}")
    parser.add_argument("--stoa", default="./stoa", help="our binary")
    parser.add_argument("--mosquitto", default=shutil.which("mosquitto") or "/usr/sbin/mosquitto", help="theirs")
    parser.add_argument("--case", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--keep", type=pathlib.Path, help="an empty or new folder for the logs of all cases")
    options = parser.parse_args()
    check_suite(options.suite)
    reasons = tomllib.loads((HERE / "mqtt_suite_reasons.toml").read_text())
    suite, binary = str(options.suite.resolve()), str(pathlib.Path(options.stoa).resolve())
    starts = {"stoa": lambda folder: stoa(binary, folder), "mosquitto": lambda folder: mosquitto(options.mosquitto, folder)}
    names = {version: [name for name in case_names(suite, version) if not options.case or name in options.case] for version in VERSIONS}
    results = {(server, version): {} for server in starts for version in VERSIONS}
    lanes = [(server, version, lane) for server, version in results for lane in range(LANES) if names[version][lane::LANES]]
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(len(lanes)) as pool:
        folder = (options.keep or pathlib.Path(temporary)).resolve()

        def run(lane):
            server, version, number = lane
            return run_cases(starts[server], folder / f"{server}-{version}-{number}", suite, version, names[version][number::LANES])

        for (server, version, _), outcome in zip(lanes, pool.map(run, lanes)):
            results[server, version] |= outcome
        for (server, version), outcome in results.items():
            outcome |= try_again(starts[server], folder / f"{server}-{version}-again", suite, version, outcome)
    return report(results, reasons, options.case)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except SuiteSetupError as problem:
        sys.exit(f"mqtt_suite: {problem}")
