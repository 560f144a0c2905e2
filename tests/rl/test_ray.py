"""A Ray cluster gives the bytes of one process, whatever happens to its workers."""

from __future__ import annotations

import http.server
import os
import re
import signal
import socket
import statistics
import sys
import threading
import time
from concurrent.futures import CancelledError, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import adjoin
from adjoin.simulation.ray import ClusterError, Executor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adjoin.simulation.agents import Policy

ray = pytest.importorskip("ray", reason="needs Ray: pip install 'adjoin[ray]'")
cluster_utils = pytest.importorskip("ray.cluster_utils")

MILLION = 1_000_000


class Cluster:
    """A head without cores, and two machines with a core each, all of them on this one."""

    def __init__(self) -> None:
        head = {"num_cpus": 0, "include_dashboard": False}
        self._cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address
        self.nodes = [self.add(), self.add()]

    def add(self) -> Any:
        return self._cluster.add_node(num_cpus=1)

    def lose(self, node: Any) -> None:
        self._cluster.remove_node(node, allow_graceful=False)

    def lose_head(self) -> None:
        self._cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)

    def stop(self) -> None:
        ray.shutdown()
        self._cluster.shutdown()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    yield cluster
    cluster.stop()


@pytest.fixture
def pool(cluster: Cluster) -> Iterator[Executor]:
    with Executor(cluster.address) as pool:
        yield pool


def slow(seconds: float) -> Policy:
    """Return an agent that takes the first legal action, slowly."""

    def first_legal(observations: Any, masks: Any) -> Any:
        time.sleep(seconds)
        return masks.argmax(axis=1)

    return first_legal


def doomed(died: Path, times: int) -> Policy:
    """Return an agent whose worker is killed so many times, always in the middle of a game."""

    def first_legal(observations: Any, masks: Any) -> Any:
        for number in range(times):
            if masks.sum() % 5 == 0 and not (died / str(number)).exists():
                (died / str(number)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return masks.argmax(axis=1)

    return first_legal


def dying(now: Path) -> Policy:
    """Return an agent whose worker is killed once there is such a file."""

    def first_legal(observations: Any, masks: Any) -> Any:
        if now.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.001)
        return masks.argmax(axis=1)

    return first_legal


def first_legal(observations: Any, masks: Any) -> Any:
    return masks.argmax(axis=1)


def at(games: int, call: Callable[[], Any]) -> Callable[[int, int], None]:
    """Return a progress that calls something when so many games are done."""
    calls = [call]

    def hear(done: int, total: int) -> None:
        if done >= games and calls:
            calls.pop()()

    return hear


def once(call: Callable[[], Any]) -> Callable[[int, int], None]:
    """Return a progress that calls something when the first part is done."""
    return at(1, call)


def workers(pool: Executor) -> set[int]:
    """Return the process ids of both workers."""

    def process() -> int:
        time.sleep(0.1)
        return os.getpid()

    found: set[int] = set()
    while len(found) < 2:
        found |= {future.result() for future in [pool.submit(process) for _ in range(4)]}
    return found


def here() -> str:
    """Do nothing; the workers do not have this module."""
    return "here"


