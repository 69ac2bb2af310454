# SPDX-License-Identifier: GPL-3.0-or-later
"""`periodic` of Flotsam as a process."""

from flotsam_policy import Decision, Device, Parameter, Request, SchedulingPolicy, proceed, serve, wait


class Periodic(SchedulingPolicy):
    """Starts each app's work at most once per period."""

    name = "python-periodic"
    source = "Android JobInfo: periodic jobs, shortest period 15 min"
    parameters = [Parameter("every", "duration", 900, (1, 604_800), "Shortest time between two starts, in seconds")]
    every: float

    def decide(self, request: Request, device: Device) -> Decision:
        after = request.last_run + round(self.every * 1e9)
        if device.now >= after:
            return proceed("immediate")
        return wait("rate-limit", until=after)


serve(Periodic)
