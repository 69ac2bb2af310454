# SPDX-License-Identifier: GPL-3.0-or-later
"""Decodes a timeline of `flotsam report --trace` with the classes of the PyPI package `perfetto`, field by field."""

import collections
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("FLOTSAM") or CHECKOUT / ".build" / "release" / "flotsam"
EXPERIMENT = """schema: 1
name: traced
seed: 3
start: 2026-03-02 00:00
duration: 1 d
warmup: 0 h
replications: 1
device: {base: iphone-13, memory: {ram: 3 GiB}}
apps: {catalog: everyday, count: 60}
user: {persona: average}
policies: {eviction: [jetsam, lru], scheduling: [opportunistic]}
baseline: {eviction: jetsam, scheduling: opportunistic}
metrics: {primary: relaunches_per_day}
output: {tables: [runs, events, battery]}
"""


@unittest.skipUnless(Path(PROGRAM).exists(), "needs the program: make build")
class TraceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        from google.protobuf.unknown_fields import UnknownFieldSet
        from perfetto.protos.perfetto.trace import perfetto_trace_pb2 as schema
        cls.schema, cls.unknown = schema, staticmethod(lambda message: len(UnknownFieldSet(message)))
        cls.temporary = tempfile.TemporaryDirectory()
        folder = Path(cls.temporary.name)
        (folder / "traced.yaml").write_text(EXPERIMENT, encoding="utf-8")
        environment = {**os.environ, "FLOTSAM_MODELS": str(CHECKOUT / "models")}
        for words in (["run", "traced.yaml", "-o", "a", "-q"], ["report", "--trace", "a#0", "--against", "lru", "-o", "x.pftrace"]):
            subprocess.run([PROGRAM, *words], cwd=folder, env=environment, check=True, capture_output=True)
        cls.trace = schema.Trace()
        cls.trace.ParseFromString((folder / "x.pftrace").read_bytes())
        import pandas
        cls.events = pandas.read_csv(folder / "a" / "events.csv")
        cls.battery = pandas.read_csv(folder / "a" / "battery.csv")

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def tracks(self):
        return {packet.track_descriptor.uuid: packet.track_descriptor for packet in self.trace.packet
                if packet.HasField("track_descriptor")}

    def policy(self, track):
        tracks = self.tracks()
        while tracks[track].parent_uuid:
            track = tracks[track].parent_uuid
        return tracks[track].process.process_name

    def of_events(self):
        for packet in self.trace.packet:
            if packet.HasField("track_event"):
                yield packet.timestamp / 1e9, packet.track_event

    def test_no_field_is_unknown(self):
        for packet in self.trace.packet:
            part = packet.track_event if packet.HasField("track_event") else packet.track_descriptor
            self.assertEqual(self.unknown(packet) + self.unknown(part), 0)
            for annotation in packet.track_event.debug_annotations:
                self.assertEqual(self.unknown(annotation), 0)

    def test_slices_nest_and_end(self):
        depth, before = collections.Counter(), 0
        for time, event in self.of_events():
            self.assertGreaterEqual(time, before)
            before = time
            depth[event.track_uuid] += {event.TYPE_SLICE_BEGIN: 1, event.TYPE_SLICE_END: -1}.get(event.type, 0)
            self.assertIn(depth[event.track_uuid], (0, 1))
        self.assertEqual(set(depth.values()), {0})

    def test_kills_are_those_of_the_table_with_what_it_says(self):
        policies = {track: self.policy(track) for track in self.tracks()}
        found = sorted((policies[event.track_uuid], round(time, 6), *self.arguments(event)) for time, event in self.of_events()
                       if event.name.startswith("killed: "))
        kills = self.events[self.events["reason"].notna()]
        expected = sorted((row.policy, round(row.t_s, 6), row.app, row.band, row.footprint_mib) for row in kills.itertuples())
        self.assertEqual(found, expected)
        self.assertGreater(len(found), 20)

    @staticmethod
    def arguments(event):
        values = {one.name: one for one in event.debug_annotations}
        return values["app"].string_value, values["band"].int_value, values["footprint_mib"].double_value

    def test_counters_are_those_of_the_table(self):
        names = {uuid: track.name for uuid, track in self.tracks().items() if track.HasField("counter")}
        units = {track.name: track.counter.unit_name for track in self.tracks().values() if track.HasField("counter")}
        self.assertEqual(units, {"available memory": "MiB", "compressor": "MiB", "battery": "%", "power": "W", "temperature": "degC"})
        policies = {track: self.policy(track) for track in names}
        own = collections.defaultdict(list)
        for _, event in self.of_events():
            if event.type == event.TYPE_COUNTER:
                own[policies[event.track_uuid], names[event.track_uuid]].append(event.double_counter_value)
        for policy, rows in self.battery.groupby("policy"):
            for name, column in (("battery", "battery_pct"), ("power", "load_w"), ("temperature", "battery_c")):
                self.assertEqual(own[policy, name], list(rows[column]))

    def test_a_flow_begins_before_it_ends_with_a_kill_between_or_first(self):
        flows = collections.defaultdict(list)
        for time, event in self.of_events():
            for flow in event.flow_ids:
                flows[flow].append((time, event.name))
            for flow in event.terminating_flow_ids:
                flows[flow].append((time, "end " + event.name))
        ended = [steps for steps in flows.values() if steps[-1][1].startswith("end ")]
        self.assertGreater(len(ended), 10)
        for steps in ended:
            self.assertTrue(steps[-2][1].startswith("killed: "), steps)
            self.assertEqual(steps, sorted(steps, key=lambda step: step[0]))
            # A process that is built before its app is opened may be killed once more on the way.
            words = {name.split(":")[0] for _, name in steps[:-2]}
            self.assertLessEqual(words, {"memory warning", "killed"}, steps)


if __name__ == "__main__":
    unittest.main()
