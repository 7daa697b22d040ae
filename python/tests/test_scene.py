from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from scripted_realm import BELOW, SCENE, ScriptedRealm
from virtual_time import settle, virtual_time

import stoa
from stoa import Box, Realm, Scene

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


@asynccontextmanager
async def lobby(script: ScriptedRealm) -> AsyncGenerator[Scene]:
    async with Realm("https://localhost:8443", token="t", transport=script) as realm:  # noqa: S106  # no secret
        yield await realm.scene(SCENE)


def click(target: str, kind: str = "mousedown") -> dict[str, object]:
    point = {"x": 1, "y": 2, "z": 3}
    return {"object_id": "bob_9", "action": "clientEvent", "type": kind, "data": {"target": target, "targetPosition": point}}


def camera(name: str) -> tuple[str, dict[str, object]]:
    data = {"object_type": "camera", "position": {"x": 0, "y": 1.6, "z": 0}, "arena-user": {"displayName": name}}
    return f"{BELOW}/u/bob_9_web/bob_9", {"object_id": "bob_9", "action": "create", "type": "object", "data": data}


@virtual_time
async def test_an_entered_scene_has_the_snapshots_objects_and_people() -> None:
    script = ScriptedRealm(objects={"sign": {"data": {"object_type": "text"}, "persist": True}}, people=[camera("Bob")])
    async with lobby(script) as scene:
        assert scene.objects["sign"].object_type == "text"
        assert scene.objects["sign"].persist
        assert scene.users["bob_9"].display_name == "Bob"
        assert scene.users["bob_9"].position == (0, 1.6, 0)
        assert (await scene.me()).role == "editor"


@virtual_time
async def test_an_added_object_is_published_in_arenas_format() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        box = await scene.add(Box(object_id="lamp", position=(0, 1.5, -2), click_listener=True), ttl_s=5)
        assert box.attributes["position"] == {"x": 0, "y": 1.5, "z": -2}
    topic, payload = script.published[0]
    assert topic == f"{BELOW}/o/alice_1_py/lamp"
    assert payload["action"] == "create"
    assert payload["persist"] is False
    assert payload["ttl"] == 5
    assert payload["data"]["object_type"] == "box"
    assert payload["data"]["click-listener"] is True


@virtual_time
async def test_a_write_is_readable_before_the_stream_delivers_it() -> None:
    script = ScriptedRealm(echo_after_s=1)
    async with lobby(script) as scene:
        changes = scene.changes()
        box = await scene.add(Box(object_id="lamp"))
        assert box.attributes == {"object_type": "box"}
        async with asyncio.TaskGroup() as group:
            for width in range(5):
                group.create_task(box.update(width=width))
        assert box.attributes["width"] == 4
        assert [len((await anext(changes)).keys) for _ in range(6)] == [1] * 6
        await box.update(position=(1, 2, 3), material={"color": "#ff0000"})
        assert box.attributes["position"] == {"x": 1, "y": 2, "z": 3}
        assert box.attributes["material"] == {"color": "#ff0000"}


@virtual_time
async def test_a_late_acknowledgement_does_not_revert_a_newer_value_of_the_stream() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene, asyncio.TaskGroup() as group:
        lamp = await scene.add(Box(object_id="lamp"))
        script.acknowledges, script.echo = asyncio.Event(), False  # conflated away
        group.create_task(lamp.update(width=1))
        await settle()
        script.echo = True
        group.create_task(lamp.update(width=2))
        await settle()
        assert lamp.attributes["width"] == 2
        script.acknowledges.set()
        await settle()
        assert lamp.attributes["width"] == 2


@virtual_time
async def test_a_late_acknowledgement_does_not_revert_a_newer_value_of_a_snapshot() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene, asyncio.TaskGroup() as group:
        lamp = await scene.add(Box(object_id="lamp"))
        await asyncio.sleep(10)
        script.acknowledges, script.echo = asyncio.Event(), False
        group.create_task(lamp.update(width=1))
        await settle()
        script.objects["lamp"]["data"]["width"] = 2
        script.revision += 5
        script.say("other", action="create", data={})
        await settle()
        assert lamp.attributes["width"] == 2
        script.acknowledges.set()
        await settle()
        assert lamp.attributes["width"] == 2


