# SPDX-License-Identifier: GPL-3.0-or-later
"""`jetsam` of Flotsam as a process."""

from flotsam_policy import Candidate, EvictionPolicy, serve


class Jetsam(EvictionPolicy):
    """Lowest band first; within a band, the process whose band was set first."""

    name = "python-jetsam"
    source = "xnu-11417.101.15, memorystatus_kill_top_process"

    def rank(self, candidate: Candidate, now: int) -> float:
        return candidate.band


serve(Jetsam)
