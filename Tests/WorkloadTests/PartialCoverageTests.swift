// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Testing
import Vocabulary
import Workload
import WorkloadFixtures

/// Recordings that tell of charging, or of notifications, on some of their days.
@Suite struct PartialCoverageTests {
    private let apps = someApps(20)

    /// Ten days of an hour's use at noon; charges at 13 h on days 3 and 4, the last of which is not over.
    private func file() throws -> WorkloadFile {
        var text = "# covered_s: 0 to 864000\n# covered_charging_s: 259200 to 432000\n"
        text += "# covered_pushes_s: 432000 to 864000\nt_s,event,app,value\n"
        for day in 0..<10 {
            let noon = 86400 * day + 43200
            text += "\(noon),unlock,,\n\(noon + 1),open,\(apps[0].name),60\n\(noon + 3600),lock,,\n"
            if day == 3 || day == 4 { text += "\(noon + 3600),plug,,level=0.2\n" }
            if day == 3 { text += "\(noon + 7200),unplug,,0.5\n" }
            if day == 7 { text += "\(noon + 7201),notification,\(apps[0].name),\n" }
        }
        return try WorkloadFile(bytes: Array(text.utf8), name: "w.csv")
    }

    private func replay(_ persona: Persona?, days: Int = 10) throws -> [Intent] {
        let recording = try TraceRecording(file: try file(), apps: apps, chargerWatts: 18)
        var workload = try TraceWorkload(
            recording: recording, apps: apps, filledBy: persona, seed: 1, replication: 0, startWeekday: 0, days: days,
            repeats: true)
        var all: [Intent] = []
        var day: [Intent] = []
        while workload.nextDay(into: &day) { all += day }
        return all
    }

    private func charging(_ intents: [Intent], _ days: Range<Double>) -> [Intent] {
        let kinds: [IntentKind] = [.plug, .unplug, .topUp]
        return intents.filter { kinds.contains($0.kind) && days.contains(($0.time - .zero) / .day) }
    }

    @Test func `a header says when a part was recorded, and is written as it was read`() throws {
        let file = try file()
        let span: Range<SimTime> = (SimTime.zero + .days(3))..<(SimTime.zero + .days(5))
        #expect(file.coveredParts[.charging] == span)
        let again = try WorkloadFile(bytes: file.encoded(), name: "w.csv")
        #expect(again.coveredParts == file.coveredParts && again.coveredParts.count == 2)
        let recording = try TraceRecording(file: file, apps: apps, chargerWatts: 18)
        #expect(recording.partial.map(\.part) == [.charging, .pushes])
        #expect(recording.partial.map(\.days) == [2, 5])
    }

    @Test func `the persona charges where nothing was recorded, and only there`() throws {
        let intents = try replay(averagePersona())
        let recorded = charging(intents, 3..<5)
        let plugs = recorded.filter { $0.kind == .plug }.map { ($0.time - .zero) / .hour }
        #expect(plugs == [85, 109])
        #expect(!recorded.contains { $0.kind == .topUp })
        // What goes on when the recording begins or ends, ends there.
        let end = SimTime.zero + .days(5)
        #expect(intents.contains { $0.kind == .unplug && $0.time == end })
        #expect(charging(intents, 0..<3).count > 3)
        #expect(charging(intents, 5..<10).count > 5)
    }

    @Test func `plugs and unplugs take turns, over every seam`() throws {
        var isPlugged = false
        for intent in try replay(averagePersona(), days: 35) where intent.kind == .plug || intent.kind == .unplug {
            let ends = intent.kind == .unplug
            #expect(isPlugged == ends, "at \(intent.time)")
            isPlugged = !ends
        }
    }

    @Test func `pushes are drawn for the days before notifications were logged`() throws {
        let pushes = try replay(averagePersona()).filter { $0.kind == .push }
        let start = SimTime.zero + .days(5)
        let before = pushes.filter { $0.time < start }
        #expect(pushes.count - before.count == 1)
        // 130 a day of all apps, less for the twenty of this run.
        #expect(before.count > 20)
    }

    @Test func `without a persona only what was recorded happens`() throws {
        let intents = try replay(nil)
        #expect(charging(intents, 0..<10).count == 4)
        #expect(intents.count { $0.kind == .push } == 1)
    }
}

@Suite struct RoundTripTests {
    @Test(arguments: [2, 3])
    func `generated days are replayed to the last intent, whatever crosses the last midnight`(days: Int) throws {
        let apps = someApps(30)
        var crossing = 0
        for seed in 1...40 as ClosedRange<UInt64> {
            let original = allDays(averagePersona(), apps: apps, seed: seed, replication: 0, days: days)
            let persona = PersonaWorkload(
                persona: averagePersona(), apps: apps, seed: seed, replication: 0, startWeekday: 0, days: days)
            let file = WorkloadFile(of: .persona(persona), apps: apps, days: days)
            let screen = file.events.last { $0.kind == .unlock || $0.kind == .lock }
            if screen?.kind == .unlock { crossing += 1 }
            let recording = try TraceRecording(
                file: try WorkloadFile(bytes: file.encoded(), name: "w.csv"), apps: apps, chargerWatts: 18)
            var workload = try TraceWorkload(
                recording: recording, apps: apps, filledBy: nil, seed: 9, replication: 0, startWeekday: 0, days: days)
            var copy: [[Intent]] = []
            var day: [Intent] = []
            while workload.nextDay(into: &day) { copy.append(day) }
            #expect(copy == original.days && workload.fingerprint == original.fingerprint, "seed \(seed)")
        }
        // The case is there to be seen.
        #expect(crossing >= 2, "\(crossing) sessions over the last midnight")
    }
}
