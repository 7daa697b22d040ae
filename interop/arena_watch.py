"""Runs an unmodified program of arena-py and records its use of the package and refusals of its messages.

`python arena_watch.py REPORT PROGRAM` writes one JSON line for each fact. Python's profile hook reports each call, so
neither the package nor the program is changed.
"""

import importlib.util
import json
import os
import runpy
import sys
import threading
from types import FrameType

REPORT, PROGRAM = sys.argv[1:3]
report = open(REPORT, "a", buffering=1)
seen: set[tuple[str, str]] = set()
# The program imports the same arena-py.
PACKAGE = os.path.join(os.path.dirname(importlib.util.find_spec("arena").origin), "")


def note(kind: str, what: str) -> None:
    """Writes each new fact at once, as arena-py ends by `os._exit`."""
    if (kind, what) not in seen:
        seen.add((kind, what))
        report.write(json.dumps([kind, what]) + "\n")


def watch(frame: FrameType, event: str, _argument: object) -> None:
    """The hook of `sys.setprofile`."""
    if event != "call":
        return
    code = frame.f_code
    if code.co_filename == PROGRAM:
        note("own", code.co_name)
    elif code.co_filename.startswith(PACKAGE):
        note("called", code.co_qualname)
        if code.co_name in ("__init__", "new_init") and "self" in frame.f_locals:
            note("made", type(frame.f_locals["self"]).__name__)
        elif code.co_qualname == "ArenaMQTT.on_message_private":
            note_refusal(frame.f_locals["msg"])
        elif code.co_qualname == "PahoMQTTTransport.publish":
            note("published", frame.f_locals["topic"])


def note_refusal(message: object) -> None:
    """Records a refusal. Stoa sends it to an MQTT 3.1.1 client on the debug topic (spec/topics.md section 2.4)."""
    if message.topic.split("/")[4:6] == ["d", "stoa"]:
        note("refused", message.payload.decode())


PROGRAM = os.path.abspath(PROGRAM)
sys.argv = [PROGRAM, *sys.argv[3:]]
sys.path[0] = os.path.dirname(PROGRAM)
threading.setprofile(watch)
sys.setprofile(watch)
runpy.run_path(PROGRAM, run_name="__main__")