def test_a_million_games_are_those_of_one_process(
    pool: Executor, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(**keywords: Any) -> tuple[float, adjoin.Table]:
        begin = time.perf_counter()
        table = adjoin.simulate("mapello", MILLION, seed=7, progress=None, **keywords)
        return time.perf_counter() - begin, table

    before = workers(pool)
    victim = min(before)
    alone, expected = run()
    runs: dict[str, list[float]] = {"threads": [], "Ray": []}
    for _ in range(3):
        for how, (seconds, table) in {
            "threads": run(threads=2),
            "Ray": run(executor=pool),
        }.items():
            runs[how].append(seconds)
            assert table == expected
            assert table["episode"].tolist() == list(range(MILLION))
    assert workers(pool) == before
    begin = time.perf_counter()
    kill = at(MILLION // 4, lambda: os.kill(victim, signal.SIGKILL))
    table = adjoin.simulate("mapello", MILLION, seed=7, executor=pool, progress=kill)
    killed = time.perf_counter() - begin
    assert table == expected
    assert victim not in workers(pool)
    threads, there = (statistics.median(runs[how]) for how in ("threads", "Ray"))
    with capsys.disabled():
        print(
            f"\n{MILLION:,} games of Mapello: one thread {alone:.2f} s, "
            f"two threads {threads:.2f} s, two workers {there:.2f} s "
            f"({there / threads - 1:+.0%} against threads), "
            f"with one killed {killed:.2f} s; medians of three in turns, the first and last single"
        )


def test_a_worker_killed_in_the_middle_of_a_game_is_retried(pool: Executor, tmp_path: Path) -> None:
    plain: list[Any] = [doomed(tmp_path, 0), "random"]
    expected = adjoin.simulate("domiphun", 200, plain, seed=2)
    agents: list[Any] = [doomed(tmp_path, 2), "random"]
    table = adjoin.simulate("domiphun", 200, agents, seed=2, executor=pool, part=20)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["0", "1"]
    assert table == expected


def test_a_worker_lost_too_often_is_told(cluster: Cluster, tmp_path: Path) -> None:
    agents: list[Any] = [doomed(tmp_path, 1), "random"]
    with Executor(cluster.address, retries=0) as pool:
        with pytest.raises(ClusterError, match=r"was lost once: does it run out of memory"):
            adjoin.simulate("domiphun", 50, agents, executor=pool, part=50)
        assert len(adjoin.simulate("domiphun", 50, agents, executor=pool)) == 50


BEYOND = 4 * 2 * 40
"""So many games are on their way at most while the first part of 40 is not finished."""


def test_what_was_finished_is_kept_and_the_rest_can_be_played(
    cluster: Cluster, tmp_path: Path
) -> None:
    agents: list[Any] = [dying(tmp_path / "now"), "random"]
    kill = at(BEYOND, (tmp_path / "now").touch)
    keywords: dict[str, Any] = {"seed": 5, "first": 3, "part": 40, "progress": kill}
    with (
        Executor(cluster.address, retries=0) as pool,
        pytest.raises(ClusterError, match="was lost once") as caught,
    ):
        adjoin.simulate("mapello", 640, agents, executor=pool, **keywords)
    finished = caught.value.finished
    assert finished is not None
    assert 0 < len(finished) < 640
    expected = adjoin.simulate("mapello", 640, [first_legal, "random"], seed=5, first=3)
    keywords |= {"first": 3 + len(finished), "progress": None}
    rest = adjoin.simulate("mapello", 640 - len(finished), [first_legal, "random"], **keywords)
    assert adjoin.Table.join([finished, rest]) == expected


def test_what_was_finished_when_ray_is_gone_is_kept(cluster: Cluster) -> None:
    agents: list[Any] = [slow(0.001), "random"]
    with Executor(cluster.address) as pool:
        with pytest.raises(ClusterError, match="Ray was shut down") as caught:
            adjoin.simulate(
                "mapello", 640, agents, executor=pool, part=40, progress=at(BEYOND, ray.shutdown)
            )
        finished = caught.value.finished
        assert finished is not None
        assert 0 < len(finished) < 640
        assert finished == adjoin.simulate("mapello", len(finished), [slow(0), "random"])
        with pytest.raises(ClusterError, match="Ray was shut down") as caught:
            adjoin.simulate("mapello", 640, executor=pool, part=40)
        assert len(caught.value.finished or ()) == 0
        with pytest.raises(ClusterError, match="Ray was shut down") as caught:
            pool.submit(os.getpid)
        assert caught.value.finished is None


def test_what_was_finished_of_a_tournament_is_kept(cluster: Cluster, tmp_path: Path) -> None:
    agents: dict[str, Any] = {"mine": dying(tmp_path / "now"), "random": "random"}
    kill = at(200, (tmp_path / "now").touch)
    with (
        Executor(cluster.address, retries=0) as pool,
        pytest.raises(ClusterError, match="was lost once") as caught,
    ):
        adjoin.tournament("domiphun", agents, 400, seed=5, executor=pool, progress=kill)
    agents["mine"] = first_legal
    expected = adjoin.tournament("domiphun", agents, 400, seed=5).tables
    assert caught.value.tables == expected[:1]
    assert caught.value.finished is not None


def test_a_machine_that_is_lost_is_made_up_for(cluster: Cluster, pool: Executor) -> None:
    agents: list[Any] = [slow(0.002), "random"]
    lose = once(lambda: cluster.lose(cluster.nodes.pop()))
    table = adjoin.simulate("mapello", 640, agents, executor=pool, part=40, progress=lose)
    agents[0] = slow(0)
    assert table == adjoin.simulate("mapello", 640, agents)
    cluster.nodes.append(cluster.add())


@pytest.mark.parametrize("game", adjoin.games())
@pytest.mark.parametrize("record", ["episodes", "decisions"])
def test_every_game_gives_the_same_bytes(pool: Executor, game: str, record: Any) -> None:
    seats = adjoin.Batch(game).spec.seats
    agents = ["greedy", *["random"] * (seats - 1)]
    table = adjoin.simulate(game, 60, agents, seed=4, record=record, executor=pool, part=7)
    assert table == adjoin.simulate(game, 60, agents, seed=4, record=record)


def test_search_agents_play_the_same(pool: Executor) -> None:
    agents = ["search(iterations=2000)", "greedy"]
    there = adjoin.simulate("mapello", 4, agents, seed=3, executor=pool)
    assert there == adjoin.simulate("mapello", 4, agents, seed=3)


def test_tournaments_with_search_give_the_same(pool: Executor) -> None:
    agents = ["random", "greedy", "search(iterations=20)"]
    here = adjoin.tournament("mapello", agents, num_games=8, seed=3)
    there = adjoin.tournament("mapello", agents, num_games=8, seed=3, executor=pool)
    assert there.to_dict() == here.to_dict()
    assert there.tables == here.tables


@pytest.mark.parametrize("game", adjoin.games())
def test_many_positions_are_searched_at_a_time(pool: Executor, game: str) -> None:
    def positions() -> Iterator[adjoin.Match]:
        for episode in range(6):
            match = adjoin.Match(game, seed=9, episode=episode)
            match.play_random(2 * episode)
            yield match

    heard: list[tuple[int, int]] = []
    agent = "search(iterations=100)"
    choices = pool.choose(positions(), agent, progress=lambda *told: heard.append(told))
    assert choices == [match.choose(agent) for match in positions()]
    assert heard == [(done, 6) for done in range(1, 7)]
    assert pool.choose([]) == []


def test_endgames_are_solved_at_a_time(pool: Executor) -> None:
    matches = []
    for episode in range(3):
        match = adjoin.Match("mapello", setup="othello", episode=episode)
        match.play_random(50)
        matches.append(match)
    assert list(pool.map(adjoin.Match.solve, matches)) == [match.solve() for match in matches]


def test_positions_that_cannot_be_searched_are_named(pool: Executor) -> None:
    matches = [adjoin.Match("mapello"), adjoin.Match("mapello")]
    with pytest.raises(ValueError, match=r"agent .*nobody"):
        pool.choose(matches, "nobody")
    matches[1].play_random()
    with pytest.raises(ValueError, match=r"matches\[1\] is over, nobody has to decide"):
        pool.choose(matches)


def test_progress_hears_of_a_part_while_one_before_it_is_played(
    pool: Executor, tmp_path: Path
) -> None:
    taken, heard = tmp_path / "taken", tmp_path / "heard"

    def first_legal(observations: Any, masks: Any) -> Any:
        try:
            taken.touch(exist_ok=False)
        except FileExistsError:
            return masks.argmax(axis=1)
        for _ in range(600):
            if heard.exists():
                return masks.argmax(axis=1)
            time.sleep(0.1)
        raise TimeoutError("nothing was heard while the first part was played")

    told: list[tuple[int, int]] = []

    def hear(done: int, total: int) -> None:
        told.append((done, total))
        heard.touch()

    agents: list[Any] = [first_legal, "random"]
    table = adjoin.simulate("mapello", 100, agents, executor=pool, part=30, progress=hear)
    assert table == adjoin.simulate("mapello", 100, agents)
    assert len(told) == 4
    assert told == sorted(told)
    assert told[-1] == (100, 100)


def test_any_pool_may_finish_in_any_order() -> None:
    class Backwards:
        """Does the last of what it was given first."""

        _max_workers = 1

        def __init__(self) -> None:
            self.calls: list[tuple[Future[Any], Any, Any]] = []

        def submit(self, call: Any, piece: range) -> Future[Any]:
            future: Future[Any] = Future()
            self.calls.append((future, call, piece))
            if piece.stop in (40, 60):
                for made, call, piece in reversed(self.calls):
                    made.set_result(call(piece))
                self.calls.clear()
            return future

    heard: list[int] = []
    tables = iter(
        adjoin.simulate(
            "mapello",
            60,
            executor=Backwards(),
            part=10,
            stream=True,
            progress=lambda done, _: heard.append(done),
        )
    )
    played = [next(tables)]
    assert heard == [10, 20, 30, 40]
    assert adjoin.Table.join([*played, *tables]) == adjoin.simulate("mapello", 60)
    assert heard == [10, 20, 30, 40, 50, 60]


def test_the_error_of_an_agent_arrives(pool: Executor) -> None:
    def bad(observations: Any, masks: Any) -> Any:
        raise KeyError("no idea")

    with pytest.raises(adjoin.SimulationError, match="the agent raised KeyError") as caught:
        adjoin.simulate("mapello", 100, [bad, "random"], executor=pool, part=30)
    assert caught.value.episode == 0
    assert "no idea" in str(caught.value.__cause__)


def test_a_module_that_the_workers_lack_is_named(pool: Executor) -> None:
    with pytest.raises(ClusterError, match=f"the workers do not have the module {__name__}"):
        pool.submit(here).result()


def test_a_worker_with_another_version_is_named(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for where, version in {"here": "1.2.3", "there": "9.8.7"}.items():
        about = tmp_path / where / f"adjoin-{version}.dist-info"
        about.mkdir(parents=True)
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: adjoin\nVersion: {version}\n", "utf-8"
        )
    monkeypatch.syspath_prepend(tmp_path / "here")
    package = Path(adjoin.__file__).parents[1]
    same, other = (
        {"env_vars": {"PYTHONPATH": f"{tmp_path / where}{os.pathsep}{package}"}}
        for where in ("here", "there")
    )
    with Executor(cluster.address, runtime_env=other) as pool:
        with pytest.raises(
            ClusterError, match=r"a worker has adjoin 9\.8\.7, not 1\.2\.3"
        ) as caught:
            adjoin.simulate("mapello", 100, executor=pool)
        assert len(caught.value.finished or ()) == 0
    with Executor(cluster.address, runtime_env=same) as pool:
        assert len(adjoin.simulate("mapello", 100, executor=pool)) == 100


def test_a_run_that_was_stopped_goes_on(pool: Executor, tmp_path: Path) -> None:
    def stop(done: int, total: int) -> None:
        if len(list((tmp_path / "there").glob("*.parquet"))) >= 2:
            raise KeyboardInterrupt

    def run(progress: Any) -> Path:
        stream = adjoin.simulate(
            "mapello", 10_000, seed=5, executor=pool, stream=True, part=1000, progress=progress
        )
        return stream.to_parquet(tmp_path / "there")

    with pytest.raises(KeyboardInterrupt):
        run(stop)
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "there").iterdir()}
    assert 2 <= len(kept) < 10
    totals: set[int] = set()
    run(lambda done, total: totals.add(total))
    assert totals == {10_000 - 1000 * len(kept)}
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    same_files(tmp_path, 10_000, 1000, "random")


