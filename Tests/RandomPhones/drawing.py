# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws random valid experiments: what the schema and the program's lists name, with values near those of the models.

A key that is new in the schema is drawn from then on. Only maps that the schema does not describe, and choices that
would hardly ever come together by chance, are listed here."""

import json
import re
import subprocess

# Maps whose keys are lists, curves or names of models; some are drawn below instead.
LEFT_OUT = ("device.battery.cell", "device.charger", "device.processor", "device.radios", "device.activities",
            "device.start_state", "device.name", "device.habits.initial_level", "device.heat",
            "user.persona.charging.charger", "user.persona.ambient", "user.persona.opened_by", "user.persona.games",
            "user.persona.installed_apps", "user.population", "user.size", "user.trace", "user.repeat", "apps.count",
            "apps.catalog", "apps.apps", "apps.categories", "apps.tail", "app.opened")
# Which part of a map is given, by its path; the rest of its keys is as the models say.
SECTIONS = ("device", "user.persona", "apps.defaults", "app")
EXTREME = 0.06  # how often a number is zero, or a share 0 or 100 %
WORDS_OF_A_KEY = re.compile(r"([a-z][a-zA-Z_]*)(?:\.[a-z_]+)?: *([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?) *([A-Za-z%/]*)")


def listed(program, *words):
    text = subprocess.run([program, "list", *words, "--json"], capture_output=True, text=True, check=True).stdout
    return json.loads(text)


def snake(name):
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)


class Catalogue:
    """What may be drawn: keys with their kinds, names of models, policies, and numbers that models state."""

    def __init__(self, program, root):
        schema = json.loads((root / "models/schema/experiment.json").read_text())
        # What a number with a unit of each kind looks like.
        self.patterns = {kind: form["anyOf"][0]["pattern"] for kind, form in schema["$defs"].items()
                         if "pattern" in form.get("anyOf", [{}])[0]}
        self.leaves = {}
        for top in ("device", "user", "apps", "app"):
            self.collect(schema["$defs"]["experiment"]["properties"][top], (top,))
        self.names = {what: [item["name"] for item in listed(program, what)]
                      for what in ("devices", "personas", "populations", "processors", "radios", "chargers", "systems")}
        self.policies = {}
        for item in listed(program, "policies"):
            self.policies.setdefault(item["kind"], []).append(item)
        self.cellular = [name for name in self.names["radios"] if "wifi" not in name]
        self.wifi = [name for name in self.names["radios"] if "wifi" in name]
        self.metrics = listed(program, "metrics")
        self.tables = [item["table"] for item in listed(program, "tables") if item["written"] == "on request"]
        self.known = {}
        for path in sorted(root.glob("models/*/*.yaml")):
            self.learn(path.read_text())
        for path in sorted(root.glob("experiments/*.yaml"))[:1]:
            text = subprocess.run([program, "check", str(path), "--emit-config", "/dev/stdout", "--force"],
                                  capture_output=True, text=True).stdout
            self.learn(re.sub(r"^# \S*?([A-Za-z]+):", lambda match: snake(match[1]) + ":", text, flags=re.MULTILINE))

    def learn(self, text):
        for key, number, unit in WORDS_OF_A_KEY.findall(text):
            try:
                self.known.setdefault(key, []).append((float(number), unit))
            except ValueError:
                pass

    def collect(self, node, path):
        dotted = ".".join(path)
        if dotted.startswith(LEFT_OUT):
            return
        deeper = False
        for form in (node, *node.get("anyOf", ()), *node.get("oneOf", ())):
            for key, value in form.get("properties", {}).items():
                if key not in ("source", "note", "base", "schema", "assumptions", "summary", "name", "grounding"):
                    deeper = True
                    self.collect(value, path + (key,))
        section = next((each for each in SECTIONS if dotted.startswith(each + ".")), None)
        if section and not deeper:
            # What lies deeper is drawn together, as `device.os` or `user.persona.wifi`.
            group = ".".join(path[:section.count(".") + 2])
            self.leaves.setdefault(group, []).append((path, node))


class Drawing:
    """One experiment."""

    def __init__(self, catalogue, dice):
        self.catalogue, self.dice = catalogue, dice

    # Values

    def some(self, *choices):
        return self.dice.choice(choices)

    def near(self, number):
        return number * 10 ** self.dice.uniform(-0.4, 0.4)

    def leaf(self, key, node):
        """A value for a key, or None where nothing is known of its scale."""
        forms = [node, *node.get("anyOf", ())]
        kinds = [form.get("$ref", "").rpartition("/")[2] for form in forms]
        words = next((form["enum"] for form in forms if "enum" in form), None)
        if any(form.get("type") == "boolean" for form in forms):
            return self.dice.random() < 0.5
        if words:
            return self.dice.choice(words)
        known = self.catalogue.known.get(key, [])
        whole = any(form.get("type") == "integer" for form in forms)
        if whole or any(form.get("type") == "number" for form in forms):
            low, high = node.get("minimum", 0), node.get("maximum", 10)
            plain = [number for number, unit in known if not unit]
            number = self.near(self.dice.choice(plain or [max(low, min(high, 3))]))
            if self.dice.random() < EXTREME:
                number = low
            number = min(max(number, low), high)
            return round(number) if whole else float(f"{number:.4g}")
        if kinds[-1] in ("fraction", "share") and len(set(kinds) - {""}) == 1:
            if self.dice.random() < EXTREME:
                return self.some("0 %", "100 %")
            shares = [number for number, unit in known if unit == "%"]
            return f"{min(100, self.near(self.dice.choice(shares or [self.dice.uniform(1, 99)]))):.4g} %"
        patterns = [pattern for kind, pattern in self.catalogue.patterns.items() if kind in kinds]
        with_units = [each for each in known
                      if any(re.fullmatch(pattern, f"{each[0]:g} {each[1]}") for pattern in patterns)]
        if not with_units:
            return None
        number, unit = self.dice.choice(with_units)
        if unit == "degC":
            return f"{number + self.dice.uniform(-15, 15):.3g} degC"
        return f"{0 if self.dice.random() < EXTREME else self.near(number):.4g} {unit}"

    def policy(self, kind):
        item = self.dice.choice(self.catalogue.policies[kind])
        given = []
        for parameter in item["parameters"]:
            if self.dice.random() < 0.2:
                if "choices" in parameter:
                    given.append(f"{parameter['name']}={self.dice.choice(parameter['choices'])}")
                    continue
                low, high, usual = (parameter[key] for key in ("low", "high", "default_value"))
                number = min(max(self.near(usual), low), high) if self.dice.random() > EXTREME else low
                number = f"{number:.4g}" if parameter["unit"] or isinstance(usual, float) else str(round(number))
                given.append(f"{parameter['name']}={number}{parameter['unit']}")
        return item["name"] + (f"[{','.join(given)}]" if given else "")

    # Parts of an experiment

    def put(self, experiment, path, value):
        for key in path[:-1]:
            inner = experiment.get(key)
            if not isinstance(inner, dict):
                # A model by its name becomes a map that begins from it; a word such as `off` is replaced.
                named = inner is not None and key in ("device", "persona", "processor")
                inner = experiment[key] = {"base": inner} if named else {}
            experiment = inner
        experiment[path[-1]] = value

    def features(self):
        """What hardly comes together by chance, or what the schema does not describe, by its path."""
        d, names = self.some, self.catalogue.names
        share = lambda: f"{d(0, 5, 30, 70, 100)} %"
        helper = lambda: {"per_day": d(0, 20, 300), "memory": d("10 MiB", "300 MiB", "3 GiB"),
                          "stays": d("0 s", "10 s", "1 h")}
        switch = lambda: d(True, False)
        return [
            ("device.disk", lambda: {
                "capacity": d("16 GB", "64 GB", "256 GB"), "free": d("0 %", "1 %", "5 %", "30 %"),
                "photos_per_day": d("0 B", "1 GB", "20 GB"), "order": d("least-recent", "largest", "quota"),
                "counts_swap": switch(), "offloads": switch(), "purges_running": switch()}),
            ("device.interruptions", lambda: {
                "calls_per_day": d(0, 5, 60), "alerts_per_day": d(0, 10, 200), "full_screen_share": share(),
                "answered_share": share(), "call_length": d("2 s", "2 min", "1 h"), "pauses_playback": d(True, False)}),
            ("device.restarts", lambda: {
                "upgrades_per_month": d(0, 2, 30), "crashes_per_month": d(0, 30, 3000),
                "crash_time": d("1 min", "10 min", "1 h")}),
            ("device.helpers", lambda: {kind: helper() for kind in ("share", "photo", "model") if d(True, False)}),
            ("device.surroundings", lambda: d(
                "off", {}, {"sun_share": share(), "car_share": share(), "pocket_share": share()})),
            ("device.heat", lambda: d("off", {"serious_above": "35 degC", "fair_above": "30 degC"})),
            ("device.services", lambda: "off"),
            ("device.os.profile", lambda: d(*names["systems"])),
            ("device.os.freezer", lambda: d("none", {"slots": d(0, 3, 20, 100)})),
            ("device.os.app_swap", lambda: d("none", {"space": d("100 MiB", "1 GiB", "8 GiB"), "low_share": share(),
                                                     "kills_when_low": d(True, False)})),
            ("device.os.life_cycle", lambda: {"background_grace": d("0 s", "5 s", "10 min"), "scenes": d(True, False)}),
            ("device.memory.ram", lambda: d("1.5 GiB", "2 GiB", "3 GiB", "4 GiB", "6 GiB", "12 GiB")),
            ("device.radios", lambda: {
                "cellular": d(*self.catalogue.cellular), "wifi": d(*self.catalogue.wifi),
                "tail_attribution": d("last-user", "equal-split"),
                **d({}, {"fallback": d(*self.catalogue.cellular), "smart_data": d(True, False)})}),
            ("device.processor", lambda: {"base": d(*names["processors"]),
                                          "frequency_policy": d("race-to-idle", "best-energy", "schedutil")}),
            ("device.battery.capacity", lambda: f"{d(300, 1000, 3000, 9000)} mAh"),
            ("device.battery.health", lambda: f"{d(50, 70, 85, 100)} %"),
            ("device.habits.initial_level", lambda: f"{d(0, 1, 7, 23, 52, 100)} %"),
            ("device.charging", lambda: {"mode": d("as-user", "plain", "hold", "optimized")}),
            ("user.persona.charging.charger", lambda: d(*names["chargers"])),
            ("user.persona.background", lambda: {
                "push_apps": d(0, 5, 50), "location_apps": d(0, 2, 20), "widgets": d(0, 4, 50),
                "audio_per_day": d("0 s", "2 h", "20 h"),
                "processing_tasks_per_day": d(0, 3, 100), "refresh_enabled_share": share()}),
            ("user.persona.opened_by", lambda: {
                "link": "10 %", "widget": "10 %", "share_sheet": "20 %", "app": "20 %"}),
            ("user.persona.installs", lambda: {
                "per_month": d(0, 30), "updates_per_month": d(0, 30), "night_share": share()}),
            ("apps.defaults.alarms", lambda: {
                "every": d("1 min", "20 min", "1 h"), "wakes": d(True, False),
                "kind": d("repeating", "inexact", "while-idle", "exact", "exact-while-idle", "clock")}),
            ("apps.defaults.broadcasts", lambda: {"per_day": d(1, 50, 500), "registered": d("manifest", "context")}),
            ("apps.defaults.modes", lambda: {
                "location": d(True, False), "tracking_per_day": d("0 s", "10 min", "5 h"),
                "tracking_per_move": d("0 s", "1 min"), "bluetooth_per_day": d(0, 5)}),
            ("apps.defaults.pushes", lambda: {
                "silent_per_day": d(0, 3, 60), "urgent_share": share(), "urgent_shown_share": share(),
                "local_per_day": d(0, 10), "notification_service": switch(), "calls_per_day": d(0, 2),
                "reports_calls": share()}),
            ("apps.defaults.processes", lambda: {
                kind: {"memory": d("1 MiB", "30 MiB", "300 MiB"), **d({}, {"limit": d("0 B", "25 MiB")}), **own()}
                for kind, own in {
                    "notification_service": dict, "widget": dict, "tunnel": dict, "children": lambda: {"count": d(1, 12)},
                    "keyboard": lambda: {"open_share": share()}, "share": lambda: {"per_day": d(0, 3)}, "clip": dict,
                    "service": lambda: {"stays": d("0 s", "1 h"), "ends_app": switch()},
                    "sticky": lambda: {"ends_app": switch()}}.items() if d(True, False)}),
            ("apps.defaults.transfers", lambda: {
                "per_day": d(1, 20), "bytes": d("1 B", "5 MB", "2 GB"), "up_share": share(),
                "discretionary": switch()}),
            ("apps.defaults.connection", lambda: {
                "heartbeat": d("1 min", "15 min"), "wifi_heartbeat": d("1 min", "15 min")}),
            ("apps.defaults.continued", lambda: {
                "share": share(), "time": d("10 s", "1 h"), "bytes": d("0 B", "10 MB"), "strategy": d("queue", "fail"),
                "reports": share()}),
            ("apps.defaults.files", lambda: {
                "bundle": d("10 MB", "2 GB"), "caches": d("0 B", "1 GB"), "caches_per_hour": d("0 B", "1 GB"),
                "caches_limit": d("0 B", "100 MB"), "updates_per_month": d(0, 30)}),
            ("apps.defaults.faults", lambda: {
                "crashes_per_hour": d(0, 1, 60), "hangs_per_hour": d(0, 1, 60), "work_crashes": share(),
                "holds_lock": share(), "leaks_task": share()}),
            ("apps.defaults.declares", lambda: {key: switch() for key in (
                "fetch", "processing", "remote_notification", "voip", "location", "audio", "bluetooth",
                "registers_late")}),
            ("apps.defaults.memory", lambda: {
                "windows": d(1, 3, 8), "window": "60 MiB", "leak_per_hour": d("0 B", "100 MiB", "4 GiB"),
                "growth_per_hour": share()}),
            ("apps.defaults.refresh.hardware", lambda: {
                key: switch() for key in ("network", "gps", "screen", "vibrator")}),
        ]

    def keys(self, experiment):
        """A few keys of some maps, each near what a model states."""
        groups = self.catalogue.leaves
        for group in self.dice.sample(sorted(groups), self.dice.randint(2, 9)):
            if group.startswith("app.") and "app" not in experiment:
                continue
            if group.startswith("user.") and "persona" not in experiment["user"]:
                continue
            for path, node in self.dice.sample(groups[group], min(len(groups[group]), self.dice.randint(1, 2))):
                if ".".join(path[:2]) in ("device.surroundings", "device.heat", "device.services") and (
                        experiment["device"].get(path[1]) == "off"):
                    continue
                value = self.leaf(path[-1], node)
                if value is not None:
                    self.put(experiment, path, value)

    def experiment(self):
        d, dice, names = self.some, self.dice, self.catalogue.names
        experiment = {
            "schema": 1, "name": "random-phone", "seed": dice.randrange(1 << 31),
            "start": d("2026-01-30", "2026-03-28", "2026-07-06", "2026-10-24", "2026-12-25", "2028-02-28") + " 00:00",
            **d({"duration": "1 d", "warmup": "0 s"}, {"duration": "2 d", "warmup": "0 s"},
                {"duration": "2 d", "warmup": "1 d"}, {"duration": "36 h", "warmup": "5 h"},
                {"duration": "25 h", "warmup": "0 s"}),
            "replications": d(1, 1, 2), "device": {"base": d(*names["devices"])},
            "apps": {"catalog": d("everyday", "everyday", "everyday", "android-2013"), "count": d(1, 10, 20, 40, 60)},
            "user": {"persona": {"base": d(*names["personas"])}}, "metrics": {"primary": "relaunches_per_day"}}
        if dice.random() < 0.2:
            experiment["user"] = {"population": {"base": d(*names["populations"])}, "size": experiment["replications"]}
        if dice.random() < 0.2:
            experiment["app"] = {"name": "mine", "opened": d("0 / d", "6 / d", {"share": "30 %"}),
                                 "category": d("mail", "music", "news")}
        for path, value in self.features():
            if dice.random() < 0.15 and not (path.startswith("user.") and "persona" not in experiment["user"]):
                self.put(experiment, path.split("."), value())
        self.keys(experiment)
        # The random policy is always there: what a phone never expects, it does.
        policies = experiment["policies"] = {
            "eviction": [*dict.fromkeys(["random", self.policy("eviction")])],
            "scheduling": [self.policy("scheduling")]}
        for kind in ("prelaunch", "freezing", "swap"):
            if dice.random() < 0.3:
                policies[kind] = [d(*(item["name"] for item in self.catalogue.policies[kind]))]
        own_trigger = ("lmkd", "unbounded", "system")  # they rank all processes, always
        if dice.random() < 0.15 and not policies["eviction"][-1].startswith(own_trigger):
            policies["ranks"] = "apps"
        if dice.random() < 0.15 and not policies["eviction"][-1].startswith(own_trigger):
            policies["reaper"] = "policy"
        experiment["output"] = {"tables": list(self.catalogue.tables), **d({}, {}, {"compress": "gzip"})}
        if dice.random() < 0.15:
            experiment["policies_from"] = d("6.3 h", "11.7 h", "22.9 h")
        return experiment
