"""The package's exceptions.

StoaError
├── NotRunningError        no realm is running on this data folder
├── UnreachableError       the realm does not answer, or not in time
├── InvalidError           an invalid value (also a ValueError); nothing was sent
├── ClosedError            the scene or the realm was left
└── RefusedError           the realm refused `what`, because of `reason`
    ├── NotSignedInError   a required token is missing, or the token is wrong, expired or revoked
    ├── NotGrantedError    your role lacks the right
    ├── NoSuchSceneError   the scene doesn't exist or is hidden from you
    ├── LimitError         too many, too fast, too large
    └── NotStoredError     the realm could not write to disk
"""

from __future__ import annotations


class StoaError(Exception):
    """Base class of this package's errors."""


class NotRunningError(StoaError):
    """No realm is running on this data folder."""


class UnreachableError(StoaError):
    """The realm does not answer in time, or offers no motion plane."""


class InvalidError(StoaError, ValueError):
    """An invalid value. Nothing was sent."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} can't be used: {reason}")
        self.what = what
        self.reason = reason


class ClosedError(StoaError):
    """The scene or the realm was left."""


class RefusedError(StoaError):
    """The realm refused a request.

    `what` names the request. `reason` is one of the reasons of `spec/topics.md` section 2, or a descriptive text.
    `limit` describes an exceeded limit, such as `8192 bytes of a chat`; otherwise it is None.
    """

    def __init__(self, what: str, reason: str, limit: str | None = None, *, you: str | None = None) -> None:
        details = [f"at most {limit}"] * (limit is not None) + [f"you are {you}"] * (you is not None)
        super().__init__(f"{what} was refused: {reason}" + (f" ({', '.join(details)})" if details else ""))
        self.what = what
        self.reason = reason
        self.limit = limit


class NotSignedInError(RefusedError):
    """A required token is missing, or the token is wrong, expired or revoked."""


class NotGrantedError(RefusedError):
    """You lack the right: by your role or identity, because you are muted, or because the scene is locked."""


class NoSuchSceneError(RefusedError):
    """The scene doesn't exist or is hidden from you."""


class LimitError(RefusedError):
    """Too many, too fast, or too large."""


class NotStoredError(RefusedError):
    """The realm could not write to disk."""


_BY_REASON: dict[str, type[RefusedError]] = {
    "not_granted": NotGrantedError,
    "wrong_identity": NotGrantedError,
    "reserved_type": NotGrantedError,
    "not_moderator": NotGrantedError,
    "silenced": NotGrantedError,
    "locked": NotGrantedError,
    "no_such_scene": NoSuchSceneError,
    "too_many_objects": LimitError,
    "too_many_retained": LimitError,
    "full": LimitError,
    "too_large": LimitError,
    "flood": LimitError,
    "not_stored": NotStoredError,
}

# Reason codes of MQTT 5, section 2.4, for answers without a reason string.
_BY_CODE: dict[int, tuple[type[RefusedError], str]] = {
    0x86: (NotSignedInError, "bad user name or token"),
    0x87: (NotGrantedError, "not_granted"),
    0x95: (LimitError, "too_large"),
    0x96: (LimitError, "flood"),
    # Without a reason string, 0x97 stands for `not_stored`, which is a NotStoredError by the table above.
    0x97: (LimitError, "not_stored"),
}

_BY_STATUS: dict[int, type[RefusedError]] = {
    401: NotSignedInError,
    403: NotGrantedError,
    404: NoSuchSceneError,
    413: LimitError,
    429: LimitError,
}


def refused_by_code(what: str, code: int, words: str | None) -> RefusedError:
    """Make the error of an MQTT 5 reason code. `words` is its reason string: `REASON` or `REASON: at most LIMIT`."""
    by_code, otherwise = _BY_CODE.get(code, (RefusedError, f"reason code 0x{code:02x}"))
    reason, _, limit = (words or otherwise).partition(": at most ")
    return _BY_REASON.get(reason, by_code)(what, reason, limit or None)


def refused_by_status(what: str, status: int, words: str | None) -> RefusedError:
    """Make the error of an HTTP response. `words` is the problem document's detail or title."""
    return _BY_STATUS.get(status, RefusedError)(what, words or f"HTTP {status}")