def same_files(folder: Path, games: int, part: int, agents: Any) -> None:
    """Check the files of a cluster against those of this process, byte for byte."""
    adjoin.simulate("mapello", games, agents, seed=5, stream=True, part=part).to_parquet(
        folder / "here"
    )
    files = [{p.name: p.read_bytes() for p in (folder / at).iterdir()} for at in ("here", "there")]
    assert len(files[0]) == games // part
    assert files[0] == files[1]


def test_a_call_can_be_cancelled(pool: Executor) -> None:
    calls = [pool.submit(time.sleep, 60) for _ in range(6)]
    assert all(call.cancel() for call in calls)
    with pytest.raises(CancelledError):
        calls[0].result(1)
    assert pool.submit(os.getpid).result(30) > 0
    assert not pool.submit(len, "abc").exception()
    assert wait(calls, 1).done == set(calls)


def test_a_pool_that_was_shut_down_says_so(cluster: Cluster) -> None:
    with Executor(cluster.address) as pool:
        with pytest.raises(ValueError, match=r"connected to a Ray cluster: leave out address"):
            Executor(cluster.address)
        with Executor() as second:
            assert second.submit(len, "abc").result() == 3
        assert ray.is_initialized()
        late = pool.submit(time.sleep, 0.2)
    assert late.done()
    assert not ray.is_initialized()
    with pytest.raises(RuntimeError, match="this pool was shut down"):
        pool.submit(os.getpid)


