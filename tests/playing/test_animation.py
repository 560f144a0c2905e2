"""Matches as films."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from adjoin import Animation, Match, animate
from scaffold import THREE_IN_WALES, Variant, cases


def film_of(page: str) -> Any:
    found = re.search(r'<script id="film" type="application/json">(.*?)</script>', page, re.S)
    assert found
    return json.loads(found[1])


def frames_of(page: str) -> list[str]:
    film = film_of(page)
    return ["".join(film["pieces"][number] for number in frame) for frame in film["frames"]]


def moments(match: Match) -> list[Match]:
    found = [Match.from_replay(match.replay(), 0)]
    for action in match.history:
        found.append(found[-1].copy())
        found[-1].play(action)
    return found


def test_a_film_shows_the_start_and_the_table_after_every_decision(brief: Variant) -> None:
    match = brief.match(seed=6)
    match.play_random(12)
    for viewer in (0, match.spec.seats - 1, "all"):
        film = animate(match, viewer=viewer)
        assert len(film) == len(film.captions) == len(match.history) + 1
        then = [moment.svg(viewer) for moment in moments(match)]
        assert list(film.frames) == then
        assert frames_of(film.html) == then
        assert film_of(film.html)["captions"] == list(film.captions)


@cases("game", ["connections", "domiphun"])
def test_hands_that_a_seat_may_not_see_are_only_in_the_film_for_all(game: str) -> None:
    match = Match(game, seed=3)
    match.play_random(8)
    film, every = animate(match, viewer=0), animate(match)
    pairs = list(zip(moments(match), film.frames, every.frames, strict=True))
    guesses = []
    for moment, _, shown in pairs:
        moment.resample_hidden(0, 9)
        guesses.append(moment.svg("all") != shown)
    assert any(guesses)
    assert all(seen != shown for _, seen, shown in pairs[:-1])


def test_captions_say_what_was_done() -> None:
    match = Match("mapominoes", seed=1, **THREE_IN_WALES)
    card = next(action for action in match.legal() if action.istitle())
    match.play(card)
    cell = match.legal()[0]
    match.play(cell)
    match.timeout()
    seat = (match.to_act or 0) - 1
    start, chosen, laid, late = animate(match).captions
    assert start == "the start"
    assert chosen.endswith(f" plays {card}")
    assert laid == f"{chosen} on {cell}"
    assert late == f"seat {seat % 3} runs out of time"


def test_a_match_a_replay_and_a_file_give_the_same_film(tmp_path: Path) -> None:
    match = Match("connections", seed=2, episode=3)
    match.play_random(6)
    path = tmp_path / "match.jsonl"
    path.write_text(match.replay(), encoding="utf-8")
    film = animate(match, viewer=1, fps=4)
    for source in (match.replay(), path, str(path)):
        assert animate(source, viewer=1, fps=4) == film
    assert len(match.history) == 6


def test_a_film_starts_where_the_match_was_loaded() -> None:
    match = Match("mapello", setup="othello")
    match.play("f5")
    other = Match("mapello", setup="othello")
    other.load(match.save())
    other.play("d6")
    assert animate(other).captions == ("the start", "seat 1 plays d6")


class Tags(HTMLParser):
    """What a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.attributes: set[str] = set()
        self.ids: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids |= {value or "" for name, value in attrs if name == "id"}


