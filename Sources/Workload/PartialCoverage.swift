// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities

/// Spans of charging and pushes in a recording that has them for only some of its days; a persona fills in the rest.
struct PartialCoverage: Sendable {
    /// Time missing at the start or the end above which a part counts as only partly recorded.
    private static let slack = SimDuration.hour

    /// Span in which charging was recorded; nil if it was recorded nearly all the time or never.
    let charging: Range<SimTime>?
    /// Span in which pushes were recorded; nil if they were recorded nearly all the time or never.
    let pushes: Range<SimTime>?

    /// Whether the phone is on a charger after the intents so far.
    private var isPlugged = false
    /// Whether charging was recorded at the last instant handed out.
    private var wasRecorded = false

    init(of file: WorkloadFile) {
        func span(_ part: WorkloadPart) -> Range<SimTime>? {
            guard let span = file.coveredParts[part], file.events.contains(where: { part.includes($0.kind) }) else {
                return nil
            }
            let whole = file.covered
            let lacks = max(span.lowerBound - whole.lowerBound, whole.upperBound - span.upperBound)
            return lacks > Self.slack ? span : nil
        }
        charging = span(.charging)
        pushes = span(.pushes)
    }

    /// The parts that were recorded for only some of the time.
    var parts: [WorkloadPart] { (charging == nil ? [] : [.charging]) + (pushes == nil ? [] : [.pushes]) }

    /// Whether a generated intent lies where nothing was recorded; `shift` is the delay of the replay after the
    /// recording.
    func admits(_ intent: Intent, shift: SimDuration) -> Bool {
        switch intent.kind {
        case .plug, .unplug:
            guard let charging else { return true }
            return !charging.contains(intent.time - shift)
        case .topUp:
            guard let charging else { return true }
            let end = max(intent.until, intent.time) + intent.duration
            return end - shift <= charging.lowerBound || intent.time - shift >= charging.upperBound
        case .push: return pushes.map { !$0.contains(intent.time - shift) } ?? true
        default: return true
        }
    }

    /// Merges the recorded and the generated charger into one.
    ///
    /// At each change from one to the other, the phone is unplugged. A repeated plug or unplug is omitted.
    mutating func joinChargers(_ intents: inout [Intent], day: Range<SimTime>, shift: SimDuration) {
        guard let charging else { return }
        let recorded = (charging.lowerBound + shift)..<(charging.upperBound + shift)
        var joined: [Intent] = []
        joined.reserveCapacity(intents.count)
        func change(to isRecorded: Bool, at time: SimTime) {
            guard isRecorded != wasRecorded else { return }
            wasRecorded = isRecorded
            if isPlugged { joined.append(Intent(.unplug, at: time)) }
            isPlugged = false
        }
        func pass(until time: SimTime) {
            if recorded.lowerBound <= time, recorded.lowerBound > day.lowerBound {
                change(to: true, at: recorded.lowerBound)
            }
            if recorded.upperBound <= time, recorded.upperBound > day.lowerBound {
                change(to: false, at: recorded.upperBound)
            }
        }
        change(to: recorded.contains(day.lowerBound), at: day.lowerBound)
        for intent in intents {
            pass(until: intent.time)
            if intent.kind == .plug || intent.kind == .unplug {
                guard isPlugged == (intent.kind == .unplug) else { continue }
                isPlugged.toggle()
            }
            joined.append(intent)
        }
        pass(until: day.upperBound - SimDuration(nanoseconds: 1))
        intents = joined
    }
}
