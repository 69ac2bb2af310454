# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what texts of others become in a page: `make test-python`."""

import json
import sys
import unittest
from pathlib import Path

from flotsam.plots import escape


class Escape(unittest.TestCase):
    def test_text_is_no_markup(self):
        self.assertEqual(escape.text("<b>\"a\" & 'b'"), "&lt;b&gt;&quot;a&quot; &amp; &#x27;b&#x27;")
        self.assertEqual(escape.text(3), "3")

    def test_control_characters_are_visible_and_lines_stay(self):
        self.assertEqual(escape.text("\x1b[31m\x9b\x00\u202e\u2066"), "\\u{1b}[31m\\u{9b}\\u{0}\\u{202e}\\u{2066}")
        self.assertEqual(escape.text("a\n\tb é"), "a\n\tb é")

    def test_no_text_in_a_script_ends_it_or_hides_its_end(self):
        value = {"a": "</script>", "b": "<!--<script>", "c": ["<", "\u2028é"]}
        written = escape.script(value)
        self.assertNotIn("<", written)
        self.assertNotIn("\u2028", written)
        self.assertEqual(json.loads(written), value)


if __name__ == "__main__":
    unittest.main()