def test_ray_shut_down_by_somebody_else_is_told(cluster: Cluster) -> None:
    pool = Executor(cluster.address)
    call = pool.submit(time.sleep, 60)
    ray.shutdown()
    with pytest.raises(ClusterError, match="Ray was shut down: connect again"):
        call.result(30)
    with pytest.raises(ClusterError, match="Ray was shut down"):
        pool.submit(os.getpid)


def test_one_is_started_here() -> None:
    with Executor(workers=2) as pool:
        table = adjoin.simulate("mapello", 1000, executor=pool)
        assert pool.submit(os.getpid).result() != os.getpid()
    assert table == adjoin.simulate("mapello", 1000)
    assert not ray.is_initialized()


def test_the_examples_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "pages" / "guides" / "large_runs.md"
    blocks = re.findall(r"^```py\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for number, block in enumerate(blocks, 1):
        exec(compile(block, f"{page.name}, example {number}", "exec"), names)
    assert len(list((tmp_path / "games_of_the_cluster").iterdir())) == 4


def test_a_cluster_that_goes_away_leaves_finished_parts(tmp_path: Path) -> None:
    def run(executor: Executor | None, progress: Any = None) -> None:
        agents: list[Any] = [slow(0.002), "random"]
        keywords: dict[str, Any] = {"executor": executor, "progress": progress, "part": 40}
        stream = adjoin.simulate("mapello", 640, agents, seed=5, stream=True, **keywords)
        stream.to_parquet(tmp_path / "there")

    cluster = Cluster()
    try:
        with Executor(cluster.address, patience=1) as pool:
            with pytest.raises(ClusterError, match=rf"the Ray cluster at {cluster.address} went"):
                run(pool, once(cluster.lose_head))
            with pytest.raises(ClusterError, match="went away"):
                pool.submit(os.getpid)
    finally:
        cluster.stop()
    kept = len(list((tmp_path / "there").iterdir()))
    assert 0 < kept < 16
    run(None)
    same_files(tmp_path, 640, 40, [slow(0), "random"])


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"workers": 0}, r"workers = 0: must be 1 to"),
        ({"workers": 2, "address": "here:1"}, "give either"),
        ({"address": "auto"}, r'address = \'auto\': must be "host:port"'),
        ({"address": "head"}, r'address = \'head\': must be "host:port"'),
        ({"cpus": 0}, r"cpus = 0: must be 1 to"),
        ({"retries": -1}, r"retries = -1: must be 0 to"),
        ({"patience": 0}, r"patience = 0: must be above 0"),
        ({"workers": 1, "cpus": 3}, r"cpus = 3: no machine of the cluster has more than 1"),
    ],
)
def test_what_cannot_be_is_refused(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Executor(**keywords)
    assert not ray.is_initialized()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("127.0.0.1:9", r"no Ray cluster answers at 127\.0\.0\.1:9: Connection refused"),
        ("no-such-host.invalid:6379", r"no Ray cluster answers at no-such-host\.invalid:6379: "),
        ("ray://127.0.0.1:10001", r"ray://127\.0\.0\.1:10001': Ray Client is not served"),
    ],
)
def test_a_cluster_that_is_not_there_is_named(
    monkeypatch: pytest.MonkeyPatch, address: str, message: str
) -> None:
    with pytest.raises(ClusterError, match=message):
        Executor(address)
    monkeypatch.setenv("RAY_ADDRESS", address)
    with pytest.raises(ClusterError, match=message):
        Executor()


def test_what_listens_but_is_not_ray_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"{address}: nothing came back in 8 seconds"):
            Executor(address)


def test_a_web_server_is_not_ray() -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        try:
            address = f"127.0.0.1:{server.server_address[1]}"
            with pytest.raises(ClusterError, match=f"{address}: something else listens there"):
                Executor(address)
        finally:
            server.shutdown()


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"this needs ray: pip install 'adjoin\[ray\]'"):
        Executor()
