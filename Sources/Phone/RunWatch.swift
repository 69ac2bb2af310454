// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// How far a run is: the event that it handles, or handled last.
public struct RunPosition: Equatable, Sendable, BitwiseCopyable {
    /// Instant of the event.
    public var time: SimTime
    /// Its number, from 1; 0 before the first.
    public var event: UInt64

    /// Creates a position.
    public init(time: SimTime = .zero, event: UInt64 = 0) {
        self.time = time
        self.event = event
    }
}

/// Memory in which a run keeps its position, for whoever watches from outside and outlives it.
///
/// The pointer must be valid as long as the run lasts; nobody else may write there.
public struct RunWatch {
    private let position: UnsafeMutablePointer<RunPosition>

    /// Creates a watch over some memory.
    public init(_ position: UnsafeMutablePointer<RunPosition>) { self.position = position }

    /// Writes down where the run is.
    public func mark(_ now: RunPosition) { position.pointee = now }
}
