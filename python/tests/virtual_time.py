"""Runs a test on an event loop whose clock jumps to the next deadline, so that it never sleeps."""

from __future__ import annotations

import asyncio
import functools
import selectors
from typing import TYPE_CHECKING, ParamSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

P = ParamSpec("P")

TEST_S_MAX = 3_600.0
"""Timeout of a test in virtual seconds."""


class _JumpingSelector(selectors.DefaultSelector):
    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is not None:
            self.now_s += timeout
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def virtual_time(test: Callable[P, Coroutine[object, object, None]]) -> Callable[P, None]:
    """Wrap a coroutine function as a test."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        async def limited() -> None:
            async with asyncio.timeout(TEST_S_MAX):
                await test(*args, **kwargs)

        with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
            runner.run(limited())

    return run


async def settle() -> None:
    """Run all ready callbacks."""
    for _ in range(50):
        await asyncio.sleep(0)