@virtual_time
async def test_update_accepts_the_object_type_as_a_keyword() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        await scene.update("thing", object_type="box", animation__position={"to": "0 1 0"})
        assert scene.objects["thing"].object_type == "box"
        assert "animation__position" in scene.objects["thing"].attributes


@virtual_time
async def test_an_update_merges_deeply_and_none_removes_a_key() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        lamp = await scene.add(Box(object_id="lamp", position=(0, 0, 0)))
        await lamp.update(material={"color": "#fff", "opacity": 0.5})
        await lamp.update(material={"opacity": None}, position=None, my_component=[1, 2])
        assert lamp.attributes == {"object_type": "box", "material": {"color": "#fff"}, "my-component": [1, 2]}


@virtual_time
async def test_an_update_keeps_the_objects_persistence_unless_persist_is_given() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        await scene.add(Box(object_id="lamp"), persist=True)
        await scene.update("lamp", position=(1, 0, 0))
        await scene.update("lamp", position=(2, 0, 0), persist=False)
        await scene.update("unknown", position=(2, 0, 0))
    assert [payload["persist"] for _, payload in script.published] == [True, True, False, False]


@virtual_time
async def test_removing_an_object_removes_its_children() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        table = await scene.add(Box(object_id="table"))
        await scene.add(Box(object_id="cup", parent="table"))
        await table.remove()
        assert dict(scene.objects) == {}
        assert table.state is None


@virtual_time
async def test_a_click_reaches_its_objects_stream_and_no_other_objects() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        lamp, door = scene.object("lamp").clicks(), scene.object("door").clicks()
        everything = scene.events()
        script.deliver(f"{BELOW}/u/bob_9_web/bob_9", click("lamp"))
        script.deliver(f"{BELOW}/u/bob_9_web/bob_9", click("lamp", "mouseup"))
        found = await anext(lamp)
        assert (found.target, found.id_tag, found.position) == ("lamp", "bob_9", (1, 2, 3))
        assert [(await anext(everything)).type for _ in range(2)] == ["mousedown", "mouseup"]
    assert [each async for each in lamp] == []
    assert [each async for each in door] == []


@virtual_time
async def test_chat_of_other_people_is_received_and_own_chat_is_not() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        chat = scene.chat()
        await scene.say("hello")
        script.deliver(f"{BELOW}/c/bob_9_web/bob_9", {"object_id": "bob_9", "type": "chat", "dn": "Bob", "text": "hi"})
        script.deliver(f"{BELOW}/c/bob_9_web/bob_9/alice_1", {"object_id": "bob_9", "type": "chat", "text": "psst"})
        heard = [await anext(chat), await anext(chat)]
    assert [(each.text, each.display_name, each.private) for each in heard] == [("hi", "Bob", False), ("psst", "bob_9", True)]
    topic, payload = script.published[0]
    assert topic == f"{BELOW}/c/alice_1_py/alice_1"
    assert payload == {"object_id": "alice_1", "type": "chat", "dn": "alice", "text": "hello"}


@virtual_time
async def test_a_persons_join_and_leave_are_each_reported_once() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        joins, leaves = scene.user_joins(), scene.user_leaves()
        script.take(*camera("Bob"))
        script.take(f"{BELOW}/x/bob_9_web/bob_9", {"object_id": "bob_9", "action": "join", "type": "arena", "dn": "Bob"})
        script.take(f"{BELOW}/x/bob_9_web/bob_9", {"object_id": "bob_9", "action": "leave"})
        assert (await anext(leaves)).id_tag == "bob_9"
        assert dict(scene.users) == {}
    assert [each.display_name async for each in joins] == ["Bob"]


