# SPDX-License-Identifier: GPL-3.0-or-later
"""`lru` of Flotsam as a process."""

from flotsam_policy import Candidate, EvictionPolicy, serve


class LRU(EvictionPolicy):
    """The app that the user has not seen for the longest time."""

    name = "python-lru"
    source = "Mattson et al. 1970, doi:10.1147/sj.92.0078"

    def rank(self, candidate: Candidate, now: int) -> float:
        return candidate.last_foreground / 1e9


serve(LRU)
