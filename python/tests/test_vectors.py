"""Runs the vectors that are shared with Rust and TypeScript."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
from topic_filter import TopicFilter

from stoa._envelope import Envelope
from stoa._motion_frame import (
    Ack,
    BaselineRequest,
    ConnectionQuality,
    Frame,
    FrameEntry,
    FrameError,
    FullyDeliveredMark,
    FullyDeliveredMarkRequest,
    InterestSetChanges,
    MoverDeclaration,
    MoverRefusal,
    MoverWithdrawal,
    OwnPose,
    PoseBaseline,
    PoseDelta,
)
from stoa._motion_pose import PackedPose, pack_position, pack_rotation, unpack_rotation
from stoa._netcode_packet import ConnectToken, PacketError, PacketKind, SealedPacket, associated_with, check_content, nonce_of
from stoa._reason import ContractViolationError
from stoa._replica import Delivery, Replica, Snapshot
from stoa._topic import SceneTopic

if TYPE_CHECKING:
    from collections.abc import Callable

SAID: dict[type[object], str] = {
    Ack: "ack",
    ConnectionQuality: "quality",
    PoseDelta: "pose",
    PoseBaseline: "baseline",
    InterestSetChanges: "changes",
    MoverRefusal: "refused",
    OwnPose: "own",
    MoverDeclaration: "declare",
    BaselineRequest: "ask",
    MoverWithdrawal: "withdraw",
    FullyDeliveredMark: "reached",
    FullyDeliveredMarkRequest: "mark",
}
VECTORS = Path(__file__).parents[2] / "spec" / "vectors"
Case: TypeAlias = dict[str, Any]


def payload_of(case: Case) -> bytes:
    if "payload_hex" in case:
        return bytes.fromhex(case["payload_hex"])
    if repeat := case.get("payload_repeat"):
        return (repeat["prefix"] + repeat["unit"] * repeat["times"] + repeat["suffix"]).encode()
    return case["payload"].encode()


def read_envelope(case: Case) -> object:
    topic = SceneTopic.parse(case["topic"])
    envelope = Envelope.parse(topic.kind, topic.uuid, payload_of(case))
    return {
        "object_id": envelope.object_id,
        "action": envelope.action,
        "type": envelope.type,
        "persist": envelope.persist,
        "ttl": envelope.ttl_s,
        "overwrite": envelope.overwrite,
        "private": envelope.private,
        "attributes": envelope.attributes,
    }


def run_envelope(case: Case) -> None:
    if "error" in case:
        with pytest.raises(ContractViolationError, match=f"^{case['error']}$"):
            read_envelope(case)
    else:
        assert read_envelope(case) == case["envelope"]


def run_topic_filter(case: Case) -> None:
    if "error" in case:
        repeat = case.get("filter_repeat")
        text = repeat["unit"] * repeat["times"] if repeat else case["filter"]
        with pytest.raises(ContractViolationError, match=f"^{case['error']}$"):
            TopicFilter.parse(text)
    elif "matches" in case:
        assert TopicFilter.parse(case["filter"]).matches(case["topic"]) is case["matches"]
    else:
        covered = TopicFilter.parse(case["covers"])
        assert TopicFilter.parse(case["filter"]).covers(covered) is case["is_covered"]


def run_grant(case: Case) -> None:
    holder: Case = case.get("claims", case)
    for key in ("publ", "subs"):
        filters = [TopicFilter.parse(text) for text in holder[key]]
        assert [str(each) for each in filters] == holder[key]
        for one in filters:
            assert not any(other.covers(one) for other in filters if other is not one), f"{one} is covered"


def run_stream(case: Case) -> None:
    replica = Replica()
    for step in case["steps"]:
        match step:
            case {"subscribe": True}:
                replica.begin_stream()
            case {"ask": True}:
                replica.begin_snapshot()
            case {"answer": answer}:
                replica.adopt(Snapshot.parse(json.dumps(answer).encode()))
            case {"deliver": {"topic": topic, "payload": payload, **place}}:
                replica.receive(Delivery(topic=topic, payload=json.dumps(payload).encode(), **place))
            case _:
                pytest.fail(f"no such step: {step}")
    assert replica.wants_snapshot is case["wants_snapshot"]
    if "objects" in case:
        assert {each.object_id: dict(each.attributes) for each in replica.model.objects.values()} == case["objects"]
        assert {each.id_tag: each.display_name for each in replica.model.users.values()} == case["people"]


def described(said: FrameEntry) -> Case:
    told: Case = {"said": SAID[type(said)], **json.loads(json.dumps(asdict(said), default=bytes.hex))}
    if isinstance(said, InterestSetChanges):
        told["changes"] = [{"entered" if "kind" in each else "left": each.pop("id"), **each} for each in told["changes"]]
    return told


def run_frame(case: Case) -> None:
    if "pose" in case:
        run_pose(case)
    elif "rotation" in case:
        unpacked = unpack_rotation(bytes.fromhex(case["rotation"]))
        assert all(abs(got - wanted) < 1e-12 for got, wanted in zip(unpacked, case["unpacked"], strict=True)), unpacked
    elif "error" in case:
        with pytest.raises(FrameError):
            Frame.parse(bytes.fromhex(case["hex"]))
    else:
        frame = Frame.parse(bytes.fromhex(case["hex"]))
        said = [described(each) for each in frame.entries]
        assert {"sequence": frame.sequence, "time_ms": frame.time_ms, "said": said} == case["frame"]


def run_pose(case: Case) -> None:
    (x, y, z), (i, j, k, w) = case["pose"]["position"], case["pose"]["rotation"]
    if "error" in case:
        with pytest.raises(ValueError, match=r"is not within|is no number|is no rotation"):
            PackedPose(pack_position((x, y, z)), pack_rotation((i, j, k, w)))
        return
    packed = PackedPose(pack_position((x, y, z)), pack_rotation((i, j, k, w)))
    assert {"position": list(packed.position), "rotation": packed.rotation.hex()} == case["packed"]
    assert PackedPose.from_bytes(packed.to_bytes()) == packed


def pieces(text: str) -> bytes:
    """Decode hex with spaces: `NN*times` repeats a byte, `..length` at the end pads with zeros."""
    whole = b""
    for piece in text.split():
        if piece.startswith(".."):
            whole += bytes(int(piece[2:]) - len(whole))
        else:
            unit, _, times = piece.partition("*")
            whole += bytes.fromhex(unit) * int(times or 1)
    return whole


def run_netcode(case: Case) -> None:
    if "error" in case:
        with pytest.raises(PacketError, match=f"^{case['error']}$"):
            read_netcode(case)
    elif "made" in case:
        kind = PacketKind[case.get("kind", "payload").upper()]
        prefix = SealedPacket.numbered(kind, int(case["sequence"])).prefix
        made = nonce_of(int(case["sequence"])) if case["made"] == "nonce" else associated_with(int(case["protocol_id"]), prefix)
        assert made == pieces(case["bytes"])
    else:
        read = read_netcode(case)
        wanted: Case = case.get("packet") or case.get("content") or case.get("token") or {}
        for key, value in wanted.items():
            is_bytes = isinstance(read[key], bytes)
            assert read[key] == (pieces(value) if is_bytes else value), key
        assert set(read) == set(wanted)


def read_netcode(case: Case) -> Case:
    if "bytes" in case:
        return read_packet(pieces(case["bytes"]))
    if "connect" in case:
        token = ConnectToken.parse(pieces(case["connect"]))
        servers = [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in token.servers]
        told = {key: str(getattr(token, key)) for key in ("protocol_id", "created_at", "expires_at")}
        return {**asdict(token), **told, "servers": servers}
    kind, plain = PacketKind[case["kind"].replace("-", "_").upper()], pieces(case["plain"])
    check_content(kind, plain)
    match kind:
        case PacketKind.CHALLENGE | PacketKind.RESPONSE:
            return {"sequence": str(int.from_bytes(plain[:8], "little")), "sealed": plain[8:]}
        case PacketKind.KEEP_ALIVE:
            return {"client_index": int.from_bytes(plain[:4], "little"), "clients_max": int.from_bytes(plain[4:], "little")}
        case PacketKind.PAYLOAD:
            return {"payload": plain}
        case _:
            return {}


def read_packet(data: bytes) -> Case:
    packet = SealedPacket.parse(data)
    assert packet.to_bytes() == data
    if isinstance(packet, SealedPacket):
        return {"kind": packet.kind.name.lower().replace("_", "-"), "sequence": str(packet.sequence), "sealed": packet.sealed}
    told = {key: str(getattr(packet, key)) for key in ("protocol_id", "expires_at")}
    return {"kind": "request", **asdict(packet), **told}


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("envelopes.json", run_envelope),
        ("topic-filters.json", run_topic_filter),
        ("grants.json", run_grant),
        ("stream.json", run_stream),
        ("frames.json", run_frame),
        ("netcode.json", run_netcode),
    ],
)
def test_every_shared_vector_passes(name: str, run: Callable[[Case], None], capsys: pytest.CaptureFixture[str]) -> None:
    file = json.loads((VECTORS / name).read_text("utf-8"))
    # "*" describes how this language runs the whole file, and skips no case.
    skips: dict[str, str] = {case: why for case, why in file["skips"]["python"].items() if case != "*"}
    cases: list[Case] = [case for case in file["cases"] if case["name"] not in skips]
    assert cases, f"no vectors in {name}"
    wrong: list[str] = []
    for case in cases:
        try:
            run(case)
        except (AssertionError, ContractViolationError, PacketError, pytest.fail.Exception) as error:
            wrong.append(f"{case['name']}: {error}")
    with capsys.disabled():
        # The checks compare this line of the three languages.
        print(f"\nvectors {name}: {len(cases)} run, {len(skips)} skipped")  # noqa: T201
    assert wrong == []


def test_a_wrong_vector_fails() -> None:
    with pytest.raises(AssertionError):
        run_topic_filter({"filter": "a/+", "topic": "a/b", "matches": False})
