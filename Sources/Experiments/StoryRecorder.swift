// SPDX-License-Identifier: GPL-3.0-or-later
import Measures
import Phone
import PhoneCore
import Quantities
import Vocabulary

/// Keeps the rows of one run that say why work ran or waited and why processes died.
public final class StoryRecorder: RowSink {
    /// The tables a run must write for it.
    public static let tables: TableSet = [.events, .requests, .decisions, .candidates]

    /// Every decision, in the order of the run.
    public private(set) var decisions: [DecisionRow] = []
    /// Every request that ended, in the order of its end.
    public private(set) var requests: [RequestRow] = []
    /// Every exit of a process.
    public private(set) var exits: [EventRow] = []
    /// Every launch of a process.
    public private(set) var launches: [EventRow] = []
    private let app: AppID?
    /// Decisions about all apps from here on are kept in full.
    private let detailed: SimTime

    /// Keeps the story of one app in full, or that of all apps in outline.
    ///
    /// - Parameter detailed: From when on the story of all apps is kept in full, too; never unless it is given.
    public init(app: AppID?, detailed: SimTime = .distantFuture) {
        self.app = app
        self.detailed = detailed
    }

    /// The same story cut into those of its apps.
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

    /// Keeps what is part of the story.
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

    /// Keeps a decision; in outline without what each part of the scheduler said.
    private func keep(_ row: DecisionRow) {
        guard app == nil || row.app == app else { return }
        var row = row
        if app == nil, row.time < detailed { row.responses = [] }
        decisions.append(row)
    }
}
