import Vocabulary

/// What an app was run for in the background, in the table of requests.
public enum BackgroundWork: UInt8, Sendable, CaseIterable {
    case refresh, processing
    case silentPush

    /// The name written into tables.
    public var name: String {
        switch self {
        case .refresh: "refresh"
        case .processing: "processing"
        case .silentPush: "silent-push"
        }
    }

    /// The work of a request.
    init(_ kind: RequestKind) { self = kind == .refresh ? .refresh : .processing }
}
