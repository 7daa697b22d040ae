from __future__ import annotations

import asyncio
import math
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from scripted_plane import ScriptedPlane, entered, left, moved, pose
from scripted_realm import SCENE, ScriptedRealm
from virtual_time import virtual_time

from stoa import ClosedError, InvalidError, NotGrantedError, Realm, RefusedError, UnreachableError
from stoa._motion_frame import Ack, BaselineRequest, FramePartKind, MoverDeclaration, MoverKindByte, MoverWithdrawal, OwnPose

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from conftest import Server

    from stoa import Motion, Scene

URL = "https://realm.test:8443"


@asynccontextmanager
async def in_scene(realm: ScriptedRealm) -> AsyncGenerator[Scene]:
    async with Realm(URL, transport=realm) as entered_realm:
        yield await entered_realm.scene(SCENE)


@asynccontextmanager
async def on_plane(role: str = "editor") -> AsyncGenerator[tuple[ScriptedPlane, Motion]]:
    plane = ScriptedPlane()
    async with in_scene(ScriptedRealm(plane=plane, role=role)) as scene, scene.motion() as motion:
        yield plane, motion


async def until(plane: ScriptedPlane, kind: type[MoverDeclaration | OwnPose | BaselineRequest | Ack], count: int = 1) -> None:
    """Wait until the newest frame with entries of this kind has `count` of them."""
    async with asyncio.timeout(5):
        while len(plane.said(kind)) != count:  # noqa: ASYNC110  # virtual time
            await asyncio.sleep(0.01)


@virtual_time
async def test_a_program_declares_and_sends_the_poses_of_head_hand_and_object() -> None:
    async with on_plane() as (plane, motion):
        motion.move_head((1, 2, 3))
        motion.move_hand("right", (4, 5, 6), (0, 1, 0, 0))
        motion.move_object("drone", (7, 8, 9))
        await until(plane, OwnPose, 3)
        assert plane.said(MoverDeclaration) == [
            MoverDeclaration(0, MoverKindByte.HEAD, ""),
            MoverDeclaration(1, MoverKindByte.RIGHT_HAND, ""),
            MoverDeclaration(2, MoverKindByte.TRACKED, "drone"),
        ]
        said = plane.said(OwnPose)
        places = [each.pose.position for each in said if isinstance(each, OwnPose)]
        assert places == [(1_000, 2_000, 3_000), (4_000, 5_000, 6_000), (7_000, 8_000, 9_000)]


@virtual_time
async def test_an_announced_mover_is_not_declared_again() -> None:
    async with on_plane() as (plane, motion):
        motion.move_head((1, 2, 3))
        await until(plane, MoverDeclaration)
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "alice_1", 1.0)))
        await until(plane, Ack)
        plane.frames.clear()
        motion.move_head((2, 2, 3))
        await until(plane, OwnPose)
        assert plane.said(MoverDeclaration) == []
        assert motion.movers == (), "a program does not see itself"


@virtual_time
async def test_a_resting_pose_is_repeated_until_the_realm_sends_it_back() -> None:
    async with on_plane() as (plane, motion):
        motion.move_head((1, 0, 0))
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "alice_1", 0.0)))
        await asyncio.sleep(3)
        assert OwnPose in [type(said) for said in plane.frames[-1].entries]
        plane.tell((FramePartKind.POSES, moved(5, 1_000)))
        await asyncio.sleep(0.3)
        assert OwnPose not in [type(said) for said in plane.frames[-1].entries]


@virtual_time
async def test_a_withdrawal_is_repeated_until_the_mover_has_left() -> None:
    async with on_plane() as (plane, motion):
        motion.move_hand("left", (1, 2, 3))
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.LEFT_HAND, "alice_1", 1.0)))
        await asyncio.sleep(0.5)
        motion.withdraw("left_hand")
        motion.withdraw("left_hand")
        motion.withdraw("right_hand")  # never moved
        await asyncio.sleep(0.2)
        assert plane.frames[-1].entries[1:] == (MoverWithdrawal(0),)
        plane.tell((FramePartKind.CHANGES, left(2, 5)))
        await asyncio.sleep(0.2)
        assert plane.frames[-1].entries[1:] == ()
        motion.move_hand("left", (1, 2, 3))
        await asyncio.sleep(0.2)
        assert [type(said) for said in plane.frames[-1].entries[1:]] == [MoverDeclaration, OwnPose]


