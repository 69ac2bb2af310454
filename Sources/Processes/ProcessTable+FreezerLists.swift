// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Vocabulary

/// An app in a list that a scheduler hands to the freezer: a process identifier and the name it should bear.
public struct FreezerListEntry: Sendable, Equatable {
    /// Whose name it is.
    public var name: AppID
    /// Whose process identifier it is; the name wins when the two do not fit.
    public var process: AppID

    /// Creates an entry.
    public init(name: AppID, process: AppID) {
        self.name = name
        self.process = process
    }
}

/// A managed process that was killed, as the freezer's snapshot shows it.
public struct FreezerSnapshotEntry: Sendable, Equatable {
    /// Who.
    public var app: AppID
    /// Whether it was frozen.
    public var isFrozen: Bool
    /// How often it had been thawed.
    public var thaws: Int
    /// Why it was killed.
    public var reason: KillReason
}

extension ProcessTable {
    /// Freezes the first candidate of an ordered list; such lists exist and are off on devices.
    ///
    /// An entry is found by its name, whatever process identifier it carries.
    public mutating func freeze(list: [FreezerListEntry], at now: SimTime) -> RequestError? {
        for entry in list where freeze(entry.name, at: now) == nil { return nil }
        return .notFound
    }

    /// Switches the freezer on, or off for want of storage: then every frozen process dies, whatever its band.
    public mutating func setFreezer(on isOn: Bool, at now: SimTime) {
        advance(to: now)
        switchFreezer(on: isOn, at: now)
        rebalance(at: now)
    }

    /// The managed processes killed since this was last asked, in order; reading consumes them.
    public mutating func takeFreezerSnapshot() -> [FreezerSnapshotEntry] { freezer.readSnapshot() }
}
