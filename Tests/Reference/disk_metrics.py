# SPDX-License-Identifier: GPL-3.0-or-later
"""Metrics of the phone's storage, from the rows of `disk`."""

from declared import per_day, phone
from quantities import integral, of


def rows(run, of_app, *events):
    """Rows of apps; the photos of the user are the system's."""
    return [row for row in run.late(of(run.disk, of_app)) if row.event in events and row.app != "system"]


def amount(run, of_app, *events):
    return sum(row.bytes for row in rows(run, of_app, *events))


per_day("disk_written_bytes_per_day", lambda run, a: amount(run, a, "write", "update", "install", "bring"))
per_day("cache_purges_per_day", lambda run, a: len(rows(run, a, "purgeCaches")))
per_day("purged_bytes_per_day", lambda run, a: amount(run, a, "purgeCaches", "purgeTemporary"))
per_day("fetched_again_bytes_per_day", lambda run, a: amount(run, a, "fetchAgain"))
per_day("failed_saves_per_day", lambda run, a: len(rows(run, a, "saveFailed")))
per_day("work_without_room_per_day", lambda run, a: len(rows(run, a, "workFailed")))
per_day("app_updates_per_day", lambda run, a: len(rows(run, a, "update")))
per_day("offloads_per_day", lambda run, a: len(rows(run, a, "offload")))
per_day("reinstalls_per_day", lambda run, a: len(rows(run, a, "install")))
per_day("refused_installs_per_day", lambda run, a: len(rows(run, a, "installRefused")))
per_day("updates_put_off_per_day", lambda run, a: len(rows(run, a, "updatePutOff")))


@phone
def disk_free_mib_mean(run, _):
    changes = [(0.0, 0.0)] + [(row.t_s, row.free_bytes / 2**20) for row in run.disk]
    return integral(changes, run.warmup, run.end) / run.seconds
