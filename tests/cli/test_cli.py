"""The command line: real commands, their output, messages and exit codes."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

import adjoin
from adjoin.cli import main, parser_of
from adjoin.cli.inputs import as_options
from adjoin.cli.syntax import commands_of
from interfaces import COMMAND, ENVIRONMENT, output, run, with_module
from scaffold import cases

COMMANDS = (
    *("games", "play", "page", "replay", "simulate", "summary", "tournament", "compare", "sprt"),
    *("sweep", "report", "train", "atlas", "classroom", "completion"),
)


def document(*arguments: str) -> Any:
    return json.loads(output(*arguments, "--json"))


# Help and versions.


@pytest.mark.smoke
def test_alone_it_prints_a_friendly_overview() -> None:
    text = output()
    for command in COMMANDS:
        assert f"adjoin {command}" in text
    assert max(map(len, text.splitlines())) <= 100


def test_the_version_is_the_package_s() -> None:
    assert output("--version").startswith("adjoin 0.")


@cases("command", COMMANDS)
def test_the_help_of_a_command_has_a_sentence_examples_and_where_to_read_on(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert f"usage: adjoin {command}" in text
    examples = [line for line in text.splitlines() if line.startswith(f"  adjoin {command}")]
    assert len(examples) >= 3
    assert "Read on: " in text
    assert max(map(len, text.splitlines())) <= 100


def test_every_command_that_answers_answers_as_json_too() -> None:
    silent = {"play", "serve", "completion", "classroom", "classroom play"}
    answers = {
        " ".join(each.path): any("--json" in option.names for option in each.options)
        for each in commands_of(parser_of())
        if each.path
    }
    assert {name for name, has in answers.items() if not has} == silent


# Games.


def test_games_are_listed_with_their_players() -> None:
    text = output("games")
    for game in adjoin.games():
        assert game in text
    assert "mapominoes  (Mapominoes, 2 to 5 players)" in text
    assert "mapello  (Mapello, 2 players)" in text
    rows = document("games")
    assert [row["name"] for row in rows] == adjoin.games()
    assert {row["name"]: row["players"] for row in rows} == {
        "mapello": [2],
        "mapominoes": [2, 3, 4, 5],
        "metro_domino": [2, 3, 4],
        "domiphun": [2, 3, 4],
        "connections": [3, 4, 5, 6],
    }


def test_the_page_of_a_game_is_what_describe_returns() -> None:
    page = output("games", "Metro Domino", "-o", "players=3", "-o", "wins-needed=2")
    assert page == adjoin.describe("metro_domino", players=3, wins_needed=2)
    fields = document("games", "mapello", "-o", 'walls=["c3"]', "-o", "setup=fixed")
    assert fields["options"]["setup"] == "fixed"
    assert fields["actions"]["size"] == 65


def test_one_word_is_a_list_of_one_where_a_list_is_wanted() -> None:
    for text in ("nations=Wales", 'nations=["Wales"]'):
        assert document("games", "mapominoes", "-o", text)["options"]["nations"] == ["Wales"]
    assert as_options("mapello", ["walls=3", "setup=fixed"]) == {"walls": 3, "setup": "fixed"}


def test_an_option_can_be_a_table_of_your_own(tmp_path: Path) -> None:
    atlas = adjoin.Atlas.load("us-states")
    atlas.to_csv(tmp_path / "map.csv", tmp_path / "waters.csv")
    small = atlas.sub(regions=["Maine", "New Hampshire", "Vermont", "Massachusetts"])
    small.to_csv(tmp_path / "small.csv")
    stations = adjoin.Stations.build({"Start": [3, 4], "Hub": [2]})
    stations.to_csv(tmp_path / "stations.csv")
    adjoin.Deck.load().to_csv(tmp_path / "cities.csv", tmp_path / "cards.csv")

    def option(game: str, text: str) -> Any:
        (name,) = options = as_options(game, [text])
        return adjoin.Batch.of(game, options).spec.options[name]

    assert option("mapominoes", "atlas=US States") == "us-states"
    assert option("mapominoes", f"atlas={tmp_path / 'small.csv'}")["custom"]["name"] == "small"
    both = json.dumps([str(tmp_path / "map.csv"), str(tmp_path / "waters.csv")])
    assert option("mapominoes", f"atlas={both}") == "us-states"
    lines = option("metro_domino", f"stations={tmp_path / 'stations.csv'}")["custom"]["stations"]
    assert [station["name"] for station in lines] == ["Start", "Hub"]
    both = json.dumps([str(tmp_path / "cities.csv"), str(tmp_path / "cards.csv")])
    assert option("connections", f"deck={both}") == "world-cities"


# Whole matches.


def test_simulate_prints_a_summary_and_repeats_itself() -> None:
    arguments = ("simulate", "mapello", "200", "--agents", "greedy", "random", "--seed", "4")
    result = run(*arguments)
    assert result.returncode == 0
    assert "win share, greedy" in result.stdout
    first = document(*arguments)
    assert first == document(*arguments, "--threads", "1")
    assert (first["rows"], first["seed"], first["agents"]) == (200, 4, ["greedy", "random"])
    assert first["summary"]["win share, greedy"]["value"] > 0.7


def test_simulate_writes_what_the_library_would(tmp_path: Path) -> None:
    table = adjoin.simulate("domiphun", 20, "greedy", seed=2, variant="traditional", players=3)
    file = tmp_path / "matches.csv"
    options = ["-o", "variant=traditional", "-o", "players=3"]
    run(
        "simulate",
        "domiphun",
        "20",
        "--agents",
        "greedy",
        "--seed",
        "2",
        *options,
        "--out",
        f"{file}",
    )
    with file.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert tuple(rows[0]) == table.columns
    for name in table.columns:
        assert [row[name] for row in rows] == [str(value) for value in table[name].tolist()]


def test_simulate_records_decisions() -> None:
    found = document("simulate", "mapello", "10", "--record", "decisions")
    assert "legal actions" in found["summary"]
    assert found["rows"] > 400


def test_agents_can_keep_their_seats() -> None:
    arguments = ("simulate", "mapello", "40", "--agents", "greedy", "random")
    fixed, moved = document(*arguments, "--no-rotate"), document(*arguments)
    assert (fixed["rotate"], moved["rotate"]) == (False, True)
    for figure in ("win share, greedy", "win share, seat 0"):
        assert fixed["summary"][figure]["value"] == fixed["summary"]["win share, greedy"]["value"]
    assert moved["summary"]["win share, seat 0"]["value"] < 0.8


def test_what_was_simulated_is_summed_up_again(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    options = ("-o", "setup=othello", "-o", "size=4", "--agents", "greedy", "random")
    one, other = str(tmp_path / "one.parquet"), str(tmp_path / "parts")
    text = output("simulate", "mapello", "200", *options, "--out", one)
    assert output("summary", one) == text.partition("\n\n200 ")[0].rpartition("\n\n")[0] + "\n"
    played = document("simulate", "mapello", "200", *options, "--seed", "1", "--out", other)
    assert len(played["out"]) == 1
    found = document("summary", one, other)
    assert (found["game"], found["record"], found["rows"]) == ("mapello", "episodes", 400)
    assert [run["seed"] for run in found["runs"]] == [0, 1]
    assert found["runs"][0]["options"] == {"setup": "othello", "size": 4}
    by_end = document("summary", one, "--by", "ended")
    table = adjoin.Table.read_parquet(one)
    values = {group["value"]: group["summary"]["turns"]["value"] for group in by_end["groups"]}
    assert values == {
        end: rows.summary()["turns"].value for end, rows in table.group("ended").items()
    }
    printed = output("summary", one, "--by", "ended")
    assert [f"ended: {end}\n" in printed for end in values] == [True] * len(values)


def test_a_tournament_rates_its_agents() -> None:
    found = document("tournament", "mapello", "random", "greedy", "--games", "40", "-o", "games=2")
    assert [row["agent"] for row in found["ratings"]] == ["greedy", "random"]
    assert found["options"] == {"games": 2}
    assert "greedy" in output("tournament", "mapello", "random", "greedy", "--games", "10")
    ten = ("tournament", "mapello", "random", "greedy", "--games", "10")
    anchored = document(*ten, "--anchor", "random")
    assert anchored["anchor"] == "random"
    assert {row["agent"]: row["rating"] for row in anchored["ratings"]}["random"] == 0


def test_a_sweep_tries_what_is_varied(tmp_path: Path) -> None:
    line_ups = ("--vary", "agents=random,search(iterations=2,depth=1)", "--threads", "1")
    found = document("sweep", "mapello", "10", "--vary", "jokers=0,8", *line_ups, "-o", "walls=2")
    ways = [(0, "random"), (0, "search(iterations=2,depth=1)"), (8, "random")]
    assert [tuple(point["at"].values()) for point in found["points"]][:3] == ways
    assert found["options"] == {"walls": 2}
    alone = adjoin.simulate("mapello", 10, "random", jokers=8, walls=2).summary()["turns"]
    assert found["points"][2]["figures"]["turns"]["value"] == alone.value


def test_a_sweep_is_written_to_a_folder_and_drawn(tmp_path: Path) -> None:
    tables = ("--vary", "table=[8,6],[14,10]", "--vary", "nations=Wales,Scotland", "-o", "rounds=1")
    out, folder = tmp_path / "turns.svg", tmp_path / "matches"
    chart = ("--plot", "turns", "--by", "nations", "--out", str(out), "--folder", str(folder))
    once = output("sweep", "mapominoes", "10", "--agents", "greedy", "random", *tables, *chart)
    assert "(14, 10)  (Scotland)" in once
    assert once.splitlines()[-1] == str(out)
    assert "Mapominoes: turns by nations" in out.read_text("utf-8")
    assert len(list(folder.glob("table=*/nations=*/*.parquet"))) == 4
    fixed = ("--vary", "draw=stuck,free", "-o", 'nations=["Wales"]', "-o", "table=[8,6]")
    assert "nations = (Wales), table = (8, 6)" in output("sweep", "mapominoes", "5", *fixed)


def test_agents_and_variants_are_compared() -> None:
    pair = ("compare", "mapello", "greedy", "random", "--games", "40")
    found = document(*pair, "--measures", "won", "score", "--seed", "2")
    library = adjoin.compare("greedy", "random", "mapello", 40, measures=["won", "score"], seed=2)
    assert found == json.loads(json.dumps(library.to_dict()))
    assert "each among random" in output(*pair, "--among", "random")
    variants = ("compare", "mapello", "--a", "jokers=0", "--b", "jokers=8", "--games", "40")
    found = document(*variants, "--agents", "greedy", "random", "-o", "walls=2")
    assert (found["a"], found["b"]) == ("jokers=0", "jokers=8")
    assert found["measures"][0]["what"] == "won, greedy"
    assert "default options" in output("compare", "mapello", "--b", "walls=2", "--games", "10")
    for wrong, words in (
        (("greedy",), "two AGENTs"),
        (("greedy", "random", "--a", "walls=2"), "played by --agents"),
        (("greedy", "random", "--measures", "wn"), "did you mean won"),
    ):
        failed = run("compare", "mapello", *wrong)
        assert failed.returncode == 2
        assert words in failed.stderr


def test_a_sequential_test_is_run() -> None:
    found = document("sprt", "domiphun", "greedy", "random", "--share", "0.5", "0.6", "--seed", "4")
    library = adjoin.sprt("greedy", "random", "domiphun", share=(0.5, 0.6), seed=4)
    assert found == json.loads(json.dumps(library.to_dict()))
    brief = ("sprt", "domiphun", "greedy", "random", "--max-games", "9", "--elo", "0", "5")
    assert "Undecided after 8 games" in output(*brief)
    failed = run("sprt", "domiphun", "greedy", "random", "--elo", "5", "0")
    assert (failed.returncode, "the lower first" in failed.stderr) == (2, True)


def test_a_report_is_written(tmp_path: Path) -> None:
    brief = ("--episodes", "30", "--search", "none", "-o", "variant=traditional")
    found = document("report", "domiphun", "--folder", str(tmp_path / "pages"), *brief)
    assert {Path(file).suffix for file in found["files"]} == {".html", ".json", ".md", ".svg"}
    assert all(Path(file).stat().st_size > 0 for file in found["files"])


def test_simulate_writes_parquet(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for out, files in (("one.parquet", "one.parquet"), ("parts", "parts/*.parquet")):
        run("simulate", "mapello", "10", "--out", str(tmp_path / out))
        (file,) = tmp_path.glob(files)
        assert file.read_bytes()[:4] == b"PAR1"


# Replays.


def saved(tmp_path: Path) -> tuple[Path, adjoin.Match]:
    match = adjoin.Match("mapominoes", seed=3, nations=["Wales"], rounds=1, table=(8, 6))
    match.play_random()
    path = tmp_path / "match.jsonl"
    path.write_text(match.replay(), encoding="utf-8")
    return path, match


def test_a_replay_is_shown_in_words(tmp_path: Path) -> None:
    path, match = saved(tmp_path)
    text = output("replay", str(path))
    assert f"Mapominoes, {len(match.history)} decisions, every line fits the rules" in text
    assert match.text("all") in text
    assert "seat 0 plays" in text
    at = adjoin.Match.from_replay(match.replay(), 4)
    assert at.text("all") in output("replay", str(path), "--at", "4")
    found = document("replay", str(path))
    assert [line["text"] for line in found["decisions"]] == match.history
    assert found["returns"] == match.returns


def test_a_replay_is_stepped_through(tmp_path: Path) -> None:
    path, match = saved(tmp_path)
    last = len(match.history)
    text = output("replay", str(path), "--step", text=f"\n\nb\n{last}\nnonsense\n{last + 1}\n")
    shown = [line.split(":")[0] for line in text.splitlines() if line.startswith("after ")]
    assert [int(line.split()[1]) for line in shown] == [0, 1, 2, 1, last, last, last]
    assert text.count("Enter, b, q or a number") == 2


@cases(("old", "new"), [('"seat":0', '"seat":1'), ('"action":', '"action":9'), ("{", "")])
def test_a_replay_that_does_not_fit_is_a_fault_with_its_line(
    tmp_path: Path, old: str, new: str
) -> None:
    path, _ = saved(tmp_path)
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].replace(old, new, 1)
    path.write_text("\n".join(lines), encoding="utf-8")
    result = run("replay", str(path))
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"adjoin: {path}: line 2: ")
    assert result.stderr.count("\n") == 1


# Atlases.


def test_atlases_are_listed_and_printed() -> None:
    text = output("atlas")
    assert all(name in text for name in adjoin.Atlas.shipped())
    assert "Cornwall (Cornwall): Devon; " in output("atlas", "print", "uk-counties")
    assert "borders: Essex, Surrey" in output("atlas", "print", "UK Counties", "--region", "kent")
    ways = document("atlas", "print", "uk-counties", "--region", "Cornwall", "--to", "Wiltshire")
    assert [way[2] for way in ways["ways"]] == ["Somerset", "Dorset"]
    found = document("atlas", "print", "us-states")
    assert len(found["regions"]) == len(adjoin.Atlas.load("us-states"))
    far = document("atlas", "print", "us-states", "--region", "Maine")
    assert "Washington" in far["distance"]["11"]
    assert "Hawaii" in far["out of reach"]


def test_the_map_of_an_atlas_is_drawn(tmp_path: Path) -> None:
    file = tmp_path / "wales.svg"
    wales = ("atlas", "map", "uk-counties", "--nation", "Wales", "-O", str(file))
    assert output(*wales, "--fill", "Powys=red", "--fill", "Conwy=#fc0") == f"{file}\n"
    picture = file.read_text("utf-8")
    assert ">Powys</text>" in picture
    assert picture.count('fill="#d7352c"') == picture.count('fill="#ffcc00"') == 1
    first = adjoin.Atlas.load("uk-counties").nation("Wales").regions[0].name
    assert f"1 {first}, 2 " in output(*wales, "--numbered")
    assert ">Powys</text>" not in file.read_text("utf-8")
    output(*wales, "--blank")
    assert "</text>" not in file.read_text("utf-8")
    output(*wales, "--coloured")
    assert ">Wales</text>" in file.read_text("utf-8")
    own = tmp_path / "own.csv"
    own.write_text("name,borders,lon,lat\nA,B,1,50\nB,A,2,51\n", encoding="utf-8")
    assert output("atlas", "map", str(own), "-O", str(file)) == f"{file}\n"
    assert run("atlas", "map", str(own), "--fill", "A").stderr == (
        'adjoin: --fill "A": a region and a colour are needed, as Kent=red\n'
    )


def test_a_map_of_your_own_is_checked_with_row_and_reason(tmp_path: Path) -> None:
    path = tmp_path / "map.csv"
    path.write_text("name,borders\nA,B\nB,A\nC,\n", encoding="utf-8")
    assert output("atlas", "check", str(path)).startswith("fine: map: 3 regions, 1 border, ")
    path.write_text("name,borders\n" + "".join(f"R{n},Nowhere\n" for n in range(12)), "utf-8")
    result = run("atlas", "check", str(path))
    assert (result.returncode, result.stderr) == (1, "")
    assert all(f"map.csv, row {row} " in result.stdout for row in range(2, 14))
    found = run("atlas", "check", str(path), "--json")
    assert (found.returncode, len(json.loads(found.stdout)["problems"])) == (1, 12)


# What can go wrong.


@pytest.mark.smoke
@cases(
    ("arguments", "words"),
    [
        ("gmaes", 'unknown command "gmaes"; did you mean games?'),
        ("games mapelo", 'unknown game "mapelo"; did you mean mapello?'),
        ("play mapominos", "did you mean mapominoes?"),
        ("games chess", "allowed: mapello, mapominoes,"),
        ("games -o players=3", "options need a game"),
        ("games mapello --jsn", "did you mean --json?"),
        ("games mapello more", 'unknown argument "more"'),
        ("games mapello -o wals=3", 'mapello has no option "wals"; did you mean walls?'),
        ("games mapello -o walls", "key=value"),
        ("games mapello -o walls=3 -o walls=4", "the option walls is given twice"),
        ("games mapello -o walls=99", "walls = 99: the box holds 8 of each"),
        ("games mapello -o setup=3", "setup"),
        ("games mapominoes -o atlas=us-sates", "did you mean us-states?"),
        ("games mapominoes -o atlas=nowhere.csv", "no such file"),
        ("games mapominoes -o atlas=3", "a shipped name or a CSV file"),
        ("games mapominoes -o players=9", "2 to 5"),
        ("simulate mapello", "EPISODES"),
        ("simulate mapello many", '"many" is no whole number'),
        ("simulate mapello 0", "episodes = 0"),
        ("simulate mapello 5 --agents gredy", 'unknown agent "gredy"'),
        ("simulate mapello 5 --agents random random random", "2 seats"),
        ("simulate mapello 5 --seed -1", "seed = -1"),
        ("simulate mapello 5 --threads 0", "threads = 0"),
        ("simulate mapello 5 --record all", "allowed: episodes, decisions"),
        ("simulate mapello 5 --out matches.xlsx", ".parquet, .csv, or a folder"),
        ("simulate mapello 5 --out nowhere/matches.csv", "there is no folder nowhere"),
        ("tournament mapello random", "at least two agents"),
        ("sweep mapello 5", "--vary"),
        ("sweep mapello 5 --vary jokers", "--vary players=2,3"),
        ("sweep mapello 5 --vary jokrs=0,8", 'no option "jokrs"; did you mean jokers?'),
        ("sweep mapello 5 --vary jokers=0,9", "jokers = 9: mapello: jokers = 9: the box holds 8"),
        ("sweep mapello 5 --vary jokers=0 --vary jokers=8", "jokers is varied twice"),
        ("sweep mapello 5 --vary jokers=0,8 -o jokers=4", "fixed by -o and varied by --vary"),
        ("sweep mapello 5 --vary agents=gredy", 'unknown agent "gredy"'),
        ("sweep mapello 5 --vary jokers=0,8 --figures turn", "did you mean turns"),
        ("sweep mapello 5 --vary jokers=0,8 --plot turns", "--out FILE.svg go together"),
        ("sweep mapello 5 --vary jokers=0,8 --plot turns --out a.png", "saved as SVG"),
        ("sweep mapello 5 --vary jokers=0,8 --plot turns --out nowhere/a.svg", "no folder"),
        ("sweep mapello 5 --vary jokers=0,8 --plot turns --out a.svg --by jkers", "mean jokers?"),
        ("tournament mapello random greedy --anchor gredy", "must be one of random, greedy"),
        ("summary nowhere.parquet", "nowhere.parquet: No such file"),
        ("summary matches.csv", "a CSV file does not tell its run: write .parquet"),
        ("summary .", "is a folder without Parquet files"),
        ("play mapello --you 2", "the seats are 0 to 1"),
        ("play mapello --opponents random random", "give one for all, or one for each"),
        ("play mapello --opponents gredy", 'unknown agent "gredy"'),
        ("play mapello --save nowhere/match.jsonl", "there is no folder nowhere"),
        ("page chess", 'unknown game "chess"'),
        ("page -o players=3", "-o needs a GAME"),
        ("page mapello -o wals=3", 'mapello has no option "wals"; did you mean walls?'),
        ("page mapominoes -o nations=Wles", 'no nation "Wles" in the atlas'),
        ("page mapello --opponents gredy", 'unknown agent "gredy"'),
        ("page mapello --seed -1", "seed = -1"),
        ("page mapello --out page.txt", "the name must end in .html"),
        ("page mapello --out nowhere/page.html", "there is no folder nowhere"),
        ("replay nowhere.jsonl", "nowhere.jsonl: No such file"),
        ("atlas prnt", 'unknown command "prnt"; did you mean print?'),
        ("atlas print us-sates", "did you mean us-states?"),
        ("atlas print uk-counties --region Kant", "did you mean Kent?"),
        ("atlas print uk-counties --region Kent --to Orkney", "Orkney is an island"),
        ("atlas print uk-counties --to Kent", "--to needs --region"),
        ("atlas check nowhere.csv", "nowhere.csv: No such file"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("adjoin: ")
    assert words in printed.err
    assert printed.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_faulty_map_as_option_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "map.csv"
    path.write_text("name,borders\nA,X\nB,Y\n", encoding="utf-8")
    result = run("games", "mapominoes", "-o", f"atlas={path}")
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert "map.csv, row 2" in result.stderr
    assert "(and 1 more problem" in result.stderr


def test_a_broken_pipe_is_quiet() -> None:
    with subprocess.Popen(
        [*COMMAND, "atlas", "print", "world-countries"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) in (signal.SIG_IGN, None), reason="the parent ignores Ctrl-C"
)
@cases(
    ("arguments", "sign"),
    [
        ("play mapello --seed 1 --save match.jsonl", "match.jsonl"),
        ("simulate mapello 100000000 --threads 1 --out parts", "parts/part-0000000000-*.parquet"),
    ],
)
def test_ctrl_c_stops_with_130_and_what_is_done_stays(
    arguments: str, sign: str, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    with subprocess.Popen(
        [*COMMAND, *arguments.split()],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
    ) as process:
        try:
            if "play" in arguments:
                assert process.stdout is not None
                seen = process.stdout.read(1)
                while seen and not seen.endswith(b"your action"):
                    seen += process.stdout.read(1)
                    assert process.poll() is None
            else:
                while not list(tmp_path.glob(sign)):
                    assert process.poll() is None
                    time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors.decode().strip().endswith("adjoin: stopped")
    assert list(tmp_path.glob(sign))


def test_every_game_has_rules_in_short_that_fit_a_terminal(game: str) -> None:
    rules = adjoin.Match(game).spec.rules_in_short
    assert len(rules.splitlines()) > 5
    assert max(map(len, rules.splitlines())) <= 100
    assert "You type: " in rules


# Pages.


@with_module
def test_a_page_is_one_file(tmp_path: Path) -> None:
    target = tmp_path / "wales.html"
    options = ("-o", "nations=Wales", "--opponents", "easy")
    assert output("page", "mapominoes", *options, "-O", str(target)).strip() == str(target)
    assert target.read_text("utf-8") == adjoin.page(
        "mapominoes", nations=["Wales"], opponents=["easy"]
    )
    found = document("page", "mapominoes", *options, "-O", str(target))
    assert found == {"game": "mapominoes", "options": {"nations": ["Wales"]}, "file": str(target)}
