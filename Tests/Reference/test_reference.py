# SPDX-License-Identifier: GPL-3.0-or-later
"""The reader's own arithmetic against printed tables and small cases: `python3 -m unittest` in this folder."""

import math
import unittest

import caches

from judgement import half_width, holm, largest_share, max_t, p_value, t_quantile, two_sided, verdict
from quantities import integral, quantile


class StudentTests(unittest.TestCase):
    def test_quantiles_are_those_of_printed_tables(self):
        # Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.10, A = 0.95 and 0.99.
        for freedom, t95, t99 in ((1, 12.706, 63.657), (2, 4.303, 9.925), (9, 2.262, 3.250), (30, 2.042, 2.750)):
            self.assertAlmostEqual(t_quantile(0.95, freedom), t95, delta=6e-4)
            self.assertAlmostEqual(t_quantile(0.99, freedom), t99, delta=6e-4)

    def test_one_and_two_degrees_of_freedom_have_closed_forms(self):
        for t in (0.01, 0.5, 1, 3, 40):
            self.assertAlmostEqual(two_sided(t, 1), 1 - 2 / math.pi * math.atan(t), places=13)
            self.assertAlmostEqual(two_sided(t, 2), 1 - t / math.sqrt(2 + t * t), places=13)

    def test_one_pair_says_nothing_and_equal_differences_all(self):
        self.assertEqual(half_width([3.0], 0.95), math.inf)
        self.assertEqual((p_value([3.0]), p_value([0.0, 0.0]), p_value([2.0, 2.0])), (1, 1, 0.5))


class JudgementTests(unittest.TestCase):
    def test_the_largest_share_of_what_was_not_seen(self):
        # SciPy: beta.ppf(0.975, 0.5, 10.5) and beta.ppf(0.95, 0.5, 5.5) by `stats.beta`.
        self.assertAlmostEqual(largest_share(10, 0.95), 0.21719626750921053, places=12)
        self.assertAlmostEqual(largest_share(5, 0.9), 0.30574558468894947, places=12)

    def test_changed_signs_of_darwins_maize(self):
        # R. A. Fisher, The Design of Experiments, 1935, section 21: 1,726 of 32,768 ways are as far from zero.
        maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
        self.assertAlmostEqual(max_t([maize], 0.95)[0][0], 1726 / 32768, delta=0.012)
        self.assertEqual(max_t([maize[:6]], 0.95)[0], max_t([maize[:6], maize[:6]], 0.95)[0][:1])

    def test_holm_makes_two_sure_differences_unsure(self):
        self.assertEqual(holm([0.03, 0.04]), [0.06, 0.06])
        self.assertEqual(holm([0.04, 0.01, 0.5]), [0.08, 0.03, 0.5])
        # The intervals exclude the band: it is the corrected p that leaves both undecided.
        self.assertEqual(verdict(1, 3, 0.1, 0.03 <= 0.05, "lower"), "worse")
        self.assertEqual(verdict(1, 3, 0.1, 0.06 <= 0.05, "lower"), "undecided")

    def test_verdicts(self):
        self.assertEqual(verdict(-0.1, 0.1, 0.1, False, "higher"), "equivalent")
        self.assertEqual(verdict(1, 3, 0.1, True, "higher"), "better")
        self.assertEqual(verdict(-3, -1, 0.1, True, "lower"), "better")
        self.assertEqual(verdict(-3, -1, 0.1, True, "neutral"), "neither way is better")
        self.assertEqual(verdict(-3, -1, 0.1, True, "neutral", 4), "undecided")
        self.assertEqual(verdict(0.05, 3, 0.1, True, "lower"), "undecided")


class QuantityTests(unittest.TestCase):
    def test_a_quantile_is_one_of_the_values(self):
        self.assertEqual(quantile(0.95, list(range(1, 11))), 10)
        self.assertEqual(quantile(0.95, list(range(1, 21))), 19)
        self.assertEqual(quantile(0.5, [4, 1, 3]), 3)
        self.assertIsNone(quantile(0.5, []))

    def test_integrals_are_cut_at_both_ends(self):
        self.assertEqual(integral([(0, 1), (10, 3), (20, 0)], 5, 30), 5 + 30)


class CacheTests(unittest.TestCase):
    def test_the_table_of_hits_is_that_of_the_rules(self):
        with open(caches.TABLE) as file:
            self.assertEqual(file.read().splitlines(), caches.lines())

    def test_the_hand_passes_whom_it_finds_marked(self):
        # 0 is marked, so 1 leaves for 3; the hand stands behind it, at 2, who leaves for 1.
        self.assertEqual(caches.sieve([0, 1, 2, 0, 3, 1, 0, 2], 3), 2)


if __name__ == "__main__":
    unittest.main()
