# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Train an agent
#
# From a network that knows nothing to one that wins, while you watch. Everything here runs in about a minute on two cores. It needs `pip install 'adjoin[train,docs]'`.
#
# The trainer is small: the files in `adjoin/learning` are meant to be read and changed. It plays many matches side by side, lets the same network decide for every seat, and learns from what came of it (PPO with masks, in JAX, because that installs in a minute without a graphics card).

# %%
import os
import tempfile
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # small networks: more would only wait

import matplotlib.pyplot as plt
import numpy as np

import adjoin
from adjoin.learning import Imitation, Policy, Ppo, Settings, Trainer, win_share
from adjoin.statistics import exactness, positions

settings = Settings(
    stages=(
        Imitation(decisions=50_000, expert="greedy", n_steps=8, batch_size=1024),
        Ppo(decisions=150_000, opponents={"greedy": 3, "self": 1}, batch_size=1024),
    ),
    measurements=5,
)
trainer = Trainer("mapello", seed=1, settings=settings)
untrained = trainer.policy
untrained

# %% [markdown]
# ## Before
#
# The weights have been drawn by lot. The network sees the board, and facts about each legal move: how many discs it flips, how many replies it leaves, whether its disc is safe for good. It does not know yet which of them are good. Against an agent that moves at random it should win about half of the matches.

# %%
before = win_share(untrained, "random", matches=400, seed=7)
print(f"wins against random: {before:%}")

# %% [markdown]
# ## Learning
#
# First it learns to do what the built-in `greedy` agent would do, then from what comes of its own decisions against that agent and against itself. `run` plays 200,000 decisions in all and stops five times to measure itself in matches that it does not learn from.

# %%
policy = trainer.run()
trainer.plot()

# %% [markdown]
# ## After
#
# New matches again, the same for both networks.

# %%
after = win_share(policy, "random", matches=400, seed=7)
print(f"wins against random: {before:%} before, {after:%} after")
assert after.low > before.high

# %% [markdown]
# ## What it thinks
#
# A position in the middle of a match, and how likely each move was to be tried, before and after. A network that knows nothing likes all legal moves alike.

# %%
match = adjoin.Match("mapello", seed=12)
match.play_random(24)
match

# %%
batch = adjoin.Batch("mapello")
batch[0] = match
rows = batch.buffers()
batch.observe(rows)
legal = batch.actions()
figure, axes = plt.subplots(1, 2, figsize=(8, 4), layout="constrained")
for axis, (title, player) in zip(
    axes, {"before": untrained, "after": policy}.items(), strict=True
):
    board = np.full(64, np.nan)
    board[legal.ids] = player.probabilities(rows.observation, legal)
    image = axis.imshow(board.reshape(8, 8), vmin=0, vmax=1, cmap="viridis")
    axis.set_title(title)
    axis.set_xticks(range(8), list("abcdefgh"))
    axis.set_yticks(range(8), [str(row + 1) for row in range(8)])
_ = figure.colorbar(image, ax=axes, label="how likely")
# %% [markdown]
# ## A tournament
#
# A policy is an agent like any other: for `simulate`, `tournament`, `Match.choose` and `play`. The built-in `greedy` agent knows the corners. `"learned"` is the policy that comes with the game: `make train` learned it in the same way, in some minutes.

# %%
duel = adjoin.tournament(
    "mapello",
    {
        "untrained": untrained,
        "a minute": policy,
        "greedy": "greedy",
        "shipped": "learned",
    },
    num_games=30,
)
duel.plot()

# %% [markdown]
# ## How far from perfect?
#
# On a 4×4 board Mapello's exact solver knows everything. Two players who never err end 3 to 11: whoever begins loses. We let a network learn this board, and count how many of its decisions lose nothing.

# %%
tiny = {"setup": "othello", "size": 4}
small = Trainer(
    "mapello",
    seed=1,
    settings=Settings(stages=(Ppo(decisions=60_000, batch_size=1024),), measurements=0),
    **tiny,
)
some = list(positions("mapello", 200, depth=12, seed=3, **tiny))
novice, learned = small.policy, small.run()
print(
    "perfect play:",
    adjoin.Match("mapello", **tiny).solve().score,
    "points for who begins",
)
for name, player in {
    "untrained": novice,
    "learned": learned,
    "greedy": "greedy",
}.items():
    found = exactness(player, some)
    print(
        f"{name:<10} {found.best:%} of decisions lose nothing; {found.lost} points lost each"
    )

# %% [markdown]
# ## Keep it, play against it
#
# A policy is one file. A run can be stopped, too: `trainer.run("mapello.checkpoint.npz")` goes on from the file if it is there, and ends with the same weights as a run that was never stopped.

# %%
with tempfile.TemporaryDirectory() as folder:
    path = policy.save(Path(folder) / "mapello.safetensors")
    again = Policy.load(path)
    print(again, again.digest == policy.digest)

board = adjoin.play("mapello", opponents=again, seed=3)
board

# %% [markdown]
# ## Where to go from here
#
# - The same for another game: `Trainer("domiphun", players=3)`. `make train`, or `adjoin train` on the command line, learns all five with settings that suit them and writes a page with curves.
# - The guide "Learners" in the documentation: Stable-Baselines3, RLlib, PettingZoo's readers, data for offline learning.
# - The arrays underneath: [Batches and masks](07_batches_and_masks.ipynb).
