// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics

/// Meanings of the columns of a foreign table, as in `--map time=ts,app=package,event=state`.
///
/// Words for events can be mapped too, as in `screen_on=Lit`.
public struct ColumnMap: Sendable, Equatable {
    /// Meaning of a column.
    public enum Role: String, Sendable, CaseIterable {
        /// Time of the event, or start of the use.
        case time
        /// End of the use.
        case end
        /// Length of the use, in the unit of `--time-unit`.
        case length
        /// The app.
        case app
        /// Event of the row; without this column, every row is a use of its app.
        case event
        /// Battery level in percent.
        case level
        /// Whether the phone is on a charger: 1, true, yes, charging.
        case charging
        /// User of the row.
        case user

        /// Index of the role.
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

    /// Column of each role: the column's name, or its number from 1.
    public private(set) var columns: [Role: String] = [:]
    /// Meanings of words that the known loggers do not use, by the plain form of the word.
    private(set) var words: [String: ForeignEvent] = [:]

    /// Reads `time=ts,app=package`, and words such as `screen_on=Lit,ignore="Tick, tock"`.
    ///
    /// Throws all problems of the text.
    public init(_ text: String) throws(Diagnostics) {
        for part in try Self.parts(text) {
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            if halves.count == 2, let event = ForeignEvent(rawValue: halves[0]) {
                let word = ForeignEvent.plain(halves[1])
                if let other = words.updateValue(event, forKey: word), other != event {
                    throw Diagnostics(
                        "--map: \"\(halves[1].excerpt)\" has two meanings, \(other.rawValue) and \(event.rawValue)",
                        hint: "words that differ only in blanks, hyphens or capitals are the same")
                }
            } else if halves.count == 2, let role = Role(rawValue: halves[0]) {
                columns[role] = halves[1]
            } else {
                let names = Role.allCases.map(\.rawValue) + ForeignEvent.allCases.map(\.rawValue)
                let near = nearest(to: String(halves.first ?? ""), in: names)
                throw Diagnostics(
                    "--map: \"\(part.excerpt)\" is not a valid part of a map",
                    hint: near.map { "did you mean \($0)=\(Role(rawValue: $0) == nil ? "WORD" : "COLUMN")?" }
                        ?? "one of: " + names.joined(separator: ", "))
            }
        }
        guard columns[.time] != nil, columns[.app] != nil || columns[.event] != nil || columns[.level] != nil else {
            throw Diagnostics(
                "--map needs time and at least one of app, event and level",
                hint: "for instance --map time=timestamp,app=package_name,event=type")
        }
        if columns[.event] == nil, let (_, event) = words.min(by: { $0.key < $1.key }) {
            throw Diagnostics("--map: \(event.rawValue)=WORD needs event=COLUMN, the column that contains the word")
        }
    }

    /// Splits the text at commas outside quotes.
    private static func parts(_ text: String) throws(Diagnostics) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: parts.append("")
            default: parts[parts.count - 1].append(character)
            }
        }
        if isQuoted { throw Diagnostics("--map: a quote is not closed") }
        return parts.filter { !$0.isEmpty }
    }

    private init(columns: [Role: String]) { self.columns = columns }

    /// Map for LSApp (github.com/aliannejadi/LSApp), which has local times and the events Opened and Closed.
    public static let lsapp = ColumnMap(columns: [
        .user: "user_id", .time: "timestamp", .app: "app_name", .event: "event_type",
    ])
    /// Map for the App Usage traces of Tsinghua University.
    ///
    /// The columns have no names; in order, they are user, time, base station, app and bytes.
    public static let tsinghua = ColumnMap(columns: [.user: "1", .time: "2", .app: "4"])
}

/// Meaning of a word for an event.
enum ForeignEvent: String, Sendable, CaseIterable {
    case screenOn = "screen_on"
    case screenOff = "screen_off"
    case unlocked
    case front = "opened"
    case back = "closed"
    case notification, plug, unplug, shutdown, boot
    case other = "ignore"

    /// Words that loggers use, in plain form.
    ///
    /// Source of Beiwe's words: `PowerStateListener` of its Android app.
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
        (
            .shutdown,
            ["shutdown", "deviceshutdown", "reboot", "deviceshutdownsignalreceived", "devicerebootsignalreceived"]
        ),
        (.boot, ["boot", "deviceboot", "startup", "devicestartup", "bootcompleted"]),
        (
            .other,
            [
                "ignore", "broken", "powersavemodestatechangesignalreceived;deviceinpowersavestate.",
                "powersavemodechangesignalreceived;devicenotinpowersavestate.",
                "deviceidle(doze)statechangesignalreceived;deviceinidlestate.",
                "deviceidle(doze)statechangesignalreceived;devicenotinidlestate.",
            ]
        ),
    ]

    private static let table = Dictionary(
        uniqueKeysWithValues: words.flatMap { event, words in words.map { ($0, event) } })

    /// Plain form of a word: lower case, without spaces, hyphens and underscores.
    static func plain(_ word: String) -> String { word.lowercased().filter { !" -_".contains($0) } }

    /// Finds the meaning of a word, first in the map; nil for a word that is neither in the map nor known from a
    /// logger.
    init?(_ word: String, _ mapped: [String: ForeignEvent]) {
        let plain = Self.plain(word)
        guard let event = mapped[plain] ?? Self.table[plain] else { return nil }
        self = event
    }
}
