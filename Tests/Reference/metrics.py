# SPDX-License-Identifier: GPL-3.0-or-later
"""All metrics that the reader knows, and those that no table can give, with the reason."""

import disk_metrics
import energy_metrics
import visit_metrics
import work_metrics
from declared import APP_METRICS, METRICS, QUANTILE, Binned, Bounds

__all__ = ["APP_METRICS", "METRICS", "NOT_IN_TABLES", "QUANTILE", "Binned", "Bounds", "disk_metrics", "energy_metrics",
           "visit_metrics", "work_metrics"]

NOT_IN_TABLES = {
    "energy_imbalance": "what rounding leaves of sums of joules, some 1e-13 of them: smaller than the rounding of "
                        "any sum over rows. That it is at most 1e-9 is checked, and so is the ledger of every hour.",
}
