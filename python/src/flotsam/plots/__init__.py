# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures and pages from folders of results; `python3 -m flotsam.plots COMMAND …` starts one of the commands."""
