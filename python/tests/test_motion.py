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
async def test_a_program_says_where_its_head_and_hands_and_objects_are() -> None:
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
async def test_what_the_realm_has_told_of_is_not_declared_again() -> None:
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
async def test_where_something_rests_is_said_until_it_is_told_so() -> None:
    async with on_plane() as (plane, motion):
        motion.move_head((1, 0, 0))
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "alice_1", 0.0)))
        await asyncio.sleep(3)
        assert OwnPose in [type(said) for said in plane.frames[-1].entries]
        plane.tell((FramePartKind.POSES, moved(5, 1_000)))
        await asyncio.sleep(0.3)
        assert OwnPose not in [type(said) for said in plane.frames[-1].entries]


@virtual_time
async def test_what_is_withdrawn_is_said_to_be_gone_until_it_is() -> None:
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
async def test_what_is_no_name_of_anything_moved_is_not_withdrawn_in_silence() -> None:
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
async def test_there_are_two_hands_and_four_kinds() -> None:
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"'up' .* 'left' or 'right'"):
            motion.move_hand("up", (0, 0, 0))  # pyright: ignore[reportArgumentType]
        with pytest.raises(InvalidError, match=r"'heads' .* head, left_hand"):
            motion.poses("heads")  # pyright: ignore[reportArgumentType]


@virtual_time
async def test_the_others_are_seen_as_they_move() -> None:
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
async def test_poses_are_arrays() -> None:
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
async def test_without_numpy_the_arrays_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"stoa-xr\[numpy\]"):
            motion.poses()


@virtual_time
async def test_a_baseline_that_was_lost_is_asked_for() -> None:
    async with on_plane() as (plane, motion):
        plane.tell((FramePartKind.CHANGES, entered(1, 5, MoverKindByte.HEAD, "bob_1", 1.0)))
        plane.tell((FramePartKind.POSES, bytes([5, 0, 0, 1 << 3 | 2]) + bytes(6)))
        await until(plane, BaselineRequest)
        assert plane.said(BaselineRequest) == [BaselineRequest(5)]
        plane.tell((FramePartKind.BASELINES, bytes([5, 0, 0, 1]) + pose(3.0).to_bytes()))
        await asyncio.sleep(0.01)
        assert motion.movers[0].position == (3.0, 0.0, 0.0)


@virtual_time
async def test_it_sees_on_over_gaps_of_millions_of_frames_past_the_last_number_too() -> None:
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
async def test_it_reports_ten_times_a_second() -> None:
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
async def test_what_was_refused_is_declared_again_by_a_later_move() -> None:
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
async def test_what_may_never_be_moved_stays_refused_with_what_and_why_and_who() -> None:
    async with on_plane(role="viewer") as (plane, motion):
        motion.move_object("drone", (0, 0, 0))
        await until(plane, MoverDeclaration)
        plane.tell((FramePartKind.REFUSED, bytes([0, 1])))
        await asyncio.sleep(3)
        with pytest.raises(NotGrantedError, match=r"^moving object 'drone' in public/lobby was refused: not_granted \(you are a viewer\)$"):
            motion.move_object("drone", (1, 0, 0))
        motion.withdraw("drone")


@virtual_time
async def test_what_somebody_else_moves_is_not_taken_for_its_own() -> None:
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
async def test_more_things_than_at_a_time_move_in_turns() -> None:
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
async def test_what_is_withdrawn_before_anybody_saw_it_makes_room() -> None:
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
async def test_what_is_declared_has_its_pose_in_the_same_frame_however_long_the_names_are() -> None:
    async with on_plane() as (plane, motion):
        for number in range(32):
            motion.move_object(f"{number:02}" + 50 * "x", (1, 2, 3))
        await asyncio.sleep(0.2)
        declared = [each.index for each in plane.frames[-1].entries if isinstance(each, MoverDeclaration)]
        assert declared == [each.index for each in plane.frames[-1].entries if isinstance(each, OwnPose)]
        assert len(declared) > 10


@virtual_time
async def test_no_number_is_sealed_twice_by_one_ticket() -> None:
    plane = ScriptedPlane(servers=("127.0.0.1", "127.0.0.2"), shut=frozenset(["127.0.0.1"]))
    async with in_scene(ScriptedRealm(plane=plane)) as scene, scene.motion() as motion:
        motion.move_head((1, 2, 3))
        await until(plane, OwnPose)
        assert len(plane.tickets) == 1
        assert len(plane.sealed) > 20, "negative control: both servers were tried"
        assert plane.sealed == list(range(len(plane.sealed)))


@pytest.mark.parametrize("position", [(math.nan, 0, 0), (2e6, 0, 0), (1, 2), ("a", "b", "c")])
def test_what_cannot_be_said_is_not_taken(position: tuple[float, ...]) -> None:
    @virtual_time
    async def main() -> None:
        async with on_plane() as (_, motion):
            with pytest.raises(InvalidError):
                motion.move_head(position)
            with pytest.raises(InvalidError):
                motion.move_head((0, 0, 0), (0, 0, 0, 0))

    main()


@virtual_time
async def test_what_is_no_number_is_told_from_what_is_too_far() -> None:
    async with on_plane() as (_, motion):
        with pytest.raises(InvalidError, match=r"the head can't be used: nan is no number"):
            motion.move_head((0, math.nan, 0))
        with pytest.raises(InvalidError, match=r"object 'drone' can't be used: 2000000.0 m is not within 1,000,000 m"):
            motion.move_object("drone", (2e6, 0, 0))


@virtual_time
async def test_an_end_is_followed_by_a_new_stay_that_says_all_again() -> None:
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
async def test_silence_is_an_end() -> None:
    async with on_plane() as (plane, _):
        await asyncio.sleep(4)
        assert len(plane.tickets) == 1, "negative control"
        await asyncio.sleep(3)
        assert len(plane.tickets) == 2


@virtual_time
async def test_whoever_leaves_says_so() -> None:
    async with on_plane() as (plane, motion):
        assert plane.farewells == 0
    assert plane.farewells == 10
    with pytest.raises(ClosedError):
        motion.move_head((0, 0, 0))


@virtual_time
async def test_a_realm_without_a_motion_plane_says_so() -> None:
    async with in_scene(ScriptedRealm()) as scene:
        with pytest.raises(UnreachableError, match="no motion plane"):
            await scene.motion().__aenter__()
    async with in_scene(ScriptedRealm(plane=ScriptedPlane(offers_netcode=False))) as scene:
        with pytest.raises(UnreachableError, match="netcode"):
            await scene.motion().__aenter__()


@virtual_time
async def test_where_udp_is_blocked_it_says_so() -> None:
    async with in_scene(ScriptedRealm(plane=ScriptedPlane(answers=False))) as scene:
        with pytest.raises(UnreachableError, match="UDP"):
            await scene.motion().__aenter__()


@pytest.mark.realm
def test_two_programs_see_each_other_move_in_a_real_realm(server: Server) -> None:
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
