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

from adjoin.batch import whole
from adjoin.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import ParamSpec

    P = ParamSpec("P")

T = TypeVar("T")

_LOOK = 0.5
"""Seconds from one look at the cluster to the next."""
_CONNECT = 5.0
"""Seconds in which a cluster has to answer at first."""


class ClusterError(ConnectionError):
    """A cluster cannot be reached, has gone away, or keeps losing the workers of a piece of work.

    What a stream has written to Parquet by then stays, and the same call goes on after it.
    """


class Executor(futures.Executor):
    """A pool like those of ``concurrent.futures`` whose work is done by Ray's workers.

    >>> import adjoin, adjoin.ray
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
        self._ended: Exception | None = None
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
        if workers is None and address is None:
            address = os.environ.get("RAY_ADDRESS")
        keywords: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address is None:
            keywords |= {"address": "local", "num_cpus": workers, "include_dashboard": False}
        elif not re.fullmatch(r"[^:/]+:\d+|\[[^/]+\]:\d+", address):
            raise ValueError(f'address = {address!r}: must be "host:port", as `ray start` says it')
        elif not _answers(address, _CONNECT):
            raise ClusterError(f"no Ray cluster answers at {address}")
        else:
            keywords["address"] = address
        try:
            self._ray.init(**keywords)
        except (ConnectionError, RuntimeError) as error:
            raise ClusterError(f"no Ray cluster answers at {address}: {error}") from error
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

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more work, and, once all is done, disconnect if this pool connected."""
        with self._lock:
            if self._ended is None:
                self._ended = RuntimeError("this pool was shut down: make another")
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
        if self._ended is not None:
            raise self._ended
        if not self._ray.is_initialized():
            self._fail("Ray was shut down")
            raise self._ended or ClusterError

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
        elif missing := re.search(r"No module named '(\w+)", str(error)):
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
        error = ClusterError(
            f"{reason}: connect again and make the same call; Parquet files that were finished stay"
        )
        with self._lock:
            if self._ended is None:
                self._ended = error
            waiting = list(self._waiting)
            self._waiting.clear()
        for future in waiting:
            if future.set_running_or_notify_cancel():
                future.set_exception(error)


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


def _version() -> str | None:
    """Return the version of adjoin, if it is installed and not only lying there."""
    try:
        return metadata.version("adjoin")
    except metadata.PackageNotFoundError:
        return None


def _answers(address: str, patience: float) -> bool:
    """Tell whether somebody listens at host:port."""
    host, _, port = address.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), patience):
            return True
    except (OSError, ValueError):
        return False
