// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Phone
import Power
import Quantities
import Vocabulary
import Workload

/// Content of the key `user`, before the apps are known.
struct UserSection {
    var persona: Persona?
    /// Charger that the persona names.
    var charger: Charger?
    /// People of a population; the persona is the typical person.
    var people: People?
    var recording: WorkloadFile?
    var recordingCursor: Cursor?
    var repeats = false
    /// Checksum of the recording's file; empty without a recording.
    var checksum = ""
}

extension ExperimentLoader {
    /// Reads the key `user`; nil if it has errors, which are reported.
    func readUser(_ cursor: Cursor) -> UserSection? {
        if let word = cursor.node.scalar {
            cursor.fail("expected a map, found \"\(word)\"", hint: "write user: {persona: \(word)}")
            return nil
        }
        let map = MapReader(cursor)
        var section = UserSection()
        let persona = map.cursor("persona")
        let trace = map.cursor("trace")
        section.repeats = map.value("repeat", .flag, default: false)
        let population = map.cursor("population")
        let size = map.optional("size", .integer(1...Self.mostPeople, example: "200"))
        map.finish()
        if map.isMap, persona == nil, trace == nil, population == nil {
            cursor.fail(
                "the user needs a persona, a trace, both, or a population",
                hint: "for instance user: {persona: average}")
            return nil
        }
        if let population { return readPeople(population, size: size, isAlone: persona == nil && trace == nil) }
        if size != nil {
            map.cursor("size")?.fail(
                "\"size\" needs a population", hint: "write \"user: {population: adults, size: 200}\"")
            return nil
        }
        section.persona = persona.flatMap(readPersona)
        section.charger = persona.flatMap(readCharger)
        if let charger = section.charger { section.persona?.charging.charge(with: charger.power) }
        if let trace {
            (section.recording, section.checksum) = readTrace(trace)
            section.recordingCursor = trace
        }
        let isWhole = (persona == nil) == (section.persona == nil) && (trace == nil) == (section.recording == nil)
        return isWhole && map.isMap ? section : nil
    }

    private func readPeople(_ cursor: Cursor, size: Int?, isAlone: Bool) -> UserSection? {
        guard isAlone else {
            cursor.fail(
                "a user with a population must not have a persona or a trace",
                hint: "write \"user: {population: adults, size: 200}\"")
            return nil
        }
        guard let size else {
            cursor.fail(
                "the number of people (size) is missing", hint: "write \"user: {population: adults, size: 200}\"")
            return nil
        }
        guard let drawn = readPopulation(cursor, size: size) else { return nil }
        var section = UserSection()
        section.charger = drawn.charger.flatMap(readCharger)
        section.people = drawn.people
        section.persona = drawn.typical
        if let charger = section.charger {
            section.persona?.charging.charge(with: charger.power)
            for index in drawn.people.people.indices {
                section.people?.people[index].persona.charging.charge(with: charger.power)
            }
        }
        return section
    }

