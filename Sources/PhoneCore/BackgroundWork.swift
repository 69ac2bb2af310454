// SPDX-License-Identifier: GPL-3.0-or-later
import Vocabulary

/// Kind of background work in the table of requests.
public enum BackgroundWork: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    case refresh, processing
    case silentPush, call, location, accessory, transferDone, transfer, continued, alarm, broadcast

    /// Name in tables.
    public var name: String {
        switch self {
        case .refresh: "refresh"
        case .processing: "processing"
        case .silentPush: "silent-push"
        case .call: "call"
        case .location: "location"
        case .accessory: "accessory"
        case .transferDone: "transfer-done"
        case .transfer: "transfer"
        case .continued: "continued"
        case .alarm: "alarm"
        case .broadcast: "broadcast"
        }
    }

    /// The kind of work that a request asks for.
    public init(_ kind: RequestKind) { self = kind == .refresh ? .refresh : .processing }
}
