"""Finds a realm by its URL or, on the same machine, by its data folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from stoa._errors import InvalidError, NotRunningError
from stoa._json import is_object, parse
from stoa._reason import ContractViolationError
from stoa._transport import RealmAddress

if TYPE_CHECKING:
    from pathlib import Path

    from stoa._json import JsonObject

# A server listens on these wildcard addresses, but a client can't connect to them.
_EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104  # compared with, not bound


class RealmAddressFinder(Protocol):
    """Finds a realm's address and our token, before each connection: a restarted realm may use other ports."""

    def find(self) -> tuple[RealmAddress, str | None]:
        """Return the address and a token, None for a guest. Raises `NotRunningError`."""
        ...


class FixedUrlLocator:
    """A realm at a fixed URL."""

    def __init__(self, address: RealmAddress, token: str | None) -> None:
        parts = urlsplit(address.url)
        if parts.scheme not in {"https", "http"} or not parts.hostname or parts.path.strip("/"):
            raise InvalidError(f"the URL {address.url!r}", "it must look like https://host:8443")
        url = f"{parts.scheme}://{parts.netloc}"
        self._found = RealmAddress(url=url, ca_file=address.ca_file, mqtt_port=address.mqtt_port), token

    def find(self) -> tuple[RealmAddress, str | None]:
        """Return the configured address and token."""
        return self._found


class DataFolderLocator:
    """A realm on this machine, found by its data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self) -> tuple[RealmAddress, str | None]:
        """Read the realm's address, its certificate authority and its owner's token."""
        ports = self._ports()
        https = ports.get("https")
        if not isinstance(https, str):
            raise NotRunningError(f"the realm in {self._folder} has no HTTPS address")
        host, _, port = https.rpartition(":")
        name = "localhost" if host.strip("[]") in _EVERYWHERE else host
        address = RealmAddress(url=f"https://{name}:{port}", ca_file=self._folder / "tls" / "ca.pem")
        return address, self._read("run/token").decode("ascii", "replace").strip()

    def _ports(self) -> JsonObject:
        try:
            ports = parse(self._read("run/ports.json"))
        except ContractViolationError as error:
            raise NotRunningError(f"{self._folder / 'run/ports.json'} can't be read: {error.reason}") from error
        if not is_object(ports):
            raise NotRunningError(f"{self._folder / 'run/ports.json'} is not an object")
        return ports

    def _read(self, name: str) -> bytes:
        try:
            return (self._folder / name).read_bytes()
        except OSError as error:
            raise NotRunningError(f"no realm is running on {self._folder}: {error.strerror} ({name})") from error