    private func readTrace(_ cursor: Cursor) -> (WorkloadFile?, String) {
        guard let word = cursor.node.scalar else {
            cursor.expected("the path of a workload file")
            return (nil, "")
        }
        let folder = trees.folder(of: cursor.node)
        guard FilePath.exists(FilePath.join(folder, word)) else {
            reportMissingFile(word, cursor, from: folder)
            return (nil, "")
        }
        let path = FilePath.short(FilePath.join(folder, word))
        if brokenRecordings.contains(path) { return (nil, "") }
        if let known = recordings[path] { return (known.file, known.checksum) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path)
        } catch {
            cursor.fail("cannot read \"\(word.excerpt)\": \(error.reason)")
            return (nil, "")
        }
        do throws(Diagnostics) {
            let file = try WorkloadFile(bytes: bytes, name: path)
            let checksum = String(Checksum.of(bytes), radix: 16)
            recordings[path] = (file, checksum)
            return (file, checksum)
        } catch {
            brokenRecordings.insert(path)
            report.add(error)
            return (nil, "")
        }
    }

    /// Adapts the user's recording to the apps.
    ///
    /// The function also checks whether the recording's length and content are sufficient for the policies.
    ///
    /// - Parameter key: Text that is equal if apps and users are equal.
    func finish(
        _ section: UserSection, apps: [AppModel], key: String, time: TimeFrame, policies: [PolicyPair]
    ) -> ExperimentUser? {
        let persona = section.persona ?? .idle
        guard let file = section.recording, let cursor = section.recordingCursor else {
            return ExperimentUser(
                persona: persona, charger: section.charger, recording: nil, fillsRecording: false,
                repeatsRecording: false, filledParts: [])
        }
        guard let recording = prepare(file, cursor, apps: apps, key: key, persona) else { return nil }
        checkLength(recording, section, time)
        checkWeekday(file, cursor, time)
        checkContent(file, recording, cursor)
        let missing = WorkloadPart.allCases.filter { part in
            !recording.holds(part) && (!part.isRare || section.persona?.has(part) == true)
        }
        if section.persona == nil {
            checkNeeds(policies, missing: missing, cursor)
            checkPartial(recording, file, cursor)
        }
        let partly = recording.partial.map { part, days in
            "\(part.rawValue) (recorded on \(UnitText.tenths(days)) of \(UnitText.tenths(file.covered.days)) days)"
        }
        return ExperimentUser(
            persona: persona, charger: section.charger, recording: recording, fillsRecording: section.persona != nil,
            repeatsRecording: section.repeats,
            filledParts: section.persona == nil ? [] : missing.map(\.rawValue) + partly)
    }

    private func prepare(
        _ file: WorkloadFile, _ cursor: Cursor, apps: [AppModel], key: String, _ persona: Persona
    ) -> TraceRecording? {
        if let known = prepared[key] { return known }
        do throws(Diagnostics) {
            let recording = try TraceRecording(
                file: file, apps: apps, chargerWatts: persona.charging.chargerPower.watts)
            prepared[key] = recording
            return recording
        } catch {
            for problem in error.list { cursor.fail(problem.message, hint: problem.hint) }
            return nil
        }
    }

    private func checkLength(_ recording: TraceRecording, _ section: UserSection, _ time: TimeFrame) {
        let days = Int((time.duration / .day).rounded(.up))
        guard days > recording.days, !section.repeats else { return }
        time.durationCursor.fail(
            "the run lasts \(days) days, but the recording only \(recording.days)",
            hint: "shorten the duration, or set repeat: true under user")
    }

    private func checkWeekday(_ file: WorkloadFile, _ cursor: Cursor, _ time: TimeFrame) {
        guard time.isStated, let recorded = file.startWeekday, recorded != time.start.weekday else { return }
        report.add(
            cursor.node.location.problem(
                "the recording begins on a \(weekdayNames[recorded]), but the experiment on a "
                    + "\(weekdayNames[time.start.weekday])", hint: "write \"start: \(file.start) 00:00\"",
                severity: .warning))
    }

    /// Warns of a recording that contains less than its header or its names indicate.
    private func checkContent(_ file: WorkloadFile, _ recording: TraceRecording, _ cursor: Cursor) {
        func warn(_ message: String, _ hint: String) {
            report.add(cursor.node.location.problem(message, hint: hint, severity: .warning))
        }
        let end = file.covered.upperBound
        if let last = file.events.last {
            let silent = end.seconds - max(last.time, last.until).seconds
            if silent > 86400 {
                warn(
                    "the header of the recording covers \(UnitText.tenths(end.seconds / 86400)) days, but its rows end "
                        + "\(UnitText.tenths(silent / 86400)) days earlier",
                    "is the file cut off? if so, shorten covered_s")
            }
        } else {
            return warn("the recording has no rows, so the phone is never used", "is the file cut off?")
        }
        for oddity in file.oddities {
            warn("implausible: " + oddity, "look at the recording with flotsam data workload stats")
        }
        let used = Set(file.events.filter { $0.app >= 0 && $0.kind != .home }.map(\.app)).count
        if used > 0, recording.assignments.count == used {
            warn(
                "none of the recording's apps is in the catalogue, so other apps replace them",
                "apps are matched by name; flotsam list apps prints the names")
        }
    }

    /// Warns of days without a kind of record, such as charges, if no persona fills the gap.
    private func checkPartial(_ recording: TraceRecording, _ file: WorkloadFile, _ cursor: Cursor) {
        for (part, days) in recording.partial {
            report.add(
                cursor.node.location.problem(
                    "\(part.rawValue): \(UnitText.tenths(days)) of \(UnitText.tenths(file.covered.days)) days were "
                        + "recorded, and no persona fills in the others",
                    hint: "add a persona, as in user: {trace: …, persona: average}", severity: .warning))
        }
    }

    private func checkNeeds(_ policies: [PolicyPair], missing: [WorkloadPart], _ cursor: Cursor) {
        for pair in policies {
            let lacking = pair.needs.names.filter { name in missing.contains { $0.rawValue == name } }
            guard !lacking.isEmpty else { continue }
            cursor.fail(
                "the policy \"\(pair.name)\" needs \(lacking.joined(separator: " and ")), which the recording lacks",
                hint: "add a persona that supplies it, as in user: {trace: …, persona: average}")
        }
    }
}

/// Names of weekdays, beginning with Monday.
let weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
