// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import TestSupport
import Testing
import Vocabulary

@testable import Experiments

@Suite struct TimelineTests {
    private func second(_ value: Double) -> SimTime { .zero + .seconds(value) }

    private func row(
        _ at: Double, _ event: EventName, _ from: ProcessState, _ to: ProcessState, app: Int = 0,
        _ change: (inout EventRow) -> Void = { _ in }
    ) -> EventRow {
        var row = EventRow()
        row.time = second(at)
        row.app = AppID(app)
        row.event = event
        (row.from, row.to) = (from, to)
        (row.availableAfterMiB, row.compressorMiB) = (900, 100)
        change(&row)
        return row
    }

    /// An app is opened, left, suspended, warned, killed and opened again; a daemon dies; a refresh overlaps a push.
    private func recorder(number: Int = 1) -> TimelineRecorder {
        let recorder = TimelineRecorder(
            PerfettoTrace(), name: "lru", number: number, names: ["mail", "daemon-1"], apps: 1)
        recorder.write(
            row(10, .launch, .notRunning, .inactive) {
                $0.launchKind = .cold
                $0.delaySeconds = 1.5
            })
        recorder.write(row(11.5, .becomeActive, .inactive, .active))
        recorder.write(row(60, .enterBackground, .active, .background))
        recorder.write(row(90, .suspend, .background, .suspended))
        recorder.write(row(100, .memoryWarning, .suspended, .suspended) { $0.availableAfterMiB = 500 })
        recorder.write(row(105, .exit, .suspended, .notRunning, app: 1) { $0.reason = .pageShortage })
        recorder.write(
            row(110, .exit, .suspended, .notRunning) {
                $0.reason = .highwater
                $0.band = 100
                $0.footprintMiB = 250
                $0.runnerUp = AppID(1)
                $0.availableAfterMiB = 700
            })
        recorder.write(
            row(200, .launch, .notRunning, .inactive) {
                $0.launchKind = .warm
                $0.delaySeconds = 0.5
            })
        for (start, end, work) in [(62.0, 70.0, BackgroundWork.silentPush), (61, 80, .refresh), (75, 85, .location)] {
            var request = RequestRow()
            request.app = AppID(0)
            request.work = work
            (request.started, request.ended, request.outcome) = (second(start), second(end), "success")
            (request.submitted, request.earliestBegin) = (second(1), second(start - 20))
            recorder.write(request)
        }
        var battery = BatteryRow()
        (battery.time, battery.percent, battery.loadWatts, battery.celsius) = (second(50), 87, 1.25, 31.5)
        recorder.write(battery)
        recorder.finish(at: second(300))
        return recorder
    }

    private typealias Event = (time: Double, type: UInt64, track: UInt64, fields: ProtobufFields)

    private func events(_ recorder: TimelineRecorder) throws -> [Event] {
        try ProtobufFields(recorder.trace.bytes).messages(1).compactMap { packet in
            guard let event = try packet.messages(11).first else { return nil }
            let time = Double(try #require(packet.number(8))) / 1e9
            return (time, try #require(event.number(9)), try #require(event.number(11)), event)
        }
    }

    private func tracks(_ recorder: TimelineRecorder) throws -> [UInt64: (name: String?, parent: UInt64?)] {
        let packets = try ProtobufFields(recorder.trace.bytes).messages(1)
        let all = try packets.flatMap { try $0.messages(60) }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.number(1) ?? 0, ($0.text(2), $0.number(5))) })
    }

    /// The slices of a track: name, begin, end.
    private func slices(_ events: [Event], on track: UInt64) -> [String] {
        var open: [(String, Double)] = []
        var slices: [String] = []
        for event in events where event.track == track {
            if event.type == 1 { open.append((event.fields.text(23) ?? "", event.time)) }
            if event.type == 2, let (name, begin) = open.popLast() { slices.append("\(name) \(begin) \(event.time)") }
        }
        return open.isEmpty ? slices : ["open"]
    }

    @Test func `an app's states follow each other without a gap, and those of another are not on its track`() throws {
        let recorder = recorder()
        let mail = try #require(try tracks(recorder).first { $0.value.name == "mail" })
        #expect(mail.value.parent == 1)
        let found = slices(try events(recorder), on: mail.key)
        #expect(
            found == [
                "inactive 10.0 11.5", "active 11.5 60.0", "background 60.0 90.0", "suspended 90.0 110.0",
                "inactive 200.0 300.0",
            ])
    }

    @Test func `work that overlaps lies in lanes of its own below the app`() throws {
        let recorder = recorder()
        let tracks = try tracks(recorder)
        let mail = try #require(tracks.first { $0.value.name == "mail" }).key
        let lanes = tracks.filter { $0.value.parent == mail }.keys.sorted()
        #expect(lanes.compactMap { tracks[$0]?.name } == ["background work", "background work"])
        let events = try events(recorder)
        #expect(slices(events, on: lanes[0]) == ["silent-push 62.0 70.0", "location 75.0 85.0"])
        #expect(slices(events, on: lanes[1]) == ["refresh 61.0 80.0"])
    }

    @Test func `one flow leads from the warning to the kill and ends at the relaunch`() throws {
        let events = try events(recorder(number: 3))
        func event(_ name: String, _ at: Double) throws -> ProtobufFields {
            try #require(events.first { $0.fields.text(23) == name && $0.time == at }).fields
        }
        let flow = try #require(try event("memory warning", 100).fixed(47))
        let kill = try event("killed: highwater", 110)
        #expect(kill.fixed(47) == flow && kill.fixed(48) == nil && flow >> 32 == 3)
        #expect(try event("opened: warm", 200).fixed(48) == flow)
        #expect(try event("opened: cold", 10).fixed(48) == nil)
        let arguments = try kill.messages(4)
        let texts = Dictionary(uniqueKeysWithValues: arguments.map { ($0.text(10) ?? "", $0) })
        #expect(texts["footprint_mib"]?.fixed(5) == (250.0).bitPattern && texts["band"]?.number(4) == 100)
        #expect(texts["next_in_line"]?.text(6) == "daemon-1" && texts["app"]?.text(6) == "mail")
        #expect(try event("opened: warm", 200).messages(4)[1].fixed(5) == (0.5).bitPattern)
    }

    @Test func `counters hold what the rows say, and no value twice in a row`() throws {
        let recorder = recorder()
        let (events, tracks) = (try events(recorder), try tracks(recorder))
        func values(_ name: String) throws -> [String] {
            let track = try #require(tracks.first { $0.value.name == name }).key
            return events.filter { $0.track == track }.map { event in
                "\(event.time) \(event.fields.fixed(44).map { Double(bitPattern: $0) } ?? .nan)"
            }
        }
        #expect(
            try values("available memory") == [
                "10.0 900.0", "100.0 500.0", "105.0 900.0", "110.0 700.0", "200.0 900.0",
            ]
        )
        #expect(try values("compressor") == ["10.0 100.0"])
        #expect(try values("battery") == ["50.0 87.0"] && values("power") == ["50.0 1.25"])
        #expect(try values("temperature") == ["50.0 31.5"])
        let system = try #require(tracks.first { $0.value.name == "daemons and extensions" }).key
        let dead = events.filter { $0.track == system }
        #expect(dead.map { $0.fields.text(23) } == ["killed: vm-pageshortage"] && dead[0].time == 105)
    }
}
