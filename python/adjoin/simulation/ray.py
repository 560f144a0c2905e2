"""Simulations and tournaments on a Ray cluster: ``adjoin.simulate(..., executor=Executor())``."""

from __future__ import annotations

import functools
import logging
import os
import re
import socket
import threading
import time
from concurrent import futures
from importlib import metadata
from typing import TYPE_CHECKING, Any, TypeVar

from adjoin.simulation.executors import spread
from adjoin.simulation.runs import UnfinishedError
from adjoin.support.arguments import whole
from adjoin.support.extras import need
from adjoin.support.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import ParamSpec

    from adjoin.core.match import Match
    from adjoin.support.progress import Progress

    P = ParamSpec("P")

__all__ = ["ClusterError", "Executor"]

T = TypeVar("T")

_LOOK = 0.5
"""Seconds from one look at the cluster to the next."""
_CONNECT = 8.0
"""Seconds in which a cluster has to answer at first."""
_HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
"""How a client of gRPC greets: RFC 9113, section 3.4, with empty settings."""
_SETTINGS = 4
"""The type of the frame that answers it."""


class ClusterError(UnfinishedError, ConnectionError):
    """A cluster cannot be reached, has gone away, or keeps losing the workers of a piece of work.

    ``finished`` is a table of the episodes before the first that is missing, so that
    ``simulate(..., first=...)`` can play the rest; None where nothing was simulated. In a
    tournament ``tables`` are those that were whole before. What a stream has written to Parquet by
    then stays, and the same call goes on after it.
    """


