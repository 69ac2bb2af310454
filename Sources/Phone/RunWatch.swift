// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Position of a run: the event that the run is handling or handled last.
public struct RunPosition: Equatable, Sendable, BitwiseCopyable {
    /// Instant of the event.
    public var time: SimTime
    /// Number of the event, from 1; 0 before the first event.
    public var event: UInt64

    /// Creates a position.
    public init(time: SimTime = .zero, event: UInt64 = 0) {
        self.time = time
        self.event = event
    }
}

/// Memory to which a run writes its position, for an observer that outlives the run.
///
/// The pointer must stay valid for the whole run, and no other code may write there.
public struct RunWatch {
    private let position: UnsafeMutablePointer<RunPosition>

    /// Creates a watch that writes to this memory.
    public init(_ position: UnsafeMutablePointer<RunPosition>) { self.position = position }

    /// Writes the position of the run.
    public func mark(_ now: RunPosition) { position.pointee = now }
}
