// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Position of a run: the event that it handles, or last handled.
public struct RunPosition: Equatable, Sendable, BitwiseCopyable {
    /// Instant of the event.
    public var time: SimTime
    /// Number of the event, from 1; 0 before the first.
    public var event: UInt64

    /// Creates a position.
    public init(time: SimTime = .zero, event: UInt64 = 0) {
        self.time = time
        self.event = event
    }
}

/// Memory in which a run keeps its position, for an observer that outlives the run.
///
/// The pointer must be valid as long as the run lasts; no other code may write there.
public struct RunWatch {
    private let position: UnsafeMutablePointer<RunPosition>

    /// Creates a watch over some memory.
    public init(_ position: UnsafeMutablePointer<RunPosition>) { self.position = position }

    /// Stores the position of the run.
    public func mark(_ now: RunPosition) { position.pointee = now }
}
