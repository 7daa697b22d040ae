"""Runs one unmodified case of Eclipse's interoperability suite, or lists the cases' names without CASE.

`mqtt_suite_case.py SUITE VERSION PORT [CASE]`. The suite has no authentication and a realm requires it, so the suite's
client adds the user and token of the environment, if any, to every CONNECT.
"""

import functools
import importlib
import os
import sys
import unittest

MODULES = {"3.1.1": "client_test", "5.0": "client_test5"}
# The suite's own `main`, which is not run here, sets these values.
PREFIX = "client_test5/"
TOPICS = ("TopicA", "TopicA/B", "Topic/C", "TopicA/C", "/TopicA")
WILD_TOPICS = ("TopicA/+", "+/C", "#", "/#", "/+", "+/+", "TopicA/#")


def sign_in(client_class):
    user, token = os.environ.get("SUITE_USER"), os.environ.get("SUITE_TOKEN")
    if user and token:
        connect = client_class.connect

        @functools.wraps(connect)
        def signed_in(self, *arguments, **options):
            return connect(self, *arguments, **{"username": user, "password": token.encode(), **options})

        client_class.connect = signed_in


def main():
    suite, version, port, *case = sys.argv[1:]
    sys.path.insert(0, os.path.join(suite, "interoperability"))
    cases = importlib.import_module(MODULES[version])
    if not case:
        print(*unittest.TestLoader().getTestCaseNames(cases.Test), sep="\n")
        return 0
    cases.host, cases.port = "127.0.0.1", int(port)
    cases.topics, cases.wildtopics, cases.nosubscribe_topics = TOPICS, WILD_TOPICS, ("test/nosubscribe",)
    cases.topic_prefix = PREFIX
    sign_in(cases.mqtt_client.Client)
    result = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite([cases.Test(case[0])]))
    sys.stderr.flush()
    # The suite's threads keep reading from closed sockets.
    os._exit(0 if result.wasSuccessful() else 1)


sys.exit(main())
