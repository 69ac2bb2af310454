# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a real run in Debian's Chromium: it opens without a network, zooms, filters, and its figures are those
of the CSV."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FLOTSAM") or str(CHECKOUT / ".build" / "release" / "flotsam")
DAY = 86400
EXPERIMENT = """schema: 1
name: looked-at
question: What does a look at the page show?
seed: 5
start: 2026-03-02 00:00
duration: 2 d
warmup: 1 d
replications: 3
device: {base: iphone-13, memory: {ram: 3 GiB}}
apps: {catalog: everyday, count: 60}
user: {persona: average}
policies: {eviction: [jetsam, lru], scheduling: [opportunistic]}
baseline: {eviction: jetsam, scheduling: opportunistic}
metrics: {primary: relaunches_per_day}
output: {tables: [runs, events, requests, battery]}
"""


@unittest.skipUnless(shutil.which("chromedriver") and Path(PROGRAM).exists(), "needs chromium-driver and the program")
class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from selenium import webdriver
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        (cls.folder / "looked-at.yaml").write_text(EXPERIMENT, encoding="utf-8")
        environment = {**os.environ, "FLOTSAM": PROGRAM, "FLOTSAM_MODELS": str(CHECKOUT / "models")}
        sweep = "sweep={axes: {device.memory.ram: [3 GiB, 6 GiB]}}"
        for words in ([PROGRAM, "run", "looked-at.yaml", "-o", "a", "-q"],
                      [PROGRAM, "run", "looked-at.yaml", "-o", "swept", "-q", "--set", sweep],
                      *([sys.executable, "-m", "flotsam.plots", "report", name, "--again", "2", "--flotsam", PROGRAM]
                        for name in ("a", "swept"))):
            subprocess.run(words, cwd=cls.folder, env=environment, check=True, capture_output=True)
        cls.page = cls.folder / "a" / "report.html"
        options = webdriver.ChromeOptions()
        for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1100,900"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        cls.addClassCleanup(cls.browser.quit)

    def setUp(self):
        self.browser.set_window_size(1100, 900)
        self.browser.get(self.page.as_uri())

    def find(self, selector):
        return self.browser.find_elements("css selector", selector)

    def one(self, selector):
        return self.browser.find_element("css selector", selector)

    def span(self):
        day = self.one(".day")
        return float(day.get_attribute("data-from")), float(day.get_attribute("data-to"))

    def press(self, label):
        self.browser.execute_script("arguments[0].click()", self.one(f".day [aria-label='{label}']"))

    def choose(self, element):
        self.browser.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", element)

    def rows(self, table, policy, begins):
        """Rows of the first user's second day."""
        return [row for row in self.table(table, policy) if row[begins] and DAY <= float(row[begins]) < 2 * DAY]

    def table(self, name, policy):
        with open(self.folder / "a" / f"{name}.csv", newline="", encoding="utf-8") as file:
            return [row for row in csv.DictReader(file) if row["policy"] == policy and row["replication"] == "0"]

    def test_it_opens_small_without_a_network_and_without_an_error(self):
        self.assertLess(self.page.stat().st_size, 3_000_000)
        self.assertEqual(self.one("h1").text, "What does a look at the page show?")
        self.assertIn("Wins", self.one("dl.answer").text)
        loaded = self.browser.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
        self.assertEqual(loaded, [])
        self.assertEqual([line for line in self.browser.get_log("browser") if line["level"] == "SEVERE"], [])

    def test_its_figures_are_those_of_the_csv(self):
        sides = self.find(".day g.side")
        table = [[cell.text for cell in row.find_elements("css selector", "th, td")]
                 for row in self.find(".day + .wide tbody tr")]
        self.assertEqual(len(sides), 2)
        for side, row in zip(sides, table):
            policy = side.get_attribute("data-policy")
            events = self.rows("events", policy, "t_s")
            kills = [event for event in events if event["reason"]]
            opens = {kind: sum(event["launch_kind"] == kind and event["delay_s"] != "" for event in events)
                     for kind in ("resume", "warm", "cold")}
            runs = self.rows("requests", policy, "started_s")
            self.assertGreater(len(kills), 5)
            self.assertGreater(len(runs), 20)
            self.assertEqual(len(side.find_elements("css selector", ".mark.kill")), len(kills))
            self.assertEqual({kind: len(side.find_elements("css selector", f".mark.open.{kind}")) for kind in opens}, opens)
            begun = [mark for mark in side.find_elements("css selector", ".mark.run title")
                     if not mark.get_attribute("textContent").startswith("-")]
            self.assertEqual(len(begun), len(runs))
            # The one day that counts: a metric of kills is their number.
            apps = round(float(next(run for run in self.table("runs", policy))["kills_per_day"]))
            self.assertEqual(row, [policy, *map(str, opens.values()), str(apps), str(len(kills) - apps), str(len(runs)), row[-1]])

    def test_the_reader_picks_a_point_of_a_sweep(self):
        self.browser.get((self.folder / "swept" / "report.html").as_uri())
        kills = []
        for number, size in enumerate(["3 GiB", "6 GiB"]):
            self.browser.execute_script(
                "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('change'))", self.one("#point"), str(number))
            seen = [point for point in self.find(".point") if point.is_displayed()]
            self.assertEqual(len(seen), 1)
            self.assertIn(size, self.one(f"#point option[value='{number}']").text)
            for row in seen[0].find_elements("css selector", ".wide tbody tr"):
                cells = [cell.text for cell in row.find_elements("css selector", "th, td")]
                with open(self.folder / "swept" / "runs.csv", newline="", encoding="utf-8") as file:
                    run = next(run for run in csv.DictReader(file) if run["policy"] == cells[0] and run["replication"] == "0"
                               and run["device.memory.ram"] == size.split()[0])
                self.assertEqual(int(cells[4]), round(float(run["kills_per_day"])))
                kills.append(int(cells[4]))
            self.assertGreater(len(seen[0].find_elements("css selector", "g.side .mark.open")), 10)
        self.assertNotEqual(kills[:2], kills[2:])

    def test_it_zooms_with_buttons_keys_and_the_mouse(self):
        self.assertEqual(self.span(), (0, DAY))
        self.press("shorter span")
        self.assertEqual(self.span(), (DAY / 4, DAY * 3 / 4))
        self.press("later")
        self.assertEqual(self.span(), (DAY / 2, DAY))
        lanes = self.one(".day .lanes")
        for key, span in (("+", (DAY * 5 / 8, DAY * 7 / 8)), ("\ue012", (DAY * 9 / 16, DAY * 13 / 16)), ("0", (0, DAY))):
            lanes.send_keys(key)
            self.assertEqual(self.span(), span)
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).move_to_element_with_offset(lanes, 0, 60).click_and_hold().move_by_offset(200, 0).release().perform()
        begin, end = self.span()
        # Names of lanes are 104 wide, and 4 are free at the right.
        self.assertAlmostEqual((end - begin) / DAY, 200 / (lanes.size["width"] - 108), delta=0.003)
        self.assertAlmostEqual(begin / DAY, (lanes.size["width"] / 2 - 104) / (lanes.size["width"] - 108), delta=0.003)

    def test_it_filters_by_app_and_by_what_differs(self):
        everything = len(self.find(".day .lanes .mark"))
        self.browser.execute_script("arguments[0].click()", self.one(".day input"))
        differing = len(self.find(".day .lanes .mark"))
        self.assertEqual(differing, len(self.find(".day .lanes .mark.differs")))
        self.assertTrue(0 < differing < everything)
        shown = [int(row.find_elements("css selector", "td")[-1].text) for row in self.find(".day + .wide tbody tr")]
        self.assertEqual(differing, sum(shown))
        self.browser.execute_script("arguments[0].click()", self.one(".day input"))
        self.browser.execute_script(
            "arguments[0].value = 'apps'; arguments[0].dispatchEvent(new Event('change'))", self.one(".day select"))
        names = {title.get_attribute("textContent").split(" ")[1].rstrip(",") for title in self.find(".day .lanes .mark title")}
        self.assertTrue(names and not any(name.startswith("daemon") for name in names), names)
        one = sorted(names)[0]
        self.browser.execute_script(
            "const [list, name] = arguments; list.value = [...list.options].find(one => one.text === name).value;"
            "list.dispatchEvent(new Event('change'))", self.one(".day select"), one)
        names = {title.get_attribute("textContent").split(" ")[1].rstrip(",") for title in self.find(".day .lanes .mark title")}
        self.assertEqual(names, {one})

    def test_a_click_shows_what_why_says(self):
        side = self.one(".day g.side")
        kill = side.find_elements("css selector", ".mark.kill")[0]
        self.choose(kill)
        shown = self.one(".day .story pre").text
        command = self.one(".day .story code").text
        words = command.replace("'", "").split()
        environment = {**os.environ, "FLOTSAM_MODELS": str(CHECKOUT / "models")}
        said = subprocess.run([PROGRAM, *words[1:]], cwd=self.folder, env=environment, check=True, capture_output=True, text=True)
        self.assertIn("available memory", shown)
        self.assertIn(shown.strip(), said.stdout)
        self.assertEqual(len(self.find(".day .lanes .mark.chosen")), 1)
        before = self.one(".day .story h3").text
        self.press("next decision")
        self.assertNotEqual(self.one(".day .story h3").text, before)
        refresh = next(mark for mark in self.find(".day .lanes .mark.run")
                       if mark.find_element("css selector", "title").get_attribute("textContent").endswith("refresh"))
        self.choose(refresh)
        self.assertIn("Decision at", self.one(".day .story pre").text)
        self.choose(self.one(".day .hit"))
        self.assertIn("who waits", self.one(".day .story h3").text)

    def test_it_fits_a_telephone_the_dark_and_paper(self):
        def value(script):
            return self.browser.execute_script(f"return {script}")

        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                     {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        self.browser.get(self.page.as_uri())
        self.assertEqual(value("document.documentElement.scrollWidth"), 390)
        self.assertLessEqual(value("document.querySelector('.day svg[height]').getBoundingClientRect().right"), 390)
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": dark})
        self.assertEqual(value("getComputedStyle(document.body).backgroundColor"), "rgb(22, 24, 26)")
        self.assertEqual(value("getComputedStyle(document.querySelector('.day .lane')).fill"), "rgb(232, 232, 232)")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": dark})
        self.assertEqual(value("getComputedStyle(document.querySelector('.day .bar')).display"), "none")
        self.assertEqual(value("getComputedStyle(document.body).color"), "rgb(28, 28, 28)")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


if __name__ == "__main__":
    unittest.main()
