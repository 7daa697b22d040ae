"""A replica reaches the realm's state for each interleaving of deliveries and snapshots."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stoa._envelope import Envelope
from stoa._limits import DESCENDANT_DEPTH_MAX
from stoa._reason import ContractViolationError
from stoa._replica import Delivery, Replica, Snapshot
from stoa._scene_state import SceneState
from stoa._topic import SceneTopic

TOPIC = "realm/s/public/lobby/o/bob_9_web/"
JOIN = "realm/s/public/lobby/x/bob_9_web/bob_9"

ids = st.sampled_from(["a", "b", "c"])
data = st.dictionaries(st.sampled_from(["width", "parent"]), ids | st.none(), max_size=2)
actions = st.sampled_from(["create", "update", "delete"])
messages: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries({"object_id": ids, "action": actions, "data": data})
troubles = st.sampled_from(["lose", "ask", "answer", "restart", "repeat"])
steps: st.SearchStrategy[list[dict[str, Any] | str]] = st.lists(messages | troubles, max_size=40)


@dataclass
class Home:
    """The realm's side: a writer that numbers accepted messages."""

    epoch: int = 1
    revision: int = 0
    model: SceneState = field(default_factory=SceneState)

    def accept(self, payload: dict[str, Any]) -> Delivery:
        topic, body = TOPIC + payload["object_id"], json.dumps(payload).encode()
        name = SceneTopic.parse(topic)
        self.model.apply(name, Envelope.parse(name.kind, name.uuid, body))
        self.revision += 1
        return Delivery(topic=topic, payload=body, epoch=self.epoch, revision=self.revision)

    def snapshot(self) -> Snapshot:
        found = [
            {"topic": TOPIC + each.object_id, "payload": {"object_id": each.object_id, "action": "create", "data": dict(each.attributes)}}
            for each in self.model.objects.values()
        ]
        return Snapshot.parse(json.dumps({"epoch": self.epoch, "revision": self.revision, "messages": found}).encode())

    def restart(self) -> None:
        self.epoch, self.revision, self.model = self.epoch + 1, 0, SceneState()


def shape(model: SceneState) -> dict[str, dict[str, Any]]:
    return {object_id: dict(state.attributes) for object_id, state in model.objects.items()}


# The test has a branch for each fault.
@given(steps)
def test_a_replica_converges_to_the_realms_state_despite_faults(script: list[dict[str, Any] | str]) -> None:  # noqa: C901
    home, replica = Home(), Replica()
    asked: Snapshot | None = None
    last: Delivery | None = None
    losing = False
    for step in script:
        match step:
            case "lose":
                losing = True
            case "ask" if asked is None:
                replica.begin_snapshot()
                asked = home.snapshot()
            case "answer" if asked is not None:
                replica.adopt(asked)
                asked = None
            case "restart":
                home.restart()
            case "repeat" if last is not None:
                replica.receive(last)
            case dict():
                last = home.accept(step)
                if not losing:
                    replica.receive(last)
                losing = False
            case _:
                pass
    if asked is not None:
        replica.adopt(asked)
    # The next message of a live scene reveals lost ones.
    replica.receive(home.accept({"object_id": "z", "action": "delete"}))
    while replica.wants_snapshot:
        replica.begin_snapshot()
        replica.adopt(home.snapshot())
    assert shape(replica.model) == shape(home.model)


def live(home: Home) -> Replica:
    replica = Replica()
    replica.begin_snapshot()
    replica.adopt(home.snapshot())
    return replica


def test_a_change_between_subscription_and_snapshot_is_applied_once() -> None:
    home, replica = Home(), Replica()
    replica.begin_stream()
    replica.begin_snapshot()
    before = home.accept({"object_id": "a", "action": "create", "data": {"width": "a"}})
    snapshot = home.snapshot()
    after = home.accept({"object_id": "a", "action": "delete"})
    assert replica.receive(before) == []
    assert replica.receive(after) == []
    happenings = replica.adopt(snapshot)
    assert len(happenings) == 2
    assert shape(replica.model) == {}
    assert not replica.wants_snapshot


def test_a_delivery_not_newer_than_the_snapshot_is_dropped() -> None:
    home = Home()
    created = home.accept({"object_id": "a", "action": "create", "data": {}})
    home.accept({"object_id": "a", "action": "delete"})
    replica = live(home)
    assert replica.receive(created) == []
    assert not replica.wants_snapshot


def test_a_delivery_after_a_gap_is_applied_and_requests_a_snapshot() -> None:
    home = Home()
    replica = live(home)
    home.accept({"object_id": "a", "action": "create", "data": {}})
    replica.receive(home.accept({"object_id": "b", "action": "create", "data": {}}))
    assert shape(replica.model) == {"b": {}}
    assert replica.wants_snapshot


def test_a_delivery_of_a_new_epoch_is_not_applied_and_requests_a_snapshot() -> None:
    home = Home()
    replica = live(home)
    home.restart()
    assert replica.receive(home.accept({"object_id": "b", "action": "create", "data": {}})) == []
    assert replica.wants_snapshot


def test_a_malformed_message_is_ignored() -> None:
    replica = live(Home())
    for payload in (b"[1]", b"\xff", b'{"object_id":"b","action":"delete"}'):
        assert replica.receive(Delivery(topic=TOPIC + "a", payload=payload)) == []
    assert replica.receive(Delivery(topic="elsewhere", payload=b"{}")) == []


def test_a_snapshot_accepts_payloads_of_the_largest_depth() -> None:
    home, deepest = Home(), json.loads("[" * 62 + "]" * 62)
    home.accept({"object_id": "a", "action": "create", "data": {"deep": deepest}})
    assert shape(live(home).model) == {"a": {"deep": deepest}}


@pytest.mark.parametrize(
    "body", [b"[]", b"{}", b'{"epoch":1,"revision":1,"messages":[1]}', b'{"epoch":1,"revision":1,"messages":[{"topic":1}]}']
)
def test_a_malformed_snapshot_is_refused(body: bytes) -> None:
    with pytest.raises(ContractViolationError):
        Snapshot.parse(body)


def test_deleting_an_object_in_a_parent_cycle_deletes_each_object_once() -> None:
    home = Home()
    for object_id, parent in (("a", "c"), ("b", "a"), ("c", "b")):
        home.accept({"object_id": object_id, "action": "create", "data": {"parent": parent}})
    replica = live(home)
    happenings = replica.receive(home.accept({"object_id": "a", "action": "delete"}))
    assert len(happenings) == 3
    assert shape(replica.model) == {}


def test_a_delete_stops_at_the_maximum_descendant_depth() -> None:
    home = Home()
    for depth in range(DESCENDANT_DEPTH_MAX + 2):
        parent = {"parent": str(depth - 1)} if depth else {}
        home.accept({"object_id": str(depth), "action": "create", "data": parent})
    replica = live(home)
    replica.receive(home.accept({"object_id": "0", "action": "delete"}))
    assert set(replica.model.objects) == {str(DESCENDANT_DEPTH_MAX + 1)}