class Executor(futures.Executor):
    """A pool like those of ``concurrent.futures`` whose work is done by Ray's workers.

    >>> import adjoin
    >>> with adjoin.ray.Executor(workers=2) as pool:  # doctest: +SKIP
    ...     table = adjoin.simulate("mapello", 1_000_000, executor=pool)

    ``address`` is the cluster's, ``"host:port"``. Without one it is the cluster to which this
    process is connected, else the one that ``RAY_ADDRESS`` names, else one is started on this
    machine, with ``workers`` workers, or one a core. ``shutdown`` disconnects what this connected.

    Each piece of work takes ``cpus`` cores: as many as ``threads`` of ``simulate``. A piece whose
    worker or machine is lost is done again, ``retries`` times; an error of the work itself is not.
    ``runtime_env`` is Ray's: what the workers need. They must have this version of adjoin, so that
    the bytes are the same.

    A cluster that does not answer for ``patience`` seconds has gone away: whatever is waited for
    raises ``ClusterError``, and this process is disconnected. (Ray would end it after a minute.)
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        cpus: int = 1,
        retries: int = 3,
        patience: float = 20.0,
        runtime_env: Mapping[str, Any] | None = None,
    ) -> None:
        self._ray = need("ray", "adjoin[ray]")
        self._cpus = whole("cpus", cpus, 1, 4096)
        self._retries = whole("retries", retries, 0, 1000)
        if not 0 < patience <= 50:
            raise ValueError(f"patience = {patience}: must be above 0 and at most 50 seconds")
        self._patience = patience
        self._lock = threading.RLock()
        self._waiting: dict[_Future[Any], Any] = {}
        self._is_watched = False
        self._ended: Callable[[], Exception] | None = None
        self._is_ours = self._connect(address, workers)
        self._head: str = self._ray.get_runtime_context().gcs_address
        most = max(self._cores(), default=0)
        if most < self._cpus:
            self.shutdown()
            raise ValueError(f"cpus = {cpus}: no machine of the cluster has more than {most}")
        self._task = self._ray.remote(_call).options(
            name="adjoin",
            num_cpus=self._cpus,
            max_retries=self._retries,
            runtime_env=None if runtime_env is None else dict(runtime_env),
        )

    def _connect(self, address: str | None, workers: int | None) -> bool:
        """Connect unless this process is, and tell whether it was not."""
        if workers is not None and address is not None:
            raise ValueError("workers starts a cluster here, address names one: give either")
        if workers is not None:
            whole("workers", workers, 1, 4096)
        if self._ray.is_initialized():
            if address is not None or workers is not None:
                raise ValueError(
                    "this process is connected to a Ray cluster: leave out address and workers, "
                    "or call ray.shutdown() first"
                )
            return False
        name = "address"
        if workers is None and address is None:
            name, address = "RAY_ADDRESS", os.environ.get("RAY_ADDRESS")
        keywords: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address is None:
            keywords |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
        elif address.startswith("ray://"):
            raise ClusterError(
                f"{name} = {address!r}: Ray Client is not served; run this on a machine of the "
                'cluster and give "host:port", as `ray start` says it'
            )
        elif not re.fullmatch(r"[^:/]+:\d+|\[[^/]+\]:\d+", address):
            raise ValueError(f'{name} = {address!r}: must be "host:port", as `ray start` says it')
        else:
            _greet(address)
            keywords["address"] = address
        try:
            self._ray.init(**keywords)
        except (ConnectionError, RuntimeError, self._ray.exceptions.RayError) as error:
            where = "was started here" if address is None else f"answers at {address}"
            raise ClusterError(f"no Ray cluster {where}: {error}") from error
        return True

    def _cores(self) -> list[int]:
        """Return how many cores each machine offers."""
        alive = (node for node in self._ray.nodes() if node["Alive"])
        return [int(node["Resources"].get("CPU", 0)) for node in alive]

    @property
    def _max_workers(self) -> int:
        """How many pieces can be done at a time, by the machines that are there now."""
        self._check()
        return max(1, sum(cores // self._cpus for cores in self._cores()))

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> futures.Future[T]:
        """Have a call done by a worker."""
        future: _Future[T] = _Future(self._ray)
        with self._lock:
            self._check()
            future.ref = self._task.remote(_version(), fn, args, kwargs)
            self._waiting[future] = future.ref
            if not self._is_watched:
                self._is_watched = True
                threading.Thread(target=self._watch, name="adjoin-ray", daemon=True).start()
        future.ref.future().add_done_callback(functools.partial(self._settle, future))
        return future

    def choose(
        self,
        matches: Iterable[Match],
        agent: str = "search(iterations=2000)",
        *,
        progress: Progress = None,
    ) -> list[str]:
        """Return what a built-in agent would play in each of many matches.

        Each match is searched by one worker, and the answers are those of ``Match.choose``.
        """
        asked = list(matches)
        for number, match in enumerate(asked):
            if match.is_over:
                raise ValueError(f"matches[{number}] is over, nobody has to decide")
        done: list[Match] = []
        with progress_of(progress, len(asked), "matches") as show:

            def tell(match: Match) -> None:
                done.append(match)
                show(len(done))

            return list(spread(self, functools.partial(_choice, agent), asked, tell))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work, and, once all is done, disconnect if this pool connected."""
        with self._lock:
            if self._ended is None:
                message = "this pool was shut down: make another"
                self._ended = functools.partial(RuntimeError, message)
            waiting = list(self._waiting)
        if cancel_futures:
            for future in waiting:
                future.cancel()
        if wait:
            futures.wait(waiting)
        if self._is_ours and self._ray.is_initialized():
            self._is_ours = False
            self._ray.shutdown()

    def _check(self) -> None:
        if self._ended is None and not self._ray.is_initialized():
            self._fail("Ray was shut down")
        if self._ended is not None:
            raise self._ended()

    def _settle(self, future: _Future[Any], done: futures.Future[Any]) -> None:
        """Hand over what came of a call."""
        with self._lock:
            if self._waiting.pop(future, None) is None:
                return
        future.ref = None
        if not future.set_running_or_notify_cancel():
            return
        error = done.exception()
        if error is None:
            future.set_result(done.result())
        else:
            future.set_exception(self._meaning(error))

    def _meaning(self, error: BaseException) -> BaseException:
        """Return the error of the work itself, or what happened to the worker."""
        ray = self._ray.exceptions
        cause = getattr(error, "cause", None) if isinstance(error, ray.RayTaskError) else None
        meaning: BaseException
        if isinstance(cause, Exception) and not isinstance(cause, ray.RayError):
            meaning = cause
        elif missing := re.search(r"No module named '([\w.]+)", str(error)):
            meaning = ClusterError(
                f"the workers do not have the module {missing[1]}: install it on every machine, or "
                "pass runtime_env"
            )
        elif isinstance(error, ray.WorkerCrashedError | ray.NodeDiedError):
            times = "once" if self._retries == 0 else f"{self._retries + 1} times"
            meaning = ClusterError(
                f"the worker of the same piece of work was lost {times}: does it run out of "
                "memory, or does an agent crash?"
            )
        else:
            meaning = ClusterError(f"Ray gave up a piece of work: {error}")
        meaning.__cause__ = error
        return meaning

    def _watch(self) -> None:
        """Look at the cluster as long as something is waited for."""
        seen = time.monotonic()
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_watched = False
                    return
            if not self._ray.is_initialized():
                self._fail("Ray was shut down")
            elif _answers(self._head, 1.0):
                seen = time.monotonic()
            elif time.monotonic() - seen > self._patience:
                self._fail(f"the Ray cluster at {self._head} went away")
                self._ray.shutdown()
            time.sleep(_LOOK)

    def _fail(self, reason: str) -> None:
        message = (
            f"{reason}: connect again and make the same call; Parquet files that were finished stay"
        )
        with self._lock:
            if self._ended is None:
                self._ended = functools.partial(ClusterError, message)
            waiting = list(self._waiting)
            self._waiting.clear()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(ClusterError(message))


