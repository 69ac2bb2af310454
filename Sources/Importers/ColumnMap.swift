// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Which column of a foreign table is what, as `--map time=ts,app=package,event=state` says it.
public struct ColumnMap: Sendable, Equatable {
    /// What a column can be.
    public enum Role: String, Sendable, CaseIterable {
        /// When it happened, or began.
        case time
        /// When it ended.
        case end
        /// How long it lasted, in the unit of `--time-unit`.
        case length
        /// The app.
        case app
        /// What happened; without it every row is a use of its app.
        case event
        /// Battery level in percent.
        case level
        /// Whether the phone is on a charger: 1, true, yes, charging.
        case charging
        /// Whose row it is.
        case user

        /// Its number.
        var number: Int {
            switch self {
            case .time: 0
            case .end: 1
            case .length: 2
            case .app: 3
            case .event: 4
            case .level: 5
            case .charging: 6
            case .user: 7
            }
        }
    }

    /// The column of each role, by its name or its number from 1.
    public private(set) var columns: [Role: String] = [:]

    /// Reads `time=ts,app=package`; every problem is named.
    public init(_ text: String) throws(Diagnostics) {
        let roles = Role.allCases.map(\.rawValue)
        for part in text.split(separator: ",") {
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2, let role = Role(rawValue: halves[0]) else {
                let near = nearest(to: String(halves.first ?? ""), in: roles)
                throw Diagnostics(
                    "--map: \"\(part)\" is no part of a map",
                    hint: near.map { "did you mean \($0)=COLUMN?" } ?? "one of: " + roles.joined(separator: ", "))
            }
            columns[role] = halves[1]
        }
        guard columns[.time] != nil, columns[.app] != nil || columns[.event] != nil || columns[.level] != nil else {
            throw Diagnostics(
                "--map needs time, and app, event or level",
                hint: "for instance --map time=timestamp,app=package_name,event=type")
        }
    }

    private init(columns: [Role: String]) { self.columns = columns }

    /// LSApp (github.com/aliannejadi/LSApp): local times, events Opened and Closed.
    public static let lsapp = ColumnMap(columns: [
        .user: "user_id", .time: "timestamp", .app: "app_name", .event: "event_type",
    ])
    /// The App Usage traces of Tsinghua University: user, time, base station, app, bytes, without names of columns.
    public static let tsinghua = ColumnMap(columns: [.user: "1", .time: "2", .app: "4"])
}

/// What a word of a column of events says.
enum ForeignEvent {
    case screenOn, screenOff, unlocked, front, back, notification, plug, unplug, shutdown, boot, other

    /// Words of loggers, in lower case without blanks, hyphens and underscores.
    private static let words: [(ForeignEvent, [String])] = [
        (.screenOn, ["screenon", "screeninteractive", "on", "displayon", "screenturnedon"]),
        (
            .screenOff,
            ["screenoff", "screennoninteractive", "off", "displayoff", "lock", "locked", "screenturnedoff"]
        ),
        (.unlocked, ["unlock", "unlocked", "keyguardhidden", "userpresent"]),
        (
            .front,
            [
                "opened", "open", "start", "started", "foreground", "movetoforeground", "activityresumed", "resumed",
                "launch", "launched", "userinteraction", "use", "app",
            ]
        ),
        (
            .back,
            ["closed", "close", "end", "ended", "stop", "background", "movetobackground", "activitypaused", "paused"]
        ),
        (.notification, ["notification", "notificationposted", "notificationinterruption"]),
        (.plug, ["plug", "plugged", "charging", "chargestart", "powerconnected", "chargeon"]),
        (.unplug, ["unplug", "unplugged", "discharging", "chargeend", "powerdisconnected", "chargeoff"]),
        (.shutdown, ["shutdown", "deviceshutdown", "reboot"]),
        (.boot, ["boot", "deviceboot", "startup", "devicestartup", "bootcompleted"]),
        (.other, ["broken"]),
    ]

    private static let table = Dictionary(
        uniqueKeysWithValues: words.flatMap { event, words in words.map { ($0, event) } })

    /// Reads a word; nil for one that no logger here writes.
    init?(_ word: String) {
        let plain = word.lowercased().filter { !" -_".contains($0) }
        guard let event = Self.table[plain] else { return nil }
        self = event
    }
}
