# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Batches and masks
#
# For people who train agents. Many matches step together inside Rust and write into arrays that are yours. This notebook goes through those arrays, trains a small player with them, and ends at the Gymnasium and PettingZoo environments that are built on top. It takes a quarter of an hour.

# %%
import time

import gymnasium
import matplotlib.pyplot as plt
import numpy as np

import adjoin
from adjoin import connections_v0
from adjoin.reports import charts
from adjoin.statistics import wilson

batch = adjoin.Batch("mapello", num_lanes=1024)
batch

# %% [markdown]
# ## Five arrays
#
# A lane is a place where matches are played, one after another. `buffers()` returns one row a lane. Any C-ordered arrays of the same types and shapes will do instead.

# %%
out = batch.buffers()
for name, array in out._asdict().items():
    print(f"{name:<12}{array.dtype!s:<9}{array.shape}")

# %% [markdown]
# `reset` starts a match in every lane, `step` plays an action in every lane, and both fill the arrays. `sample` writes a uniformly drawn legal action for each lane.

# %%
actions = np.zeros(len(batch), np.int32)
batch.reset(7, out)
for _ in range(12):
    batch.sample(actions)
    batch.step(actions, out)

print("seats to act:", np.unique(out.seat))
print(
    "legal actions a lane:",
    out.mask.sum(axis=1).min(),
    "to",
    out.mask.sum(axis=1).max(),
)

# %% [markdown]
# ## Masks
#
# Row k of the mask has a 1 for every action that is legal in lane k. A network's answers are masked before one of them is drawn. One way to draw, all lanes at once, is a race: each legal action waits an exponential time, shorter the more it is liked, and the first one home is played. This is the softmax of the likings.


# %%
def draw(likings, masks, generator):
    """Draw a legal action for every row, with the softmax of the likings."""
    waits = generator.standard_exponential(masks.shape, dtype=np.float32) / np.exp(
        likings
    )
    return np.where(masks, waits, np.inf).argmin(axis=1).astype(np.int32)


generator = np.random.default_rng(1)
actions = draw(np.zeros(batch.spec.actions.size, np.float32), out.mask, generator)
print("all legal:", out.mask[np.arange(len(batch)), actions].all())
print("first lanes play:", ", ".join(map(batch[0].notation, actions[:6])))

# %% [markdown]
# ## What a row says
#
# An observation is a row of bytes, always from the side of the seat to act. `split` shows it as named blocks. They are views: nothing is copied.

# %%
planes = batch.spec.observation.split(out.observation)
for block in batch.spec.observation.blocks[:7]:
    print(f"{block.name:<9}{planes[block.name].shape!s:<15}{block.meaning}")

# %%
lane = 3
shown = {name: planes[name][lane] for name in ("mine", "theirs", "walls", "bonuses")}
shown["legal"] = out.mask[lane, :64].reshape(8, 8)
figure, axes = plt.subplots(1, len(shown), figsize=(9, 2), facecolor="white")
for axis, (name, plane) in zip(axes, shown.items(), strict=True):
    axis.imshow(plane, cmap="Blues", vmin=0, vmax=1)
    axis.set(title=name, xticks=np.arange(0.5, 7), yticks=np.arange(0.5, 7))
    axis.tick_params(length=0, labelbottom=False, labelleft=False)
    axis.grid(color="#d8d3c7", linewidth=0.5)
plt.show()

# %% [markdown]
# A lane is a match, and `batch[lane]` is a copy of it: the same as a person reads it. Asterisks are the legal moves.

# %%
print(batch[lane])

# %% [markdown]
# Where there are hidden cards, a row holds what its seat knows and no more. `observe` writes the row of any seat, at any time; a seat that is not to act has an empty mask.

# %%
cards = adjoin.Batch("connections", players=3)
seen = cards.buffers()
cards.reset(1, seen)
for viewer in range(3):
    cards.observe(seen, viewer)
    blocks = cards.spec.observation.split(seen.observation)
    print(
        f"seat {viewer}: {blocks['hand'].sum()} cards in hand, {blocks['unseen'].sum()} unseen, "
        f"{seen.mask.sum()} legal actions"
    )

# %% [markdown]
# ## Ends
#
# `status` is 0 while a match runs, 1 when it is over by the rules and 2 when it was cut off by `max_decisions`. The row of the last position stays for one step, with an empty mask and seat -1. The next `step` starts the lane's next episode, whatever its action.

# %%
short = adjoin.Batch("mapello", num_lanes=256, max_decisions=57)
out, actions = short.buffers(), np.zeros(256, np.int32)
short.reset(1, out)
for _ in range(57):
    short.sample(actions)
    short.step(actions, out)

for status, name in (
    (adjoin.RUNNING, "running"),
    (adjoin.OVER, "over"),
    (adjoin.CUT_OFF, "cut off"),
):
    print(f"{name:<9}{(out.status == status).sum():>4} lanes")

