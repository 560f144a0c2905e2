"""How much one connection, or one address, may ask for."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

MESSAGE_BYTES = 64 * 1024
"""The largest message of a client."""
ROOMS = 60
"""So many rooms there are at most."""
PUPILS = 120
"""So many take part in a live quiz at most."""
REQUESTS = 300
"""So many connections may load pages at once,"""
SOCKETS = 500
"""and so many may stay;"""
OF_ADDRESS = 150
"""of each kind so many from one address: a class may share one."""
WAITING = 40
"""So many messages of a connection wait to be done at most; more are dropped."""
HELLO_SECONDS = 10.0
"""A connection that has not said by then who it is, is closed."""

_ADDRESSES = 4096

Clock = Callable[[], float]


class Bucket:
    """A bucket of tokens that fills by time: each thing that is done takes one."""

    def __init__(self, size: float, per_second: float, clock: Clock = time.monotonic) -> None:
        self._size, self._per_second, self._clock = size, per_second, clock
        self._left, self._at = size, clock()

    def _fill(self) -> None:
        now = self._clock()
        self._left = min(self._size, self._left + (now - self._at) * self._per_second)
        self._at = now

    def has(self) -> bool:
        """Return whether there is a token."""
        self._fill()
        return self._left >= 1

    def take(self) -> bool:
        """Take a token; False if there is none."""
        if not self.has():
            return False
        self._left -= 1
        return True


class Messages:
    """The messages of one connection: too many are dropped, far too many end it."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._messages = Bucket(40, 20, clock)
        self._patience = Bucket(200, 5, clock)

    def take(self) -> bool | None:
        """Return whether a message is heard; None if the connection has to end."""
        if self._messages.take():
            return True
        return False if self._patience.take() else None


class Tries:
    """Wrong codes and tokens, by address: after some, an address has to wait."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def _bucket(self, address: str) -> Bucket:
        bucket = self._buckets.pop(address, None) or Bucket(20, 1 / 3, self._clock)
        self._buckets[address] = bucket
        if len(self._buckets) > _ADDRESSES:
            self._buckets.popitem(last=False)
        return bucket

    def may_try(self, address: str) -> bool:
        """Return whether an address may try."""
        return self._bucket(address).has()

    def failed(self, address: str) -> None:
        """Count a try that was wrong."""
        self._bucket(address).take()
