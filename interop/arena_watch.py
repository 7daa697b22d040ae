"""Runs a program of arena-py as it is and writes down, a JSON line each, what of the package it used and what became of what it said.

`python arena_watch.py REPORT PROGRAM`. Python's own profile hook tells of each call; neither the package nor the program is touched.
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
# The arena-py that is found from here is the one that the program will find.
PACKAGE = os.path.join(os.path.dirname(importlib.util.find_spec("arena").origin), "")


def note(kind: str, what: str) -> None:
    """Each fact is written once, and at once: arena-py ends by `os._exit`."""
    if (kind, what) not in seen:
        seen.add((kind, what))
        report.write(json.dumps([kind, what]) + "\n")


def watch(frame: FrameType, event: str, _argument: object) -> None:
    """A hook for `sys.setprofile`."""
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
    """Stoa tells a 3.1.1 client of a refusal on the debug topic (spec/topics.md section 2.4)."""
    if message.topic.split("/")[4:6] == ["d", "stoa"]:
        note("refused", message.payload.decode())


PROGRAM = os.path.abspath(PROGRAM)
sys.argv = [PROGRAM, *sys.argv[3:]]
sys.path[0] = os.path.dirname(PROGRAM)
threading.setprofile(watch)
sys.setprofile(watch)
runpy.run_path(PROGRAM, run_name="__main__")