@virtual_time
async def test_withdraw_refuses_an_unknown_name_and_accepts_a_repeated_one() -> None:
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"'Left_hand' .* left_hand, right_hand"):
            motion.withdraw("Left_hand")
        motion.move_object("drone", (0, 0, 0))
        for turn in range(1_100):
            motion.move_object(f"drone-{turn}", (0, 0, 0))
            motion.withdraw(f"drone-{turn}")
            motion.withdraw(f"drone-{turn}")
            await asyncio.sleep(1.1)
        motion.withdraw("drone")
        motion.withdraw("drone")


@virtual_time
async def test_an_unknown_hand_or_mover_kind_is_refused() -> None:
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"'up' .* 'left' or 'right'"):
            motion.move_hand("up", (0, 0, 0))  # pyright: ignore[reportArgumentType]
        with pytest.raises(InvalidError, match=r"'heads' .* head, left_hand"):
            motion.poses("heads")  # pyright: ignore[reportArgumentType]


@virtual_time
async def test_another_mover_is_reported_when_it_enters_moves_and_leaves() -> None:
    async with on_plane() as (plane, motion):
        come, gone = motion.entered(), motion.left()
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)))
        bob = await anext(come)
        assert (bob.kind, bob.name, bob.position) == ("head", "bob_1", (1.0, 0.0, 0.0))
        plane.tell((FramePartKind.POSES, moved(5, 500)))
        await asyncio.sleep(0.01)
        assert [each.position for each in motion.movers] == [(1.5, 0.0, 0.0)]
        plane.tell((FramePartKind.CHANGES, left(2, 5)))
        assert (await anext(gone)).name == "bob_1"
        assert motion.movers == ()


@virtual_time
async def test_poses_are_numpy_arrays_of_one_mover_kind() -> None:
    numpy = pytest.importorskip("numpy")
    async with on_plane() as (plane, motion):
        assert motion.poses().positions.shape == (0, 3)
        plane.tell(
            (FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)),
            (FramePartKind.CHANGES, entered(2, 6, MoverKindByte.LEFT_HAND, "bob_1", 2.0)),
        )
        plane.tell((FramePartKind.CHANGES, entered(2, 6, MoverKindByte.LEFT_HAND, "bob_1", 2.0)))
        await asyncio.sleep(0.01)
        heads, hands = motion.poses(), motion.poses("left_hand")
        assert (heads.names, hands.names) == (("bob_1",), ("bob_1",))
        assert numpy.allclose(heads.positions, [[1, 0, 0]])
        assert numpy.allclose(hands.rotations, [[0, 0, 0, 1]], atol=1e-3)
        motion.move_head(heads.positions[0], heads.rotations[0])
        await until(plane, OwnPose)


@virtual_time
async def test_poses_without_numpy_raise_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"stoa-xr\[numpy\]"):
            motion.poses()


@virtual_time
async def test_a_lost_baseline_is_requested() -> None:
    async with on_plane() as (plane, motion):
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)))
        plane.tell((FramePartKind.POSES, bytes([5, 0, 0, 1 << 3 | 2]) + bytes(6)))
        await until(plane, BaselineRequest)
        assert plane.said(BaselineRequest) == [BaselineRequest(5)]
        plane.tell((FramePartKind.BASELINES, bytes([5, 0, 0, 1]) + pose(3.0).to_bytes()))
        await asyncio.sleep(0.01)
        assert motion.movers[0].position == (3.0, 0.0, 0.0)


@virtual_time
async def test_frames_are_applied_across_huge_sequence_gaps_and_the_wrap_around() -> None:
    async with on_plane() as (plane, motion):
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)))
        for step in range(100):
            plane.skip(2**26 - 1)
            plane.tell((FramePartKind.POSES, moved(5, 500 + step)))
        await until(plane, Ack)
        await asyncio.sleep(0.2)
        assert motion.movers[0].position == (1.599, 0.0, 0.0)
        newest = (1 + 100 * 2**26) % 2**32
        assert [(ack.newest, ack.received) for ack in plane.said(Ack) if isinstance(ack, Ack)] == [(newest, 101)]


@virtual_time
async def test_a_program_at_rest_sends_about_ten_frames_a_second() -> None:
    async with on_plane() as (plane, _):
        plane.tell()
        await until(plane, Ack)
        plane.frames.clear()
        await asyncio.sleep(2)
        assert 16 <= len(plane.frames) <= 20


