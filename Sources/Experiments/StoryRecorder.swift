// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Vocabulary

/// Collects the rows of one run that explain starts and delays of work, and deaths of processes.
public final class StoryRecorder: RowSink {
    /// Tables that a run must write for this recorder.
    public static let tables: TableSet = [.events, .requests, .decisions, .candidates]

    /// All decisions, in the order of the run.
    public private(set) var decisions: [DecisionRow] = []
    /// All ended requests, in the order of their ends.
    public private(set) var requests: [RequestRow] = []
    /// All exits of processes.
    public private(set) var exits: [EventRow] = []
    /// All launches of processes.
    public private(set) var launches: [EventRow] = []
    private let app: AppID?
    /// Instant from which decisions are kept in full in a story of all apps.
    private let detailed: SimTime

    /// Creates a recorder for one app in full, or for all apps in outline.
    ///
    /// - Parameter detailed: instant from which decisions are kept in full in a story of all apps; by default never.
    public init(app: AppID?, detailed: SimTime = .distantFuture) {
        self.app = app
        self.detailed = detailed
    }

    /// Splits the story into one story per app.
    public func byApp() -> [AppID: StoryRecorder] {
        var parts: [AppID: StoryRecorder] = [:]
        func part(_ app: AppID) -> StoryRecorder {
            if let part = parts[app] { return part }
            let part = StoryRecorder(app: app)
            parts[app] = part
            return part
        }
        for row in decisions { part(row.app).decisions.append(row) }
        for row in requests { part(row.app).requests.append(row) }
        for row in exits { part(row.app).exits.append(row) }
        for row in launches { part(row.app).launches.append(row) }
        return parts
    }

    /// Keeps a row that is part of the story.
    public func write<Row>(_ row: Row, to table: Table<Row>) {
        switch row {
        case let row as EventRow: keep(row)
        case let row as RequestRow: keep(row)
        case let row as DecisionRow: keep(row)
        default: break
        }
    }

    /// Keeps exits and launches.
    private func keep(_ row: EventRow) {
        guard app == nil || row.app == app else { return }
        switch row.event {
        case .exit: exits.append(row)
        case .launch where row.from == .notRunning || row.from == .prewarmed: launches.append(row)
        default: break
        }
    }

    /// Keeps a request that ended.
    private func keep(_ row: RequestRow) {
        if app == nil || row.app == app { requests.append(row) }
    }

    /// Keeps a decision.
    ///
    /// A story in outline omits the responses of the scheduler's parts.
    private func keep(_ row: DecisionRow) {
        guard app == nil || row.app == app else { return }
        var row = row
        if app == nil, row.time < detailed { row.responses = [] }
        decisions.append(row)
    }
}