# %%
ended = int(np.flatnonzero(out.status == adjoin.OVER)[0])
print(
    f"over: rewards {out.reward[ended]}, seat {out.seat[ended]}, legal {out.mask[ended].sum()}"
)
short.sample(actions)
short.step(actions, out)
print(
    f"next: rewards {out.reward[ended]}, seat {out.seat[ended]}, legal {out.mask[ended].sum()}"
)
print("the lane's seed, number, episode and decisions:", short[ended].address)

# %% [markdown]
# ## The same bytes
#
# Everything random follows from the seed, the lane and the episode. Threads change how long it takes and nothing else.


# %%
def played(threads):
    """Return the arrays after 200 steps."""
    batch = adjoin.Batch("mapominoes", num_lanes=64, threads=threads)
    out, actions = batch.buffers(), np.zeros(64, np.int32)
    batch.reset(5, out)
    for _ in range(200):
        batch.sample(actions)
        batch.step(actions, out)
    return out


one, two = played(1), played(2)
print("same bytes:", all(np.array_equal(a, b) for a, b in zip(one, two, strict=True)))

# %% [markdown]
# So a match can be found again. The third match of a lane that began under seed 40 is episode 2 of that seed, here and in a `Match`. And `batch[lane] = match` lets a lane go on from any match of the same game.

# %%
lanes = adjoin.Batch("domiphun", num_lanes=3)
out, actions = lanes.buffers(), np.zeros(3, np.int32)
lanes.reset([40, 41, 42], out)
while lanes[0].address[2:] != (2, 0):
    lanes.sample(actions)
    lanes.step(actions, out)

match = adjoin.Match("domiphun", seed=40, episode=2)
print(str(lanes[0]) == str(match))
lanes[1] = match
print(str(lanes[1]) == str(match))

# %% [markdown]
# ## Rollouts
#
# With a number, `buffers` allocates that many steps. A step can land anywhere in them, so there is nothing to copy afterwards. Row t holds what was seen before action t; what action t earned is in row t + 1.
#
# The batch below has `agents`: the other seat is played by `random`, inside `step`. With `rotate` the caller changes seats from match to match; `callers()` tells which seat it has.

# %%
STEPS, LANES = 32, 512
batch = adjoin.Batch("mapello", num_lanes=LANES, agents=[None, "random"], rotate=True)
store = batch.buffers(STEPS + 1)
chosen = np.zeros((STEPS, LANES), np.int32)


def rollout(likings, seed):
    """Play a match in every lane; return masks and actions of its decisions, and its result."""
    batch.reset(seed, store.at(0))
    mine = batch.callers()
    for t in range(STEPS):
        chosen[t] = draw(likings, store.mask[t], generator)
        batch.step(chosen[t], store.at(t + 1))
    end = (store.status != adjoin.RUNNING).argmax(axis=0)
    results = store.reward[end, np.arange(LANES), mine]
    ours = np.arange(STEPS)[:, None] < end
    return (
        store.mask[:STEPS][ours],
        chosen[ours],
        np.broadcast_to(results, ours.shape)[ours],
    )


masks, decisions, results = rollout(np.zeros(65, np.float32), seed=1)
print(f"{len(decisions):,} decisions, {masks.nbytes / 1e6:.1f} MB of masks")

# %% [markdown]
# ## A small learner
#
# The smallest policy with something to learn: a liking for each of the 65 actions, whatever the board looks like. REINFORCE raises the likings of actions in matches that went better than the mean, and lowers the others.

# %%
likings = np.zeros(batch.spec.actions.size, np.float32)
curve = []
for seed in range(50):
    masks, decisions, results = rollout(likings, seed)
    better = results - results.mean()
    chances = np.where(masks, np.exp(likings), 0)
    chances /= chances.sum(axis=1, keepdims=True)
    gained = np.bincount(decisions, better, len(likings)) - better @ chances
    likings += (40 * gained / len(decisions)).astype(np.float32)
    curve.append(results.mean())

print(
    f"mean result: {np.mean(curve[:5]):+.2f} at first, {np.mean(curve[-5:]):+.2f} at last"
)

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.2), facecolor="white")
left.plot(curve, color="#0072b2")
left.axhline(0, color="#8a8577", linewidth=1, linestyle="--")
left.set(title="Mean result against random", xlabel="update", ylabel="-1 lost, +1 won")
left.spines[["top", "right"]].set_visible(False)
cells = likings[:64].reshape(8, 8)
most = np.abs(cells).max()
right.imshow(cells, cmap="PuOr_r", vmin=-most, vmax=most)
for (row, column), value in np.ndenumerate(cells):
    colour = "white" if abs(value) > 0.7 * most else "black"
    right.text(
        column, row, f"{value:+.1f}", ha="center", va="center", fontsize=7, color=colour
    )
right.set(title="Learnt likings", xticks=range(8), yticks=range(8))
right.set_xticklabels("abcdefgh")
right.set_yticklabels(range(1, 9))
right.tick_params(length=0)
plt.tight_layout()
plt.show()

# %% [markdown]
# Nobody told it about corners. A policy of your own goes into `simulate` as a function of observations and masks, and comes back with an interval. Always playing the most liked legal action:


# %%
def learnt(observations, masks):
    """Play the most liked legal action."""
    return np.where(masks, likings, -np.inf).argmax(axis=1)


for opponent in ("random", "greedy"):
    table = adjoin.simulate("mapello", 2_000, [learnt, opponent], seed=99)
    share = table.summary()["win share, learnt"].interval
    print(f"wins against {opponent}: {share:%}")

# %% [markdown]
# ## Take a position apart
#
# `select` copies lanes, in any order, as often as you like. Here one position is copied 400 times for each legal move and played on at random: a value for every move, from this very position.

# %%
table = adjoin.Batch("mapello", setup="othello")
out, actions = table.buffers(), np.zeros(1, np.int32)
table.reset(0, out)
for _ in range(40):
    table.sample(actions)
    table.step(actions, out)

mover, moves, copies = int(out.seat[0]), table[0].legal_ids(), 400
many = table.select([0] * (copies * len(moves)))
rows = many.buffers()
many.step(np.repeat(np.array(moves, np.int32), copies), rows)
won = np.zeros(len(many))
while (rows.status == adjoin.RUNNING).any():
    going = rows.status == adjoin.RUNNING
    played = draw(np.zeros(65, np.float32), rows.mask, generator)
    many.step(np.where(going, played, -1).astype(np.int32), rows)
    won += rows.reward[:, mover] > 0

values = won.reshape(len(moves), copies).sum(axis=1).astype(int)
intervals = {
    table[0].notation(move): wilson(wins, copies)
    for move, wins in zip(moves, values, strict=True)
}
charts.dots(
    dict(sorted(intervals.items(), key=lambda item: -item[1].value)),
    title="Games won after each move, played on at random",
    unit="%",
)

# %% [markdown]
# -1 leaves a lane alone, so that finished ones do not start again. Copies share the chance of their lane, so `sample` would play the same game in all of them; `select(lanes, seeds=...)` gives each copy its own. With hidden cards, `resample_hidden(viewer)` first deals anew what a seat has not seen.

# %% [markdown]
# ## Illegal actions
#
# Either every action of a step is legal, or nothing has happened and the error names the lane and the reason.

# %%
before = table[0].save()
try:
    table.step(np.array([0], np.int32), out)
except adjoin.IllegalActionError as error:
    print(error)
    print("the clause:", error.clause, "| what is legal:", *error.legal)
print("nothing changed:", table[0].save() == before)

# %% [markdown]
# ## Gymnasium
#
# The environments are this batch with a learner's seat. `make_vec` gives many rows at once, with the mask in `infos`. An illegal action costs the match, with the reason in `infos`; `illegal="raise"` raises.

# %%
envs = gymnasium.make_vec(
    "adjoin/MetroDomino-v0",
    num_envs=64,
    opponents="greedy",
    seat="rotate",
    autoreset_mode="SameStep",
)
observations, infos = envs.reset(seed=3)
results = []
for _ in range(100):
    actions = draw(
        np.zeros(envs.single_action_space.n, np.float32),
        infos["action_mask"],
        generator,
    )
    observations, rewards, terminations, truncations, infos = envs.step(actions)
    results.extend(rewards[terminations])
print(f"{len(results)} matches, {np.mean(results):+.2f} a match against greedy")

# %%
env = gymnasium.make("adjoin/Mapello-v0", opponents="greedy")
observation, info = env.reset(seed=3)
illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
observation, reward, terminated, truncated, info = env.step(illegal)
print(reward, terminated, "|", info["illegal_action"])

# %% [markdown]
# ## PettingZoo
#
# Every seat is an agent, each with its own observation and mask.

# %%
env = connections_v0.env(players=4)
env.reset(seed=1)
decided = dict.fromkeys(env.agents, 0)
for agent in env.agents:
    env.action_space(agent).seed(1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    if termination or truncation:
        action = None
    else:
        action = env.action_space(agent).sample(observation["action_mask"])
        decided[agent] += 1
    env.step(action)
print("decisions:", decided)

# %% [markdown]
# ## How fast is it here?
#
# Uniform legal actions, drawn and played in Rust, one thread, observations and masks written. The figures are this machine's, now.

# %%
for game in adjoin.games():
    batch = adjoin.Batch(game, num_lanes=256)
    out, actions = batch.buffers(), np.zeros(256, np.int32)
    batch.reset(1, out)
    steps, begin = 0, time.perf_counter()
    while (seconds := time.perf_counter() - begin) < 0.15:
        batch.sample(actions)
        batch.step(actions, out)
        steps += 1
    print(f"{batch.spec.title:<24}{256 * steps / seconds:>12,.0f} decisions a second")

# %% [markdown]
# ## Try it yourself
#
# - Let the learner play against `greedy` instead of `random`. Does it still like corners?
# - Give it a liking for each action and phase of the game: early, middle, late.
# - Train it with `jokers=8`. Jokers stand on the border: what happens to the likings of edge cells?
# - Copy a position of Metro Domino, deal the hidden tiles anew with `resample_hidden`, and value the moves as above.