@virtual_time
async def test_a_refusal_is_raised_by_the_next_move() -> None:
    async with on_plane() as (plane, motion):
        motion.move_object("drone", (0, 0, 0))
        await until(plane, MoverDeclaration)
        plane.tell((FramePartKind.REFUSED, bytes([0, 2])))
        await asyncio.sleep(0.01)
        with pytest.raises(RefusedError, match=r"'drone' .* somebody else"):
            motion.move_object("drone", (1, 0, 0))
        motion.move_head((1, 0, 0))  # negative control


@virtual_time
async def test_a_refused_object_is_declared_again_by_a_later_move() -> None:
    async with on_plane() as (plane, motion):
        motion.move_object("drone", (0, 0, 0))
        await until(plane, MoverDeclaration)
        plane.tell((FramePartKind.REFUSED, bytes([0, 2])))
        await asyncio.sleep(1.9)
        assert MoverDeclaration not in [type(said) for said in plane.frames[-1].entries], "negative control"
        with pytest.raises(RefusedError):
            motion.move_object("drone", (1, 0, 0))
        await asyncio.sleep(0.2)
        motion.move_object("drone", (2, 0, 0))
        await asyncio.sleep(0.2)
        assert [type(said) for said in plane.frames[-1].entries if not isinstance(said, Ack)] == [MoverDeclaration, OwnPose]


@virtual_time
async def test_a_permanent_refusal_names_the_object_the_reason_and_the_role() -> None:
    async with on_plane(role="viewer") as (plane, motion):
        motion.move_object("drone", (0, 0, 0))
        await until(plane, MoverDeclaration)
        plane.tell((FramePartKind.REFUSED, bytes([0, 1])))
        await asyncio.sleep(3)
        with pytest.raises(NotGrantedError, match=r"^moving object 'drone' in public/lobby was refused: not_granted \(you are a viewer\)$"):
            motion.move_object("drone", (1, 0, 0))
        motion.withdraw("drone")


@virtual_time
async def test_another_clients_mover_of_the_same_name_is_not_mistaken_for_own() -> None:
    async with on_plane() as (plane, motion):
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.TRACKED, "drone", 1.0)))
        await asyncio.sleep(0.1)
        motion.move_object("drone", (0, 0, 0))
        await asyncio.sleep(0.5)
        assert MoverDeclaration in [type(said) for said in plane.frames[-1].entries]
        plane.tell((FramePartKind.CHANGES, left(2, 5)))
        plane.tell((FramePartKind.CHANGES, entered(3, 6, MoverKindByte.TRACKED, "drone", 0.0)))
        await asyncio.sleep(0.5)
        assert MoverDeclaration not in [type(said) for said in plane.frames[-1].entries], "that is its own"


@virtual_time
async def test_the_index_of_a_withdrawn_object_that_has_left_is_reused() -> None:
    async with on_plane() as (plane, motion):
        for turn in range(40):
            motion.move_object(f"drone-{turn}", (turn, 0, 0))
            await until(plane, OwnPose)
            plane.tell((FramePartKind.CHANGES, entered(2 * turn + 1, turn, MoverKindByte.TRACKED, f"drone-{turn}", turn)))
            await asyncio.sleep(0.2)
            motion.withdraw(f"drone-{turn}")
            await asyncio.sleep(0.2)
            plane.tell((FramePartKind.CHANGES, left(2 * turn + 2, turn)))
            plane.frames.clear()
        motion.move_object("last", (0, 0, 0))
        await asyncio.sleep(0.2)
        assert plane.said(MoverDeclaration) == [MoverDeclaration(0, MoverKindByte.TRACKED, "last")]


@virtual_time
async def test_the_index_of_a_withdrawn_object_never_announced_is_reused() -> None:
    async with on_plane() as (plane, motion):
        for turn in range(40):
            motion.move_object(f"drone-{turn}", (turn, 0, 0))
            await asyncio.sleep(0.2)
            motion.withdraw(f"drone-{turn}")
        await asyncio.sleep(0.2)
        assert MoverWithdrawal in [type(said) for said in plane.frames[-1].entries], "negative control: a frame may be lost"
        await asyncio.sleep(2)
        motion.move_object("last", (0, 0, 0))
        await asyncio.sleep(0.2)
        assert plane.said(MoverDeclaration) == [MoverDeclaration(0, MoverKindByte.TRACKED, "last")]


@virtual_time
async def test_each_declaration_has_its_pose_in_the_same_frame_with_long_names() -> None:
    async with on_plane() as (plane, motion):
        for number in range(32):
            motion.move_object(f"{number:02}" + 50 * "x", (1, 2, 3))
        await asyncio.sleep(0.2)
        declared = [each.index for each in plane.frames[-1].entries if isinstance(each, MoverDeclaration)]
        assert declared == [each.index for each in plane.frames[-1].entries if isinstance(each, OwnPose)]
        assert len(declared) > 10


