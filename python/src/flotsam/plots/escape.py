# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of others made fit for a page: the one place where what comes from files is written into HTML and scripts."""

import html
import json
import re

# Controls of ASCII and Latin-1 but for line ends and tabs, ends of lines, and what turns the direction of text around.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def text(value):
    """Any value as text of a page or of a quoted attribute; control characters are visible, as on a terminal."""
    return html.escape(CONTROL.sub(lambda found: f"\\u{{{ord(found[0]):x}}}", str(value)))


def script(value):
    """Any value as JSON within a script: no text in it can end the script, or begin a comment or another one."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
