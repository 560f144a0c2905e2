"""Pictures as PNG, and as what environments render."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

import adjoin
from adjoin.drawing import png
from adjoin.envs.aec import AECEnv
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from scaffold import Variant, cases

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytest.importorskip("resvg_py", reason="PNG needs `pip install adjoin[png]`")
Image = pytest.importorskip("PIL.Image", reason="PNG needs `pip install adjoin[png]`")
ImageFont = pytest.importorskip("PIL.ImageFont", reason="PNG needs `pip install adjoin[png]`")
fonts = pytest.importorskip("font_source_sans_pro", reason="PNG needs `pip install adjoin[png]`")


def size_of(svg: str) -> tuple[float, float]:
    found = re.search(r' width="([^"]*)" height="([^"]*)"', svg)
    assert found
    return float(found[1]), float(found[2])


def open_png(data: bytes) -> Any:
    picture = Image.open(io.BytesIO(data))
    assert picture.format == "PNG"
    return picture


def seen(match: adjoin.Match, viewer: int) -> NDArray[np.uint8]:
    return png.pixels(png.fitted(match.svg(viewer), png.WIDTH, png.HEIGHT))


def test_a_png_is_as_large_as_the_picture_times_the_scale(game: str) -> None:
    match = adjoin.Match(game, seed=2)
    match.play_random(10)
    width, height = size_of(match.svg())
    assert open_png(match.png()).size == pytest.approx((width, height), abs=1)
    assert open_png(match.png(scale=1.5)).size == pytest.approx((1.5 * width, 1.5 * height), abs=1)


@pytest.mark.smoke
def test_a_png_has_the_paper_and_the_colours_of_the_picture() -> None:
    match = adjoin.Match("mapello", setup="othello")
    colours = {colour for _, colour in open_png(match.png()).convert("RGB").getcolors(2**20)}
    fills = set(re.findall(r'<(?:rect|circle) [^>]*fill="#(\w{6})"', match.svg()))
    assert len(fills) > 3
    assert {tuple(bytes.fromhex(fill)) for fill in fills} <= colours


def test_every_word_is_in_the_png_without_the_fonts_of_the_machine() -> None:
    match = adjoin.Match("domiphun", seed=1)
    match.play_random(10)
    svg = match.svg("all")
    words = re.findall(r"(<text [^>]*>)([^<]+)</text>", svg)
    assert len(words) > 5
    whole = png.png(svg)
    for tag, word in words:
        assert png.png(svg.replace(f"{tag}{word}</text>", f"{tag}</text>")) != whole, word


def test_the_font_has_every_letter_of_the_pictures(variant: Variant) -> None:
    match = variant.match(seed=1)
    letters = set()
    while not match.is_over and len(match.history) < 100:
        letters |= set("".join(re.findall(r">([^<]+)<", match.svg("all"))))
        match.play_random(20)
    assert max(letters) < png._COVERED
    font = ImageFont.truetype(str(Path(fonts.font_directory) / "SourceSansPro-Regular.ttf"), 40)
    missing = bytes(font.getmask("\uffff"))
    assert [letter for letter in letters if bytes(font.getmask(letter)) == missing] == []


def test_an_open_hand_makes_another_png() -> None:
    match = adjoin.Match("connections", seed=4)
    assert len({match.png(viewer) for viewer in (0, 1, 2, "all")}) == 4


def test_a_png_is_saved(tmp_path: Path) -> None:
    match = adjoin.Match("domiphun", seed=1)
    path = match.save_png(tmp_path / "table.png", viewer=1, scale=0.5)
    assert path == tmp_path / "table.png"
    assert path.read_bytes() == match.png(1, 0.5) != match.png(0, 0.5)


def test_a_look_is_in_the_png(tmp_path: Path) -> None:
    match = adjoin.Match("domiphun", seed=1, variant="advanced")
    match.play_random(12)
    looks: list[dict[str, Any]] = [{"turn": turn} for turn in range(4)] + [{"balance": True}]
    pictures = [match.png(**look) for look in looks]
    assert len(set(pictures)) == len(looks)
    assert pictures[0] == match.png()
    for look, picture in zip(looks, pictures, strict=True):
        assert match.save_png(tmp_path / "look.png", **look).read_bytes() == picture


@cases("viewer", [-1, 9])
def test_a_viewer_who_does_not_exist_is_refused(viewer: int, tmp_path: Path) -> None:
    match = adjoin.Match("connections")
    message = f"^no seat {viewer}: the table has seats 0 to 2$"
    with pytest.raises(IndexError, match=message):
        match.png(viewer)
    with pytest.raises(IndexError, match=message):
        match.save_png(tmp_path / "never.png", viewer)
    assert list(tmp_path.iterdir()) == []


@cases("scale", [0, -1, 10.5, float("nan"), float("inf")])
def test_a_scale_out_of_range_is_refused(scale: float) -> None:
    with pytest.raises(ValueError, match=r"scale = .*: must be above 0 and at most 10"):
        adjoin.Match("mapello").png(scale=scale)


HIDDEN = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == sys.argv[1]:
            raise ImportError(name)

sys.meta_path.insert(0, Blocked())
import adjoin
from adjoin.envs.aec import AECEnv
from adjoin.envs.single import Env
match = adjoin.Match("mapello")
match.play_random(1)
film = adjoin.animate(match)
def gif():
    film.save("never.gif")
def env():
    Env("mapello", render_mode="rgb_array")
def aec():
    AECEnv("mapello", render_mode="rgb_array")
for what in (match.png, gif, env, aec):
    try:
        what()
        print("fine")
    except ImportError as error:
        print(error)
Env("mapello", render_mode="ansi").reset(seed=0)
print(len(film.html) > 1000)
"""


