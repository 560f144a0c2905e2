"""The examples of the page about learners run as written, with the libraries themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from rl.page import run, sections

NEEDED = {
    "Stable-Baselines3": "sb3_contrib",
    "RLlib": "ray.rllib",
    "PufferLib": "pufferlib",
    "Language models": "textarena",
    "PyTorch": "torch",
    "PettingZoo": "agilerl",
    "Data for offline learning": "minari",
}
"""What tells, section by section, that its libraries are installed."""


def test_every_section_with_examples_is_known() -> None:
    assert set(sections()) == set(NEEDED)


# Stable-Baselines3: test_sb3.py, with what the model has to learn.
@pytest.mark.filterwarnings("ignore")  # theirs
@pytest.mark.parametrize("heading", [name for name in NEEDED if name != "Stable-Baselines3"])
def test_the_examples_of_a_section_run(
    heading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pytest.importorskip(NEEDED[heading], exc_type=ImportError)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    run(heading)
