# SPDX-License-Identifier: GPL-3.0-or-later
"""Environments for learning: Gymnasium's own check, and that an agent in one is the policy that it imitates."""

from __future__ import annotations

import csv
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy
from flotsam.env import (
    EVICTION_FEATURES, SCHEDULING_ACTIONS, SCHEDULING_FEATURES, EvictionEnv, PhoneEnv, SchedulingEnv, vector)
from flotsam.program import ExperimentError, call
from flotsam_policy import HOUR, MINUTE
from gymnasium.utils.env_checker import check_env

EXPERIMENT = """\
schema: 1
name: small
seed: 3
start: 2026-03-02
duration: 2 d
warmup: 12 h
replications: 3
device: {base: iphone-13, memory: {ram: 3 GiB}, os: ios-17}
apps: {catalog: everyday, count: 25}
user: {persona: average}
policies:
  - {name: immediate, eviction: jetsam, scheduling: immediate}
  - {name: largest-first, eviction: largest-first, scheduling: immediate}
baseline: immediate
metrics: {primary: energy_wh_per_day}
output: {tables: [runs]}
"""


class EnvTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.experiment = Path(self.folder.name) / "small.yaml"
        self.experiment.write_text(EXPERIMENT)

    def episode(self, env: PhoneEnv, act: Any, seed: int | None = 0) -> tuple[float, int, dict[str, Any]]:
        """Rewards, steps and the last lines of an episode."""
        observation, info = env.reset(seed=seed)
        total, steps = 0.0, 0
        while True:
            self.assertTrue(env.observation_space.contains(observation))
            observation, reward, terminated, truncated, info = env.step(act(observation))
            total += reward
            steps += 1
            # The phone goes on; it is the experiment's time that is over.
            self.assertFalse(terminated)
            if truncated:
                self.assertIn("metrics", info)
                return total, steps, info

    def runs(self) -> dict[tuple[str, str], dict[str, str]]:
        results = Path(self.folder.name) / "r"
        call(["run", str(self.experiment), "-o", str(results), "-q"])
        with open(results / "runs.csv", newline="") as file:
            return {(row["policy"], row["replication"]): row for row in csv.DictReader(file)}

    def test_gymnasium_finds_nothing_wrong(self) -> None:
        for environment in (SchedulingEnv, EvictionEnv):
            env = environment(self.experiment)
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(env, skip_render_check=True)
            env.close()

    def test_an_agent_that_always_starts_is_immediate(self) -> None:
        env = SchedulingEnv(self.experiment)
        proceed = list(SCHEDULING_ACTIONS).index("proceed")
        runs = self.runs()
        for replication in (0, 2):
            total, steps, info = self.episode(env, lambda _: proceed, replication)
            theirs = runs["immediate", str(replication)]
            self.assertGreater(steps, 100)
            for metric, value in info["metrics"].items():
                if value is not None:
                    self.assertEqual(value, float(theirs[metric]), metric)
            # The reward is the metrics' increments: energy over the days after the warm-up, age over all opens.
            meter = info["meter"]
            self.assertAlmostEqual(
                meter["content_age"] / meter["content_opens"], float(theirs["content_age_s_mean"]), places=6)
            self.assertAlmostEqual(meter["energy"] / 3600 / 1.5 / float(theirs["energy_wh_per_day"]), 1, places=8)
            expected = -meter["energy"] - 0.01 * meter["content_age"]
            self.assertAlmostEqual(total / expected, 1, delta=0.02)

    def test_an_agent_that_ranks_by_footprint_is_largest_first(self) -> None:
        env = EvictionEnv(self.experiment, size=7)
        column = list(EVICTION_FEATURES).index("footprint")
        total, _, info = self.episode(env, lambda rows: -rows[:, column])
        theirs = self.runs()["largest-first", "0"]
        self.assertGreater(float(theirs["relaunches_per_day"]), 0)
        self.assertEqual(info["metrics"]["relaunches_per_day"], float(theirs["relaunches_per_day"]))
        self.assertAlmostEqual(total, -1.5 * float(theirs["relaunches_per_day"]), places=6)

    def test_the_same_seed_gives_the_same_episode_and_none_the_next(self) -> None:
        env = SchedulingEnv(self.experiment, weights={"content_opens": 1.0})
        first = self.episode(env, lambda _: 1, 1)
        self.assertEqual(first, self.episode(env, lambda _: 1, 1))
        self.assertEqual(self.episode(env, lambda _: 1, None)[2]["replication"], 2)
        self.assertEqual(first[0], first[2]["meter"]["content_opens"])

    def test_many_at_once_see_replications_of_their_own(self) -> None:
        envs = vector(SchedulingEnv, self.experiment, 3)
        observations, infos = envs.reset(seed=4)
        self.assertEqual(observations.shape, (3, len(SCHEDULING_FEATURES)))
        self.assertEqual(list(infos["replication"]), [4, 5, 6])
        for _ in range(20):
            observations, rewards, terminated, truncated, _ = envs.step(numpy.zeros(3, dtype=int))
            self.assertFalse(terminated.any() or truncated.any())
            self.assertTrue((rewards <= 0).all())
        _, infos = envs.reset()
        self.assertEqual(list(infos["replication"]), [7, 8, 9])
        envs.close()

    def test_gymnasium_makes_them_by_name(self) -> None:
        for name, kind in (("Scheduling", SchedulingEnv), ("Eviction", EvictionEnv)):
            env = gymnasium.make(f"flotsam/{name}-v0", experiment=str(self.experiment))
            self.assertIsInstance(env.unwrapped, kind)
            _, info = env.reset(seed=1)
            self.assertEqual(info["replication"], 1)
            env.close()

    def test_the_mask_leaves_out_what_makes_no_difference(self) -> None:
        env = SchedulingEnv(self.experiment)
        _, info = env.reset(seed=0)
        seen = set()
        while "metrics" not in info:
            mask = info["action_mask"]
            self.assertEqual(mask.tolist(), [int(each) for each in env.action_masks()])
            assert env.request is not None and env.device is not None
            left = env.request.deadline - env.device.now
            here = env.device.radio_is_up and env.device.network == "wifi" and env.device.plugged_in
            cheap = left > HOUR and not here
            self.assertEqual(mask.tolist(), [1, 1, int(left > 15 * MINUTE), int(left > HOUR), int(cheap)])
            seen.add(tuple(mask))
            # Who always waits as long as makes a difference comes near the deadlines.
            _, _, _, _, info = env.step(max(each for each in range(4) if mask[each]))
        self.assertGreater(len(seen), 2, "no request came near its deadline")
        rows = EvictionEnv(self.experiment, size=7)
        observation, info = rows.reset(seed=0)
        self.assertEqual(info["action_mask"].tolist(), observation[:, -1].tolist())
        rows.close()

    def test_phones_that_go_on_at_the_same_time_are_those_that_go_on_in_turn(self) -> None:
        envs = vector(SchedulingEnv, self.experiment, 2)
        observations, _ = envs.reset(seed=0)
        alone = [SchedulingEnv(self.experiment) for _ in range(2)]
        for number, env in enumerate(alone):
            env.reset(seed=number)
        for step in range(60):
            actions = numpy.array([step % 3, (step + 1) % 3])
            observations, rewards, *_ = envs.step(actions)
            for number, env in enumerate(alone):
                observation, reward, *_ = env.step(actions[number])
                self.assertTrue((observations[number] == observation).all())
                self.assertEqual(rewards[number], reward)
        for env in (envs, *alone):
            env.close()

    def test_a_small_agent_learns_to_beat_random(self) -> None:
        env = SchedulingEnv(self.experiment)
        columns = [list(SCHEDULING_FEATURES).index(each) for each in ("plugged_in", "wifi", "open_likelihood", "left")]

        def rewards(act: Any, seeds: range) -> numpy.ndarray[Any, Any]:
            found = []
            for seed in seeds:
                observation, info = env.reset(seed=seed)
                total, ended = 0.0, False
                while not ended:
                    observation, reward, _, ended, info = env.step(act(observation, info["action_mask"]))
                    total += reward
                found.append(total)
            return numpy.array(found)

        def linear(weights: Any) -> Any:
            """The action with the highest score of a few features, among those that make a difference."""
            table = weights.reshape(len(SCHEDULING_ACTIONS), len(columns) + 1)

            def act(observation: Any, mask: Any) -> int:
                scores = table[:, :-1] @ observation[columns] + table[:, -1]
                return int(numpy.argmax(numpy.where(mask, scores, -numpy.inf)))

            return act

        # The cross-entropy method: draw, keep the best, draw around them.
        draws = numpy.random.default_rng(7)
        mean, spread = numpy.zeros(25), numpy.ones(25)
        for _ in range(4):
            candidates = draws.normal(mean, spread, (12, 25))
            scores = [rewards(linear(each), range(2)).sum() for each in candidates]
            best = candidates[numpy.argsort(scores)[-3:]]
            mean, spread = best.mean(axis=0), best.std(axis=0) + 0.1
        env.action_space.seed(5)
        unseen = range(100, 124)
        gains = rewards(linear(mean), unseen) - rewards(lambda _, mask: env.action_space.sample(mask), unseen)
        env.close()
        # Student's t at 99 %, one-sided, with 23 degrees of freedom.
        self.assertGreater(gains.mean(), 2.500 * gains.std(ddof=1) / len(gains) ** 0.5, gains)

    def test_a_mistake_is_the_program_s_own_text(self) -> None:
        with self.assertRaisesRegex(ExperimentError, "no pair of policies \"none\""):
            SchedulingEnv(self.experiment, policy="none").reset(seed=0)
        with self.assertRaisesRegex(ExperimentError, "did you mean \"jetsam\""):
            SchedulingEnv(self.experiment, set={"policies.0.eviction": "jetsm"}).reset(seed=0)


if __name__ == "__main__":
    unittest.main()