@virtual_time
async def test_one_ticket_never_reuses_a_packet_sequence_across_servers() -> None:
    plane = ScriptedPlane(servers=("127.0.0.1", "127.0.0.2"), shut=frozenset(["127.0.0.1"]))
    async with in_scene(ScriptedRealm(plane=plane)) as scene, scene.motion() as motion:
        motion.move_head((1, 2, 3))
        await until(plane, OwnPose)
        assert len(plane.tickets) == 1
        assert len(plane.sealed) > 20, "negative control: both servers were tried"
        assert plane.sealed == list(range(len(plane.sealed)))


@pytest.mark.parametrize("position", [(math.nan, 0, 0), (2e6, 0, 0), (1, 2), ("a", "b", "c")])
def test_an_invalid_position_or_rotation_is_refused(position: tuple[float, ...]) -> None:
    @virtual_time
    async def main() -> None:
        async with on_plane() as (_, motion):
            with pytest.raises(InvalidError):
                motion.move_head(position)
            with pytest.raises(InvalidError):
                motion.move_head((0, 0, 0), (0, 0, 0, 0))

    main()


@virtual_time
async def test_errors_distinguish_nan_from_a_position_out_of_range() -> None:
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"the head can't be used: nan is no number"):
            motion.move_head((0, math.nan, 0))
        with pytest.raises(InvalidError, match=r"object 'drone' can't be used: 2000000.0 m is not within 1,000,000 m"):
            motion.move_object("drone", (2e6, 0, 0))


@virtual_time
async def test_a_motion_session_after_a_disconnect_sends_all_poses_again() -> None:
    async with on_plane() as (plane, motion):
        gone = motion.left()
        motion.move_head((1, 2, 3))
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)))
        await asyncio.sleep(3)
        plane.frames.clear()
        plane.end()
        assert (await anext(gone)).name == "bob_1"
        await until(plane, OwnPose)
        assert plane.tickets == ["alice_1", "alice_1"]


@virtual_time
async def test_a_silent_motion_session_is_replaced() -> None:
    async with on_plane() as (plane, _):
        await asyncio.sleep(4)
        assert len(plane.tickets) == 1, "negative control"
        await asyncio.sleep(3)
        assert len(plane.tickets) == 2


@virtual_time
async def test_leaving_the_motion_plane_sends_ten_disconnect_packets() -> None:
    async with on_plane() as (plane, motion):
        assert plane.farewells == 0
    assert plane.farewells == 10
    with pytest.raises(ClosedError):
        motion.move_head((0, 0, 0))


@virtual_time
async def test_a_realm_without_motion_plane_or_netcode_raises_unreachable() -> None:
    async with in_scene(ScriptedRealm()) as scene:
        with pytest.raises(UnreachableError, match="no motion plane"):
            await scene.motion().__aenter__()
    async with in_scene(ScriptedRealm(plane=ScriptedPlane(offers_netcode=False))) as scene:
        with pytest.raises(UnreachableError, match="netcode"):
            await scene.motion().__aenter__()


@virtual_time
async def test_blocked_udp_raises_an_error_that_names_udp() -> None:
    async with in_scene(ScriptedRealm(plane=ScriptedPlane(answers=False))) as scene:
        with pytest.raises(UnreachableError, match="UDP"):
            await scene.motion().__aenter__()


@pytest.mark.realm
def test_a_program_sees_another_move_and_leave_on_a_real_server(server: Server) -> None:
    async def main() -> None:
        async with asyncio.timeout(60), Realm(data_dir=server.folder) as realm:
            one, other = await realm.scene(SCENE), await realm.scene(SCENE)
            async with one.motion() as ada, other.motion() as bob:
                ada.move_head((1, 1.6, 0))
                seen = await anext(bob.entered()) if not bob.movers else bob.movers[0]
                assert seen.name == (await one.me()).id_tag
                for step in range(200):
                    ada.move_head((1 + step / 100, 1.6, 0))
                    await asyncio.sleep(0.02)
                    if bob.movers and bob.movers[0].position[0] > 1.5:
                        break
                assert bob.movers[0].position[0] > 1.5
                assert ada.movers == ()
                gone = bob.left()
                await ada.__aexit__(None, None, None)
                assert (await anext(gone)).kind == "head"

    asyncio.run(main())
