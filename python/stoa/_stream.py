"""A bounded stream of events."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from stoa._limits import STREAM_ITEMS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Stream(Generic[T]):
    """`async for item in stream` yields events from the stream's creation until its scene or `Motion` ends.

    A stream that is read too slowly drops its oldest items and counts them in `dropped`. It stops when you leave the
    scene or the motion plane. If an error ended them, the stream raises that error. References to a stream are weak,
    so an unused stream needs no closing.
    """

    def __init__(self, pick: Callable[[object], T | None]) -> None:
        self.dropped = 0
        self._pick = pick
        self._items = deque[T]()
        self._news = asyncio.Event()
        self._ended = False
        self._failure: Exception | None = None

    def offer(self, event: object) -> None:
        """Append `event` if this stream's filter accepts it. Internal: the scene calls it."""
        item = None if self._ended else self._pick(event)
        if item is None:
            return
        if len(self._items) >= STREAM_ITEMS_MAX:
            self._items.popleft()
            self.dropped += 1
        self._items.append(item)
        self._news.set()

    def end(self, failure: Exception | None = None) -> None:
        """End the stream. Its unread items can still be read."""
        if not self._ended:
            self._ended, self._failure = True, failure
            self._news.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> T:
        while not self._items:
            if self._ended:
                if self._failure is not None:
                    raise self._failure
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        return self._items.popleft()
