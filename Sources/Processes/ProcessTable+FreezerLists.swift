// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// An app in a list that a scheduler passes to the freezer, given by process identifier and expected name.
public struct FreezerListEntry: Sendable, Equatable {
    /// The app with the entry's name.
    public var name: AppID
    /// The app with the entry's process identifier; if the two differ, the name is used.
    public var process: AppID

    /// Creates an entry.
    public init(name: AppID, process: AppID) {
        self.name = name
        self.process = process
    }
}

/// A managed process that was killed, as in the freezer's snapshot.
public struct FreezerSnapshotEntry: Sendable, Equatable {
    /// The app that owned the process.
    public var app: AppID
    /// Whether the process was frozen.
    public var isFrozen: Bool
    /// Number of thaws before the kill.
    public var thaws: Int
    /// Reason of the kill.
    public var reason: KillReason
}

extension ProcessTable {
    /// Freezes the first candidate of an ordered list; the kernel supports such lists, but they are off on devices.
    ///
    /// Entries are matched by name, not by process identifier.
    public mutating func freeze(list: [FreezerListEntry], at now: SimTime) -> RequestError? {
        for entry in list where freeze(entry.name, at: now) == nil { return nil }
        return .notFound
    }

    /// Switches the freezer on, or off for lack of storage.
    ///
    /// Switching the freezer off kills every frozen process, in any band.
    public mutating func setFreezer(on isOn: Bool, at now: SimTime) {
        advance(to: now)
        switchFreezer(on: isOn, at: now)
        rebalance(at: now)
    }

    /// Returns the managed processes killed since the last call, in order, and empties the list.
    public mutating func takeFreezerSnapshot() -> [FreezerSnapshotEntry] { freezer.readSnapshot() }
}
