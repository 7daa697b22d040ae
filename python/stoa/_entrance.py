"""Client of the realm: admissions, scene lists, snapshots and motion tickets by HTTP, and connections."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import quote

from stoa._errors import StoaError, UnreachableError, refused_by_status
from stoa._json import JsonObject, is_object, parse
from stoa._netcode_packet import ConnectToken
from stoa._reason import ContractViolationError
from stoa._replica import Snapshot
from stoa._transport import ConnectionLostError, HttpRequest, MqttLogin

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from stoa._address import RealmAddressFinder
    from stoa._json import Json
    from stoa._topic import SceneName
    from stoa._transport import Connection, DatagramSocket, RealmAddress, RealmTransport, Response

Role: TypeAlias = Literal["viewer", "editor", "owner"]
"""A person's rights in a scene, the least first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Me:
    """This program's identity in a scene. Each connection gets a new `id_tag` and `user_client`."""

    username: str
    role: Role
    guest: bool
    id_tag: str
    user_client: str


def in_words(me: Me) -> str:
    """Describe an identity for the text of a refusal, such as `a viewer, as a guest`."""
    role = f"an {me.role}" if me.role in {"editor", "owner"} else f"a {me.role}"
    return f"{role}, as a guest" if me.guest else role


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneSummary:
    """A scene that you may enter."""

    name: str
    role: Role
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """The token and identity that the realm issues for one connection to one scene."""

    address: RealmAddress
    me: Me
    token: str = field(repr=False)
    mqtt_path: str = "/mqtt/"


class RealmClient:
    """Requests scene lists, tokens, motion tickets and snapshots by HTTP, and opens MQTT connections and UDP sockets."""

    def __init__(self, transport: RealmTransport, locator: RealmAddressFinder) -> None:
        self._transport = transport
        self._locator = locator

    async def request_admission(self, scene: SceneName, display_name: str | None) -> Admission:
        """Request a scene's token. Raises `RefusedError`, `NotRunningError`, `ConnectionLostError`."""
        address, bearer = self._locator.find()
        body: JsonObject = {"scene": str(scene), "client": "py"}
        if display_name is not None:
            body["name"] = display_name
        request = HttpRequest(method="POST", path="/api/v1/token", bearer=bearer, body=body)
        answer = _object(await self._transport.request(address, request), f"entering {scene}")
        ids = answer.get("ids")
        ids = ids if is_object(ids) else {}
        me = Me(
            username=_text(answer, "username"),
            role=_role(answer),
            guest=answer.get("guest") is True,
            id_tag=_text(ids, "userid"),
            user_client=_text(ids, "userclient"),
        )
        path = answer.get("mqtt_path")
        path = path if isinstance(path, str) else "/mqtt/"
        return Admission(address=address, me=me, token=_text(answer, "token"), mqtt_path=path)

    async def request_snapshot(self, scene: SceneName, admission: Admission) -> Snapshot:
        """Request a scene's snapshot. Raises `RefusedError`, `ConnectionLostError`."""
        path = f"/api/v1/scenes/{quote(scene.namespace)}/{quote(scene.scene)}/snapshot"
        answer = await self._transport.request(admission.address, HttpRequest(method="GET", path=path, bearer=admission.token))
        what = f"the snapshot of {scene}"
        _check(answer, what)
        try:
            return Snapshot.parse(answer.body)
        except ContractViolationError as error:
            raise StoaError(f"{what} can't be read: {error.reason}") from error

    async def request_motion_ticket(self, scene: SceneName, admission: Admission) -> ConnectToken:
        """Request a connect token of the motion plane.

        Raises `RefusedError`, `UnreachableError` (no motion plane, or none by netcode over UDP), `ConnectionLostError`.
        """
        request = HttpRequest(method="POST", path="/api/v1/motion-ticket", bearer=admission.token, body={"scene": str(scene)})
        answer = await self._transport.request(admission.address, request)
        if answer.status == HTTPStatus.NOT_FOUND:
            raise UnreachableError("this realm has no motion plane")
        offered = _object(answer, f"the motion plane of {scene}").get("netcode")
        if not is_object(offered):
            raise UnreachableError("this realm offers no netcode over UDP")
        try:
            return ConnectToken.parse(b64decode(_text(offered, "token"), validate=True))
        except ValueError as error:
            raise StoaError(f"the ticket to the motion plane of {scene} can't be read: {error}") from error

    def open_datagrams(self, server: tuple[str, int], take: Callable[[bytes], None]) -> AbstractAsyncContextManager[DatagramSocket]:
        """Open a UDP socket to `server`. Raises `ConnectionLostError` when entered."""
        return self._transport.open_datagrams(server, take)

    async def request_scenes(self) -> tuple[SceneSummary, ...]:
        """List the scenes that this program may enter.

        Raises `RefusedError`, `NotRunningError`, `ConnectionLostError`.
        """
        address, bearer = self._locator.find()
        answer = await self._transport.request(address, HttpRequest(method="GET", path="/api/v1/scenes", bearer=bearer))
        listed = _value(answer, "the list of scenes")
        found = [each for each in listed if is_object(each)] if isinstance(listed, list) else []
        return tuple(
            SceneSummary(
                name=f"{_text(each, 'namespace')}/{_text(each, 'scene')}",
                role=_role(each),
                people=_count(each, "people"),
            )
            for each in found
        )

    def connect(self, admission: Admission) -> AbstractAsyncContextManager[Connection]:
        """Log in by MQTT. Raises `RefusedError`, `ConnectionLostError` when entered."""
        login = MqttLogin(
            client_id=admission.me.user_client,
            username=admission.me.username,
            token=admission.token,
            path=admission.mqtt_path,
        )
        return self._transport.connect(admission.address, login)


def _check(answer: Response, what: str) -> None:
    if answer.status < HTTPStatus.BAD_REQUEST:
        return
    try:
        problem = parse(answer.body)
    except ContractViolationError:
        problem = None
    words = (problem.get("detail") or problem.get("title")) if is_object(problem) else None
    words = words if isinstance(words, str) else None
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR or answer.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise ConnectionLostError(f"{what}: {words or f'HTTP {answer.status}'}")  # temporary, so worth a retry
    raise refused_by_status(what, answer.status, words)


def _value(answer: Response, what: str) -> Json:
    _check(answer, what)
    try:
        return parse(answer.body)
    except ContractViolationError as error:
        raise StoaError(f"the answer to {what} can't be read: {error.reason}") from error


def _object(answer: Response, what: str) -> JsonObject:
    value = _value(answer, what)
    if not is_object(value):
        raise StoaError(f"the answer to {what} is not an object")
    return value


def _text(value: JsonObject, key: str) -> str:
    text = value.get(key)
    if not isinstance(text, str):
        raise StoaError(f"the realm's answer has no text {key!r}")
    return text


def _count(value: JsonObject, key: str) -> int:
    count = value.get(key)
    return count if isinstance(count, int) else 0


def _role(value: JsonObject) -> Role:
    role = value.get("role")
    match role:
        case "viewer" | "editor" | "owner":
            return role
        case _:
            raise StoaError(f"the realm's answer has an unknown role {role!r}")
