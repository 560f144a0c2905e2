# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Planes and convolutions
#
# Mapello lies on a board, and so does what an observation says about it: blocks of 8 by 8. A convolutional network looks at all cells with the same weights. Here a small one learns to play as `greedy` does, from matches that greedy agents play, in about half a minute on one core. It needs `pip install 'adjoin[train,docs]'`.

# %%
import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax

import adjoin
from adjoin.simulation import trajectories

PLANES = ("mine", "theirs", "walls", "bonuses")
spec = adjoin.Spec.of("mapello", {})
{block.name: (block.shape, block.meaning) for block in spec.observation.blocks}

# %% [markdown]
# ## Observations as planes
#
# `split` shows rows as named blocks, without a copy. Four of them are planes of the board; the mask of legal moves is a fifth, since the first 64 actions are its cells.


# %%
def planes_of(observation, mask):
    """Return (rows, 8, 8, 5): what lies where, and where a disc may be put."""
    blocks = spec.observation.split(np.asarray(observation))
    legal = np.asarray(mask)[:, :64].reshape(-1, 8, 8)
    return np.stack([*(blocks[name] for name in PLANES), legal], axis=-1).astype(
        np.float32
    )


data = trajectories("mapello", 500, "greedy", seed=1)
planes = planes_of(data["observation"], data["action_mask"])
masks, actions = data["action_mask"] == 1, data["action"]
print(planes.shape, planes.dtype)

fig, axes = plt.subplots(1, 5, figsize=(12, 2.6))
for axis, plane, name in zip(
    axes, planes[20].transpose(2, 0, 1), [*PLANES, "legal"], strict=True
):
    axis.imshow(plane, cmap="Greys", vmin=0, vmax=1)
    axis.set(title=name, xticks=[], yticks=[])
plt.show()

# %% [markdown]
# ## A network that looks at cells
#
# Three layers of 3 by 3 see three cells far in every direction. The last layer gives every cell one number, and `pass` has a number of its own. Illegal actions are left out before the softmax.

# %%
CHANNELS = 24


def initial(key):
    """Draw the weights by lot."""
    shapes = [
        (3, 3, 5, CHANNELS),
        (3, 3, CHANNELS, CHANNELS),
        (3, 3, CHANNELS, CHANNELS),
    ]
    keys = jax.random.split(key, 4)
    convs = [
        {
            "w": jax.random.normal(k, s) * (2 / np.prod(s[:3])) ** 0.5,
            "b": jnp.zeros(s[3]),
        }
        for k, s in zip(keys, shapes, strict=False)
    ]
    return {
        "convs": convs,
        "cell": jax.random.normal(keys[3], (CHANNELS,)) * 0.1,
        "pass": jnp.zeros(1),
    }


def logits(weights, planes, masks):
    """Return a number for every action, and very little for those that are not legal."""
    x = planes
    for conv in weights["convs"]:
        x = jax.lax.conv_general_dilated(
            x, conv["w"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        x = jax.nn.relu(x + conv["b"])
    cells = (x @ weights["cell"]).reshape(len(planes), 64)
    every = jnp.concatenate(
        [cells, jnp.broadcast_to(weights["pass"], (len(planes), 1))], axis=1
    )
    return jnp.where(masks, every, -1e9)


weights = initial(jax.random.key(0))
sum(w.size for w in jax.tree.leaves(weights))

# %% [markdown]
# ## Learning from examples
#
# Rows where there is nothing to choose are left out, and the last fifth of the matches is kept to measure with. Chance is what somebody agrees with greedy who chooses among the legal moves by lot.

# %%
choice = masks.sum(axis=1) > 1
held = data["episode"] >= 400
learn, test = np.flatnonzero(choice & ~held), np.flatnonzero(choice & held)
optimizer = optax.adam(3e-3)
memory = optimizer.init(weights)


def loss(weights, planes, masks, actions):
    """Return how surprised the network is by what greedy did."""
    return optax.softmax_cross_entropy_with_integer_labels(
        logits(weights, planes, masks), actions
    ).mean()


@jax.jit
def update(weights, memory, planes, masks, actions):
    """Make one step."""
    change, memory = optimizer.update(
        jax.grad(loss)(weights, planes, masks, actions), memory
    )
    return optax.apply_updates(weights, change), memory


@jax.jit
def answers(weights, planes, masks):
    """Return the action with the highest number."""
    return logits(weights, planes, masks).argmax(axis=1)


def agreement(weights):
    """Return how often the network would have done what greedy did."""
    return float((answers(weights, planes[test], masks[test]) == actions[test]).mean())


chance = float((1 / masks[test].sum(axis=1)).mean())
curve = [agreement(weights)]
rng = np.random.default_rng(0)
for _ in range(3):
    for rows in np.array_split(rng.permutation(learn), len(learn) // 128):
        weights, memory = update(
            weights, memory, planes[rows], masks[rows], actions[rows]
        )
    curve.append(agreement(weights))
print(f"agrees with greedy: {curve[-1]:.0%}; by chance {chance:.0%}")
assert curve[-1] > chance + 0.2

# %%
fig, axis = plt.subplots(figsize=(5, 3))
axis.plot(curve, marker="o", label="network")
axis.axhline(chance, color="grey", linestyle="--", label="chance")
axis.set(xlabel="times through the examples", ylabel="agrees with greedy", ylim=(0, 1))
axis.legend()
plt.show()

# %% [markdown]
# ## At the table
#
# A function of observations and masks is an agent.


# %%
def learned(observation, mask):
    """Play as the network says."""
    return np.asarray(
        answers(weights, planes_of(observation, mask), np.asarray(mask) == 1)
    )


matches = adjoin.simulate("mapello", 200, [learned, "random"], seed=9)
matches.summary()["win share, learned"]

# %% [markdown]
# More: [Train an agent](13_train_an_agent.ipynb), where nobody shows the network anything; [Batches and masks](07_batches_and_masks.ipynb).