@virtual_time
async def test_a_refusal_names_the_action_the_reason_and_the_role() -> None:
    script = ScriptedRealm(role="viewer", refuse_publish=(0x87, "not_granted"))
    async with lobby(script) as scene:
        with pytest.raises(stoa.NotGrantedError, match="create of object 'lamp' in public/lobby was refused: not_granted") as caught:
            await scene.add(Box(object_id="lamp"))
        assert "you are a viewer" in str(caught.value)
        script.refuse_publish = (0x97, "flood: at most 60 messages a second of a guest")
        with pytest.raises(stoa.LimitError, match="flood \\(at most 60 messages a second of a guest, you are a viewer\\)") as limited:
            await scene.remove("stone")
        assert (limited.value.reason, limited.value.limit) == ("flood", "60 messages a second of a guest")
        script.refuse_publish = (0x97, "the client reads too slowly")
        with pytest.raises(stoa.LimitError, match="the client reads too slowly"):
            await scene.remove("stone")
        script.refuse_publish = (0x97, None)
        with pytest.raises(stoa.NotStoredError):
            await scene.update("lamp", width=2)
        assert "lamp" not in scene.objects


@virtual_time
async def test_invalid_ids_attributes_and_texts_are_refused_before_sending() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        for wrong in ("", "a/b", "a+", "x" * 257):
            with pytest.raises(stoa.InvalidError, match="object id"):
                await scene.remove(wrong)
        with pytest.raises(stoa.InvalidError, match="not_finite"):
            await scene.update("lamp", temperature=float("nan"))
        with pytest.raises(stoa.InvalidError, match="width"):
            await scene.add(Box(object_id="lamp", width=-1))
        with pytest.raises(stoa.InvalidError, match="position"):
            await scene.update("lamp", position="there")
        with pytest.raises(stoa.InvalidError, match="too_large"):
            await scene.update("lamp", note="x" * 300_000)
        with pytest.raises(stoa.InvalidError, match="JSON can't hold"):
            await scene.update("lamp", note=b"bytes")
        with pytest.raises(stoa.InvalidError, match="too_large"):
            await scene.say("x" * 9_000)
    assert script.published == []


@virtual_time
async def test_a_script_reconnects_after_a_kill_and_restores_its_objects() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        lamp = await scene.add(Box(object_id="lamp"))
        await lamp.update(width=3)
        await scene.add(Box(object_id="stone"), persist=True)
        await scene.add(Box(object_id="spark"), ttl_s=60)
        clicks = lamp.clicks()
        script.kill()
        asyncio.get_running_loop().call_later(20, setattr, script, "up", True)  # noqa: FBT003  # setattr's own shape
        await scene.update("stone", width=2)
        assert sorted(script.objects) == ["lamp", "stone"]
        assert script.objects["lamp"]["data"]["width"] == 3
        assert script.objects["stone"]["data"]["width"] == 2
        assert (await scene.me()).user_client != "alice_1_py"
        script.deliver(f"{BELOW}/u/bob_9_web/bob_9", click("lamp"))
        assert (await anext(clicks)).target == "lamp"


@virtual_time
async def test_a_deleted_object_is_not_restored_after_a_reconnect() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        await scene.add(Box(object_id="lamp"))
        await scene.add(Box(object_id="door"))
        script.say("door", action="delete")
        await settle()
        script.connections.pop().lose()
        script.objects.clear()
        await asyncio.sleep(10)
        assert dict(scene.objects) == {}
        script.kill()
        script.up = True
        await asyncio.sleep(10)
        assert script.objects == {}


@virtual_time
async def test_an_unacknowledged_change_fails_after_30_s() -> None:
    script = ScriptedRealm(withhold=True)
    async with lobby(script) as scene:
        with pytest.raises(stoa.UnreachableError, match="within 30 s"):
            await scene.add(Box(object_id="lamp"))


@virtual_time
async def test_an_unreachable_realm_fails_at_once_or_is_retried_for_wait_s() -> None:
    script = ScriptedRealm(up=False)
    clock = asyncio.get_running_loop()
    with pytest.raises(stoa.UnreachableError, match="connection refused"):
        async with lobby(script):
            pass
    assert clock.time() == 0
    async with Realm("https://localhost:8443", wait_s=30, transport=script) as realm:
        clock.call_later(20, setattr, script, "up", True)  # noqa: FBT003  # setattr's own shape
        await realm.scene(SCENE)
    assert 20 <= clock.time() <= 30


