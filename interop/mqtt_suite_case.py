"""One case of Eclipse's interoperability suite: `mqtt_suite_case.py SUITE VERSION PORT [CASE]`. Without CASE, their names are listed.

The cases run as they are. All that is added: where the environment names a user and a token, the suite's client gives them at every CONNECT, because
the suite knows no signing in and a realm lets nobody in without it.
"""

import functools
import importlib
import os
import sys
import unittest

MODULES = {"3.1.1": "client_test", "5.0": "client_test5"}
# As the suite's own `main` sets them, which is not run here.
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
    # The suite leaves threads behind that read from closed sockets.
    os._exit(0 if result.wasSuccessful() else 1)


sys.exit(main())