@cases("module", ["resvg_py", "font_source_sans_pro", "PIL"])
def test_what_is_not_installed_is_named(module: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", HIDDEN, module],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    message = f"this needs {module}: pip install 'adjoin[png]'"
    alone = "fine" if module == "PIL" else message
    assert done.stdout.splitlines() == [alone, message, message, message, "True"]
    assert list(tmp_path.iterdir()) == []


# Environments.

two_games = pytest.mark.parametrize("game", ["mapello", "connections"])
"""One with nothing hidden, and one with hands and more seats."""


@two_games
def test_a_frame_is_the_table_as_the_learner_sees_it(game: str) -> None:
    env = Env(game, render_mode="rgb_array", seat=1)
    _, info = env.reset(seed=5)
    first = env.render()
    assert first.shape == (png.HEIGHT, png.WIDTH, 3)
    assert first.dtype == np.uint8
    assert (first == seen(env._batch[0], 1)).all()
    env.step(np.flatnonzero(info["action_mask"])[0])
    second = env.render()
    assert second.shape == first.shape
    assert (second != first).any()


@two_games
def test_the_frame_of_an_aec_environment_is_the_table_as_the_seat_to_act_sees_it(
    game: str,
) -> None:
    env = AECEnv(game, render_mode="rgb_array")
    env.reset(seed=5)
    for _ in range(3):
        frame = env.render()
        assert frame.dtype == np.uint8
        assert (frame == seen(env._batch[0], env.possible_agents.index(env.agent_selection))).all()
        env.step(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[-1])


@two_games
def test_a_vector_environment_gives_a_frame_a_row(game: str) -> None:
    env = VectorEnv(game, 3, render_mode="rgb_array", seat="rotate")
    env.reset(seed=0)
    frames = env.render()
    assert frames is not None
    assert len(frames) == 3
    for row, frame in enumerate(frames):
        alone = Env(game, render_mode="rgb_array", seat="rotate")
        alone.reset(seed=row)
        assert (alone.render() == frame).all()


def test_gymnasium_makes_and_collects_frames() -> None:
    name = adjoin.Match("mapello").spec.environment
    env: Any = gymnasium.make(name, render_mode="rgb_array_list")
    _, info = env.reset(seed=0)
    env.step(np.flatnonzero(info["action_mask"])[0])
    assert [frame.shape for frame in env.render()] == [(png.HEIGHT, png.WIDTH, 3)] * 2


def test_the_modes_are_in_the_metadata() -> None:
    for env in (Env("mapello"), AECEnv("mapello"), VectorEnv("mapello", 2)):
        assert env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
        assert env.metadata["render_fps"] == 1
        assert env.render() is None


@cases("environment", [Env, AECEnv, VectorEnv])
def test_an_unknown_mode_is_refused(environment: Any) -> None:
    modes = "None, 'ansi', 'human', 'rgb_array'"
    with pytest.raises(ValueError, match=f"render_mode = 'rgb': must be one of {modes}"):
        environment("mapello", render_mode="rgb")


@pytest.mark.filterwarnings("ignore")
def test_a_notebook_shows_the_picture_and_a_film() -> None:
    nbformat = pytest.importorskip("nbformat", reason="notebooks need `pip install adjoin[dev]`")
    nbclient = pytest.importorskip("nbclient", reason="notebooks need `pip install adjoin[dev]`")
    cells = [
        "import adjoin\nfrom adjoin.envs.single import Env\n"
        'env = Env("connections", render_mode="human")\n_ = env.reset(seed=1)',
        "from adjoin.envs.aec import AECEnv\n"
        'env = AECEnv("domiphun", render_mode="human")\nenv.reset(seed=1)\nenv.render()',
        'adjoin.animate(adjoin.Match("mapello"))',
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    learner, seat, film = (cell.outputs for cell in notebook.cells)
    assert [sorted(output.data) for output in learner] == [["image/svg+xml", "text/plain"]]
    shown = adjoin.Match("domiphun", seed=1).svg().partition(">")[2]
    assert shown in seat[0].data["image/svg+xml"]
    assert film[0].data["text/html"].startswith("<iframe ")
