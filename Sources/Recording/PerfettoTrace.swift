// SPDX-License-Identifier: GPL-3.0-or-later

/// A timeline for the Perfetto viewer (ui.perfetto.dev), with tracks, slices, instants, counters and flows.
///
/// Field numbers are those of `protos/perfetto/trace/trace_packet.proto`, `track_event/track_event.proto`,
/// `track_event/track_descriptor.proto`, `track_event/counter_descriptor.proto`, `track_event/debug_annotation.proto`
/// and `track_event/process_descriptor.proto` in the repository google/perfetto. Packets are written in the order of
/// time.
public struct PerfettoTrace: Sendable {
    /// A track, which is a row of the timeline.
    public struct Track: Sendable, Equatable {
        /// Number that is unique in the file.
        public let identifier: UInt64
    }

    /// A value that is shown with a slice or an instant.
    public enum Argument: Sendable, Equatable {
        case text(String)
        case number(Double)
        case whole(Int)
    }

    /// Names and values, in the order of display.
    public typealias Arguments = KeyValuePairs<String, Argument>

    /// Connections of an event to other events.
    ///
    /// Connected events have equal flow numbers.
    public struct Flows: Sendable, Equatable {
        /// Number of a flow that begins at this event or passes it.
        public var passing: UInt64?
        /// Number of a flow that ends at this event.
        public var ending: UInt64?

        /// Creates connections.
        public init(passing: UInt64? = nil, ending: UInt64? = nil) {
            self.passing = passing
            self.ending = ending
        }
    }

    private enum Packet {
        static let timestamp = 8, sequence = 10, trackEvent = 11, sequenceFlags = 13, trackDescriptor = 60
        /// `SEQ_INCREMENTAL_STATE_CLEARED`: the sequence has no earlier state.
        static let cleared: UInt64 = 1
    }

    private enum Event {
        static let annotations = 4, type = 9, track = 11, name = 23, counter = 44, flows = 47, terminatingFlows = 48
        static let begin: UInt64 = 1, end: UInt64 = 2, instant: UInt64 = 3, value: UInt64 = 4
    }

    private enum Descriptor {
        static let identifier = 1, name = 2, process = 3, parent = 5, counter = 8, ordering = 11, rank = 12
        static let description = 14
        /// `EXPLICIT`: child tracks are in the order of their ranks.
        static let explicit: UInt64 = 3
    }

    /// An event and its phase.
    ///
    /// Events at one instant are in the order of phases: ends, then instants and counters, then begins.
    private struct Entry {
        let time: Int64
        let phase: UInt8
        let event: ProtobufMessage
    }

    private static let sequence: UInt64 = 1
    private var descriptors: [ProtobufMessage] = []
    private var entries: [Entry] = []

    /// Creates an empty timeline.
    public init() {}

    /// Line near the start of every file, which identifies files of this kind.
    public static let mark = "flotsam report --trace"

    /// Adds a group of tracks.
    ///
    /// The viewer shows it as a process.
    public mutating func addProcess(_ name: String, number: Int) -> Track {
        var process = ProtobufMessage()
        process.add(1, UInt64(number))
        process.add(6, name)
        return describe(name: nil, parent: nil, rank: number) {
            $0.add(Descriptor.process, process)
            $0.add(Descriptor.description, "A run of a simulated phone, written by\n\(Self.mark)\n")
        }
    }

    /// Adds a track for slices and instants.
    ///
    /// - Parameter rank: Position among the tracks of one parent.
    public mutating func addTrack(_ name: String, in parent: Track, rank: Int) -> Track {
        describe(name: name, parent: parent, rank: rank) { _ in }
    }

    /// Adds a track for a number that changes over time.
    public mutating func addCounter(_ name: String, unit: String, in parent: Track, rank: Int) -> Track {
        var counter = ProtobufMessage()
        counter.add(6, unit)
        return describe(name: name, parent: parent, rank: rank) { $0.add(Descriptor.counter, counter) }
    }