def test_a_page_needs_nothing_else(game: str) -> None:
    match = Match(game)
    match.play_random(5)
    page = animate(match).html
    tags = Tags(page)
    assert not tags.attributes & {"src", "href", "action", "srcset"}
    assert set(re.findall(r"https?://[^\"\\ ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"fetch|XMLHttp|import\b|url\(", page)
    assert {"at", "play", "back", "next", "caption", "count", "table", "film"} == tags.ids
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", '" "'):
        assert f"{key}: " in page


def test_words_cannot_break_out_of_a_page() -> None:
    evil = "</script><script>alert(1)</script><!-- LAST & FILM"
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>'
    film = Animation(evil, (picture,), (evil,), 2)
    tags = Tags(film.html)
    assert tags.names.count("script") == 2
    assert film_of(film.html)["captions"] == [evil]
    assert f"<title>{html.escape(evil)}</title>" in film.html
    assert Tags(film._repr_html_()).names == ["iframe"]


def test_a_notebook_shows_the_page_in_a_frame_of_its_own() -> None:
    film = animate(Match("domiphun"))
    found = re.fullmatch(r'<iframe srcdoc="([^"]*)" [^>]*></iframe>', film._repr_html_())
    assert found
    assert html.unescape(found[1]) == film.html
    assert 'sandbox="allow-scripts"' in film._repr_html_()
    assert repr(film) == "<Animation: Domiphun, 1 pictures>"


def test_a_page_is_saved(tmp_path: Path) -> None:
    film = animate(Match("mapello"), tmp_path / "match.HTML", viewer=0)
    assert (tmp_path / "match.HTML").read_text(encoding="utf-8") == film.html
    assert film.save(str(tmp_path / "again.html")) == tmp_path / "again.html"
    assert "Mapello, as seat 0 sees it" in film.html


def test_the_speed_is_in_the_page() -> None:
    assert "}, 500);" in animate(Match("mapello")).html
    assert "}, 40);" in animate(Match("mapello"), fps=25).html


def test_a_gif_has_every_picture_in_one_size(game: str, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="GIFs need `pip install adjoin[png]`")
    match = Match(game, seed=1)
    match.play_random(4)
    film = animate(match, tmp_path / "match.gif", viewer=1, fps=4)
    with image.open(tmp_path / "match.gif") as gif:
        assert gif.format == "GIF"
        assert gif.n_frames == len(film) > 1
        assert gif.info["loop"] == 0
        waits = []
        for number in range(gif.n_frames):
            gif.seek(number)
            waits.append(gif.info["duration"])
        assert waits == [250] * (len(film) - 1) + [3000]
        sizes = re.findall(r'<svg [^>]*? width="([^"]*)" height="([^"]*)" role', str(film.frames))
        width, height = (max(map(float, size)) for size in zip(*sizes, strict=True))
        assert gif.size == pytest.approx((width, height + 40), abs=1)


def test_a_gif_of_one_picture_and_with_long_captions(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="GIFs need `pip install adjoin[png]`")
    film = animate(Match("domiphun"))
    long = Animation(film.title, film.frames, ("word " * 100,), 2)
    with image.open(long.save(tmp_path / "one.gif")) as gif:
        assert gif.n_frames == 1
        edges = gif.convert("RGB")
        width, height = edges.size
        paper = edges.getpixel((0, height - 1))
        left = edges.crop((0, height - 40, 4, height)).getcolors()
        right = edges.crop((width - 4, height - 40, width, height)).getcolors()
        assert left == right == [(160, paper)]


@cases("viewer", [-1, 9, True, None, "north"])
def test_a_viewer_who_does_not_exist_is_refused(viewer: Any) -> None:
    with pytest.raises(ValueError, match=f'viewer = {viewer!r}: must be "all" or 0 to 2'):
        animate(Match("connections"), viewer=viewer)


def test_every_picture_has_the_look() -> None:
    match = Match("domiphun", variant="advanced", seed=2)
    match.play_random(12)
    film = animate(match, viewer=0, turn=1, balance=True)
    then = [moment.svg(0, turn=1, balance=True) for moment in moments(match)]
    assert list(film.frames) == then
    assert film.frames[-1] not in animate(match, viewer=0).frames
    assert film.captions == animate(match, viewer=0).captions


def test_a_wrong_look_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "never.html"
    with pytest.raises(TypeError, match="balance = True: mapello has the looks hide_moves"):
        animate(Match("mapello"), path, balance=True)
    with pytest.raises(ValueError, match="turn = 7: must be one of 0, 1, 2, 3"):
        animate(Match("domiphun"), path, turn=7)
    assert not path.exists()


@pytest.mark.smoke
@cases("name", ["match.mp4", "match", "match.html.txt", ".gif"])
def test_another_suffix_is_refused(name: str, tmp_path: Path) -> None:
    message = re.escape(f"{tmp_path / name}: the name must end in .html or .gif")
    with pytest.raises(ValueError, match=message):
        animate(Match("mapello"), tmp_path / name)
    with pytest.raises(ValueError, match=message):
        animate(Match("mapello")).save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@cases("fps", [0, -2, 51, True, float("nan")])
def test_a_speed_out_of_range_is_refused(fps: float) -> None:
    with pytest.raises(ValueError, match=f"fps = {fps}: must be 0.1 to 50"):
        animate(Match("mapello"), fps=fps)


def test_a_replay_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    version = Match("mapello").spec.version
    other = Match("mapello").replay().replace(f'"version":{version}', '"version":99')
    with pytest.raises(ValueError, match=rf"^line 1: a match of .* plays v{version}"):
        animate(other)
    path = tmp_path / "other.jsonl"
    path.write_text(other, encoding="utf-8")
    with pytest.raises(ValueError, match=rf"other.jsonl: line 1: a match of .* plays v{version}"):
        animate(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match=r"other.jsonl: line 1: the replay is empty"):
        animate(str(path))
    with pytest.raises(FileNotFoundError, match="nowhere"):
        animate("nowhere.jsonl")
