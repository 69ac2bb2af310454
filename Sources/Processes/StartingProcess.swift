// SPDX-License-Identifier: GPL-3.0-or-later
import LifeCycle
import Quantities
import Structures
import Vocabulary

/// A process in a table that starts in the middle of a phone's life, for instance from a device's report.
public struct StartingProcess: Sendable, Equatable {
    /// Traits of the process; `band` is its present band.
    public var traits: ProcessTraits
    /// Whether the process executes nothing.
    public var isSuspended: Bool
    /// Resident private memory plus compressed memory at full size.
    public var footprint: ByteCount
    /// The compressed part of the footprint.
    public var compressed: ByteCount
    /// Time since the launch.
    public var age: SimDuration
    /// When the user last saw the app.
    public var lastForeground: SimTime
    /// Band that the process requests when it has work, if it differs from the present band.
    public var requestedBand: Int16?

    /// Creates a process that has just been launched.
    public init(
        traits: ProcessTraits, isSuspended: Bool = false, footprint: ByteCount, compressed: ByteCount = .zero,
        age: SimDuration = .zero, lastForeground: SimTime = .zero, requestedBand: Int16? = nil
    ) {
        self.requestedBand = requestedBand
        self.traits = traits
        self.isSuspended = isSuspended
        self.footprint = footprint
        self.compressed = compressed
        self.age = age
        self.lastForeground = lastForeground
    }
}

extension ProcessTable {
    /// Fills the table with processes in their present state, in the order of each band's queue.
    ///
    /// Memory is balanced only after all of them are in the table. A process above band 0 is kept there: a managed
    /// process by an assertion, a tracked process because it is dirty. A tracked process that may exit when idle and is
    /// in the ageing band of daemons starts to age.
    public mutating func begin(with processes: [(app: AppID, process: StartingProcess)], at now: SimTime) {
        advance(to: now)
        for (app, process) in processes { insert(process, Int(app.index), at: now) }
        rebalance(at: now)
    }

    private mutating func insert(_ process: StartingProcess, _ index: Int, at now: SimTime) {
        guard !processes[index].isAlive else { fatalError("app \(index) is already running") }
        guard process.compressed >= .zero && process.compressed <= process.footprint else {
            fatalError("app \(index) has more compressed memory than footprint")
        }
        let traits = process.traits
        let isHeld = traits.band > profile.idleBand
        let ages = traits.isTracked && traits.allowsIdleExit && traits.band == profile.daemonAgingBand
        apply(index, .launchInBackground, at: now)
        adopt(index, traits)
        processes[index].requested = process.requestedBand ?? traits.band
        processes[index].hasAssertion = traits.isManaged && isHeld
        processes[index].asserted = traits.isManaged ? traits.band : 0
        processes[index].isDirty = traits.isTracked && traits.allowsIdleExit && isHeld && !ages
        processes[index].launched = now - process.age
        processes[index].lastForeground = process.lastForeground
        if process.isSuspended {
            apply(index, .suspend, at: now)
            compressor.compressible.append(index)
        }
        coalitions.insert(index, in: traits.coalition)
        enterBand(index, traits.band, at: now)
        if ages { beginDaemonAging(index, at: now) }
        setMemory(
            index, resident: (process.footprint - process.compressed).bytes, compressed: process.compressed.bytes)
    }
}