    /// Adds a slice with its start and end in nanoseconds.
    ///
    /// Slices of one track must not overlap.
    public mutating func addSlice(
        _ name: String, on track: Track, from start: Int64, to end: Int64, _ arguments: Arguments = [:],
        flows: Flows = Flows()
    ) {
        guard start < end else { fatalError("a slice must end after it begins") }
        add(event(Event.begin, track, name: name, arguments, flows), at: start, phase: 2)
        add(event(Event.end, track, name: nil, [:], Flows()), at: end, phase: 0)
    }

    /// Adds an event without a length, at a time in nanoseconds.
    public mutating func addInstant(
        _ name: String, on track: Track, at time: Int64, _ arguments: Arguments = [:], flows: Flows = Flows()
    ) {
        add(event(Event.instant, track, name: name, arguments, flows), at: time, phase: 1)
    }

    /// Sets the value of a counter, beginning at a time in nanoseconds.
    public mutating func addValue(_ value: Double, on track: Track, at time: Int64) {
        var event = ProtobufMessage()
        event.add(Event.type, Event.value)
        event.add(Event.track, track.identifier)
        event.add(Event.counter, value)
        add(event, at: time, phase: 1)
    }

    /// Content of the file.
    public var bytes: [UInt8] {
        var trace = ProtobufMessage()
        for (index, descriptor) in descriptors.enumerated() {
            var packet = ProtobufMessage()
            packet.add(Packet.sequence, Self.sequence)
            if index == 0 { packet.add(Packet.sequenceFlags, Packet.cleared) }
            packet.add(Packet.trackDescriptor, descriptor)
            trace.add(1, packet)
        }
        let order = entries.indices.sorted {
            let (left, right) = (entries[$0], entries[$1])
            return (left.time, left.phase, $0) < (right.time, right.phase, $1)
        }
        for index in order {
            var packet = ProtobufMessage()
            packet.add(Packet.timestamp, UInt64(entries[index].time))
            packet.add(Packet.sequence, Self.sequence)
            packet.add(Packet.trackEvent, entries[index].event)
            trace.add(1, packet)
        }
        return trace.bytes
    }

    private mutating func add(_ event: ProtobufMessage, at time: Int64, phase: UInt8) {
        guard time >= 0 else { fatalError("an event of a trace must not be before time zero") }
        entries.append(Entry(time: time, phase: phase, event: event))
    }

    private mutating func describe(
        name: String?, parent: Track?, rank: Int, _ more: (inout ProtobufMessage) -> Void
    ) -> Track {
        let track = Track(identifier: UInt64(descriptors.count + 1))
        var descriptor = ProtobufMessage()
        descriptor.add(Descriptor.identifier, track.identifier)
        if let name { descriptor.add(Descriptor.name, name) }
        if let parent { descriptor.add(Descriptor.parent, parent.identifier) }
        more(&descriptor)
        descriptor.add(Descriptor.ordering, Descriptor.explicit)
        descriptor.add(Descriptor.rank, signed: Int64(rank))
        descriptors.append(descriptor)
        return track
    }

    private func event(
        _ type: UInt64, _ track: Track, name: String?, _ arguments: Arguments, _ flows: Flows
    ) -> ProtobufMessage {
        var event = ProtobufMessage()
        for (key, value) in arguments {
            var annotation = ProtobufMessage()
            switch value {
            case .text(let text): annotation.add(6, text)
            case .number(let number): annotation.add(5, number)
            case .whole(let number): annotation.add(4, signed: Int64(number))
            }
            annotation.add(10, key)
            event.add(Event.annotations, annotation)
        }
        event.add(Event.type, type)
        event.add(Event.track, track.identifier)
        if let name { event.add(Event.name, name) }
        if let flow = flows.passing { event.add(Event.flows, fixed: flow) }
        if let flow = flows.ending { event.add(Event.terminatingFlows, fixed: flow) }
        return event
    }
}