class _Future(futures.Future[T]):
    """What will come of a call on a cluster."""

    def __init__(self, ray: Any) -> None:
        super().__init__()
        self._ray = ray
        self.ref: Any = None

    def cancel(self) -> bool:
        """Cancel the call unless it is done; a worker in the middle of a game may finish it."""
        ref = self.ref
        if not super().cancel():
            return False
        if ref is not None and self._ray.is_initialized():
            self._ray.cancel(ref)
        return True


def _call(
    version: str | None, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> T:
    """Do a piece of work, on a worker."""
    here = _version()
    if None not in (version, here) and version != here:
        raise ClusterError(f"a worker has adjoin {here}, not {version}: install the same")
    return fn(*args, **kwargs)


def _choice(agent: str, match: Match) -> str:
    return match.choose(agent)


def _version() -> str | None:
    """Return the version of adjoin, if it is installed and not only lying there."""
    try:
        return metadata.version("adjoin")
    except metadata.PackageNotFoundError:
        return None


def _greet(address: str) -> None:
    """Raise ClusterError unless somebody at host:port answers as the head of a cluster does.

    Ray itself would try for minutes, and cannot be interrupted.
    """
    answer: futures.Future[bool] = futures.Future()

    def ask() -> None:
        try:
            with _line(address, _CONNECT) as line:
                if os.environ.get("RAY_USE_TLS", "0").lower() not in ("0", "false"):
                    answer.set_result(True)
                    return
                line.sendall(_HELLO)
                frame = line.makefile("rb").read(4)
                answer.set_result(len(frame) == 4 and frame[3] == _SETTINGS)
        except (OSError, ValueError, OverflowError) as error:
            answer.set_exception(error)

    threading.Thread(target=ask, name="adjoin-ray", daemon=True).start()
    try:
        if answer.result(_CONNECT):
            return
        reason = "something else listens there; `ray start` says the port of the head"
    except (TimeoutError, futures.TimeoutError):
        reason = f"nothing came back in {_CONNECT:g} seconds"
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
    raise ClusterError(f"no Ray cluster answers at {address}: {reason}")


def _answers(address: str, patience: float) -> bool:
    """Tell whether somebody listens at host:port."""
    try:
        with _line(address, patience):
            return True
    except OSError:
        return False


def _line(address: str, patience: float) -> socket.socket:
    """Return a connection to host:port."""
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), patience)