@pytest.mark.parametrize(
    ("status", "error"),
    [(401, stoa.NotSignedInError), (403, stoa.NotGrantedError), (404, stoa.NoSuchSceneError), (400, stoa.RefusedError)],
)
@virtual_time
async def test_a_refused_entry_raises_the_error_of_its_status_with_the_reason(status: int, error: type[stoa.RefusedError]) -> None:
    with pytest.raises(error, match="entering public/lobby was refused: not for you"):
        async with lobby(ScriptedRealm(token_status=status)):
            pass


@virtual_time
async def test_a_refused_reconnect_raises_in_the_scenes_streams_and_changes() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        clicks = scene.clicks()
        script.token_status = 403
        script.connections[0].lose()
        with pytest.raises(stoa.NotGrantedError):
            await anext(clicks)
        with pytest.raises(stoa.NotGrantedError):
            await scene.update("lamp", width=1)
        with pytest.raises(stoa.NotGrantedError):
            await anext(scene.chat())
        assert [tick async for tick in scene.every(1)] == []


@virtual_time
async def test_a_programs_own_exception_is_raised_unchanged() -> None:
    with pytest.raises(ZeroDivisionError):
        async with lobby(ScriptedRealm()):
            raise ZeroDivisionError


@virtual_time
async def test_leaving_a_scene_with_a_lost_connection_returns_at_once() -> None:
    script = ScriptedRealm()
    async with lobby(script):
        script.connections[0].lose()
    assert asyncio.get_running_loop().time() == 0


@virtual_time
async def test_a_cancelled_program_closes_its_connection() -> None:
    script = ScriptedRealm()

    async def forever() -> None:
        async with lobby(script) as scene:
            async for _ in scene.clicks():
                pass

    task = asyncio.create_task(forever())
    await settle()
    assert len(script.connections) == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert script.connections[0].is_lost


@virtual_time
async def test_scene_every_ticks_at_once_then_on_time_and_skips_missed_ticks() -> None:
    async with lobby(ScriptedRealm()) as scene:
        clock = asyncio.get_running_loop()
        started_s = clock.time()
        seen: list[tuple[int, float]] = []
        async for tick in scene.every(0.5):
            seen.append((tick.number, clock.time() - started_s))
            if tick.number == 1:
                await asyncio.sleep(1.2)
            if tick.number >= 4:
                break
    assert seen == [(0, 0.0), (1, 0.5), (3, pytest.approx(1.7)), (4, 2.0)]


@virtual_time
async def test_closing_a_scene_ends_its_ticks_and_streams() -> None:
    async with lobby(ScriptedRealm()) as scene:
        changes = scene.changes()
        async with asyncio.TaskGroup() as group:

            async def close_later() -> None:
                await asyncio.sleep(5)
                await scene.close()

            group.create_task(close_later())
            assert [tick.number async for tick in scene.every(2)] == [0, 1, 2]
        assert [each async for each in changes] == []
        with pytest.raises(stoa.ClosedError):
            await scene.say("hello?")


@virtual_time
async def test_a_slow_reader_loses_the_oldest_events_and_their_number_is_counted() -> None:
    script = ScriptedRealm()
    async with lobby(script) as scene:
        clicks = scene.clicks()
        for number in range(1_030):
            script.deliver(f"{BELOW}/u/bob_9_web/bob_9", click(str(number)))
        await settle()
        assert clicks.dropped == 6
        assert (await anext(clicks)).target == "6"


@virtual_time
async def test_an_object_added_to_one_scene_is_absent_from_another() -> None:
    script = ScriptedRealm()
    async with Realm("https://localhost:8443", transport=script) as realm:
        first, second = await realm.scene(SCENE), await realm.scene("public/sandbox")
        await first.add(Box(object_id="lamp"))
        await settle()
        assert "lamp" in first.objects
        assert "lamp" not in second.objects
        assert [each.name for each in await realm.scenes()] == [SCENE]
