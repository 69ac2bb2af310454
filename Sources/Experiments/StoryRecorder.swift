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

    /// Keeps the story of one app in full, or that of all apps in outline.
    public init(app: AppID?) { self.app = app }

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
        if app == nil { row.responses = [] }
        decisions.append(row)
    }
}
