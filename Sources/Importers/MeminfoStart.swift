// SPDX-License-Identifier: GPL-3.0-or-later
// This file converts the processes that `dumpsys meminfo` lists to a state in which a run can begin.
// In: processes with their memory and headings, the free and swapped memory, and the times at which apps were used.
// Out: the state. Source of the headings: `DUMP_MEM_OOM_LABEL` in Android's `ActivityManagerService.java`.

import Diagnostics
import Processes
import Quantities
import Vocabulary
import Workload

extension RecordedPhone {
    /// What a heading of `dumpsys meminfo` means for a run.
    private enum Heading {
        /// A process of the system, which is never killed.
        case system
        /// A process that stays in a band.
        case held(Int16)
        /// A suspended app. Apps under the heading with the lowest rank are killed first.
        case waits(Int)

        init(_ text: String) {
            switch text {
            case "Native", "System", "Persistent", "Persistent Service": self = .system
            case let text where text.hasPrefix("Perceptible"): self = .held(120)
            case "A Services", "B Services", "Backup", "Heavy Weight": self = .held(40)
            case "Foreground", "Visible": self = .waits(2)
            case "Previous", "Home": self = .waits(1)
            default: self = .waits(0)
            }
        }
    }

    /// Assumed time since the last use of an app whose use was not recorded.
    private static let unusedAge = SimDuration.days(7)

    /// State of the phone when it listed its processes; nil when the list has no app or no free memory.
    ///
    /// A run begins with a locked phone, so an app that was on screen is suspended like all other apps. Memory that is
    /// neither in the list nor in the counters, such as the kernel's, is wired.
    ///
    /// - Parameter name: Converts the name of a process to its name in the models.
    public func start(name: (String) -> String) throws(Diagnostics) -> ReportedStart? {
        guard let machine, let memory, standing.contains(where: { !$0.band.isEmpty }) else { return nil }
        let ages = ages
        var apps: [(rank: Int, age: SimDuration, row: Int, process: StartingProcess)] = []
        var (system, systemSwapped) = (ByteCount.zero, ByteCount.zero)
        for (row, standing) in standing.enumerated() {
            let (rank, band): (Int, Int16)
            switch Heading(standing.band) {
            case .system:
                system += standing.footprint
                systemSwapped += standing.swapped
                continue
            case .held(let held): (rank, band) = (0, held)
            case .waits(let waits): (rank, band) = (waits, 0)
            }
            var traits = ProcessTraits()
            traits.isManaged = true
            traits.isTracked = false
            traits.band = band
            let age = ages[Self.app(of: standing.name)] ?? (rank > 0 ? .zero : Self.unusedAge)
            apps.append(
                (
                    rank, age, row,
                    StartingProcess(
                        traits: traits, isSuspended: true, footprint: standing.footprint,
                        compressed: standing.swapped, age: age)
                ))
        }
        guard !apps.isEmpty else { return nil }
        // The app with the oldest last use is at the head of the queue.
        apps.sort { ($0.rank, -$0.age.seconds, $0.row) < ($1.rank, -$1.age.seconds, $1.row) }
        var taken: Set<String> = []
        let processes = apps.map { app in
            var own = name(standing[app.row].name)
            while !taken.insert(own).inserted { own += "-\(app.row + 1)" }
            return ReportedStart.Named(name: own, row: app.row, process: app.process, limit: nil)
        }
        let held = apps.reduce(ByteCount.zero) { $0 + $1.process.footprint }
        let swapped = apps.reduce(ByteCount.zero) { $0 + $1.process.compressed }
        let around = try self.memory(
            of: memory, machine, apps: (held, swapped), system: (system, systemSwapped))
        let unused = apps.count { $0.age == Self.unusedAge }
        var notes = ["Apps are ordered by their last use in the recording."]
        if unused > 0 {
            notes.append(
                "\(unused) of \(apps.count) processes were not used in the recording, so they count as the least "
                    + "recently used.")
        }
        return ReportedStart(processes: processes, memory: around, notes: notes)
    }

    /// Computes the memory parameters from the memory of the apps and of the system.
    ///
    /// `swapped` is the part of `held` that is in swap space.
    private func memory(
        of ram: ByteCount, _ machine: Machine, apps: (held: ByteCount, swapped: ByteCount),
        system: (held: ByteCount, swapped: ByteCount)
    ) throws(Diagnostics) -> MemoryParameters {
        let listed = apps.swapped + system.swapped
        let swapped = max(machine.swapped, listed)
        // Swapped data that belongs to no listed process is assigned to the system.
        let stored = swapped - apps.swapped
        let whole = system.held + (swapped - listed)
        var memory = MemoryParameters(ram: ram, family: .android)
        memory.reserved = .zero
        if machine.pool > .zero { memory.compressorRatio = max(1, swapped / machine.pool) }
        let pool = swapped * (1 / memory.compressorRatio)
        memory.systemFootprint = whole
        memory.systemCompressedShare = whole > .zero ? stored / whole : 0
        memory.wired = ram - (apps.held - apps.swapped) - (whole - stored) - pool - machine.available
        memory.fileCacheMinimum = machine.available
        memory.freeTarget = .zero
        memory.compressBelowShare = 0
        memory.compressorLimit = max(swapLimit ?? memory.compressorLimit, swapped * 1.05)
        guard memory.wired >= .zero else {
            throw Diagnostics("the processes and the available memory add up to more than the memory of the phone")
        }
        if let problem = memory.problems.first { throw Diagnostics("no phone can start in this state: \(problem)") }
        return memory
    }

    /// Size of swap space: the reported size, or by assumption 3/8 of the memory, as on a Pixel 7.
    ///
    /// The result is at most half of the memory.
    public var swapLimit: ByteCount? { memory.map { min(swap ?? $0 * 0.375, $0 * 0.5) } }

    /// Time from the last use of each app (open, or start by the user) to the end of the recording.
    private var ages: [String: SimDuration] {
        var ages: [String: SimDuration] = [:]
        func add(_ app: String, _ age: SimDuration) { ages[app] = min(ages[app] ?? age, max(.zero, age)) }
        if let workload {
            for event in workload.events where event.kind == .open {
                add(workload.apps[Int(event.app)], workload.covered.upperBound - event.time)
            }
        }
        for start in starts where start.isByUser {
            guard let end = logged?.upperBound else { break }
            add(Self.app(of: start.process), SimDuration(nanoseconds: end - start.time))
        }
        return ages
    }
}

extension ReportedStart {
    /// A scenario that begins in this state.
    ///
    /// - Parameters:
    ///   - name: Name of the scenario.
    ///   - generation: Rules of the system, such as `android-15`.
    public func scenario(name: String, generation: String) -> String {
        let lines =
            ["# A phone with the processes that its memory dump lists."] + notes.map { "# " + $0 }
            + lines(name: name, generation: generation) + [expectation(available: memory.fileCacheMinimum)]
        return lines.joined(separator: "\n") + "\n"
    }
}
