"""What can go wrong, as a tree.

StoaError
├── NotRunningError        no realm is running on this data folder
├── UnreachableError       the realm does not answer, or not in time
├── InvalidError           a value that can't be used (also a ValueError); nothing was sent
├── ClosedError            the scene or the realm was left
└── RefusedError           the realm said no: `what` and `reason` say to what and why
    ├── NotSignedInError   the token is missing where one is needed, wrong, expired or revoked
    ├── NotGrantedError    who you are may not do that
    ├── NoSuchSceneError   there is no such scene, or it is not shown to you
    ├── LimitError         too many, too fast, too large
    └── NotStoredError     the realm could not write it to disk
"""

from __future__ import annotations


class StoaError(Exception):
    """All errors of this package."""


class NotRunningError(StoaError):
    """No realm is running on this data folder."""


class UnreachableError(StoaError):
    """The realm does not answer, or not in time."""


class InvalidError(StoaError, ValueError):
    """A value that can't be used. Nothing was sent."""

    def __init__(self, what: str, reason: str) -> None:
        super().__init__(f"{what} can't be used: {reason}")
        self.what = what
        self.reason = reason


class ClosedError(StoaError):
    """The scene or the realm was left."""


class RefusedError(StoaError):
    """The realm said no.

    `what` names what was refused; `reason` is one of the reasons of `spec/topics.md` section 2 or the realm's words; `limit` is how much
    would have been taken, in words (`8192 bytes of a chat`), where that is why.
    """

    def __init__(self, what: str, reason: str, limit: str | None = None, *, you: str | None = None) -> None:
        details = [f"at most {limit}"] * (limit is not None) + [f"you are {you}"] * (you is not None)
        super().__init__(f"{what} was refused: {reason}" + (f" ({', '.join(details)})" if details else ""))
        self.what = what
        self.reason = reason
        self.limit = limit


class NotSignedInError(RefusedError):
    """The token is missing where one is needed, wrong, expired or revoked."""


class NotGrantedError(RefusedError):
    """Who you are may not do that."""


class NoSuchSceneError(RefusedError):
    """There is no such scene, or it is not shown to you."""


class LimitError(RefusedError):
    """Too many, too fast, or too large."""


class NotStoredError(RefusedError):
    """The realm could not write it to disk."""


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

# Reason codes of MQTT 5, section 2.4, where the realm gives no words.
_BY_CODE: dict[int, tuple[type[RefusedError], str]] = {
    0x86: (NotSignedInError, "bad user name or token"),
    0x87: (NotGrantedError, "not_granted"),
    0x95: (LimitError, "too_large"),
    0x96: (LimitError, "flood"),
    0x97: (NotStoredError, "not_stored"),
}

_BY_STATUS: dict[int, type[RefusedError]] = {
    401: NotSignedInError,
    403: NotGrantedError,
    404: NoSuchSceneError,
    413: LimitError,
    429: LimitError,
}


def refused_by_code(what: str, code: int, words: str | None) -> RefusedError:
    """Make the error of an MQTT 5 reason code; `words` is its reason string: `REASON` or `REASON: at most LIMIT`."""
    by_code, otherwise = _BY_CODE.get(code, (RefusedError, f"reason code 0x{code:02x}"))
    reason, _, limit = (words or otherwise).partition(": at most ")
    return _BY_REASON.get(reason, by_code)(what, reason, limit or None)


def refused_by_status(what: str, status: int, words: str | None) -> RefusedError:
    """Make the error of an HTTP answer; `words` is the problem document's detail."""
    return _BY_STATUS.get(status, RefusedError)(what, words or f"HTTP {status}")
