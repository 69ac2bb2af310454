// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// What a phone logged, whatever the format: entries in the order of the file, which become a workload once sorted.
struct PhoneLog {
    /// What an entry says.
    enum Kind: UInt8 {
        case screenOn, unlocked, screenOff
        /// An app comes to the screen, or leaves it.
        case front, back
        /// An app was on screen for `value` seconds.
        case used
        /// A notification of an app was shown.
        case notification
        /// The battery shows `value` (0 to 1), on a charger or off it.
        case onCharger, offCharger
        /// The phone was switched off, with all that was on screen.
        case shutdown
        /// It was switched on.
        case boot
    }

    /// A set of kinds, by the bits of their numbers.
    struct Kinds: OptionSet {
        let rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ kinds: Kind...) { rawValue = kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

        @inline(__always)
        func holds(_ kind: Kind) -> Bool { rawValue & 1 << UInt32(kind.rawValue) != 0 }
    }

    /// One entry.
    struct Entry {
        /// Nanoseconds since 1970, as `ForeignTime` gives them: of UTC, or of local time where `isLocal`.
        var time: Int64
        var kind: Kind
        /// Number of the app in `apps`; -1 for none.
        var app: Int32 = -1
        var value = 0.0
    }

    /// The names of the apps.
    var apps = NameTable()
    /// The entries as they came.
    private(set) var entries: [Entry] = []
    /// The kinds that there are.
    private(set) var kinds = Kinds()
    /// Whether times are those of the phone's clock, so that no zone is needed.
    var isLocal = false

    mutating func add(_ kind: Kind, at time: Int64, app: Int = -1, value: Double = 0) {
        kinds.formUnion(Kinds(kind))
        entries.append(Entry(time: time, kind: kind, app: Int32(app), value: value))
    }

    /// Whether there is an entry of one of some kinds.
    func holds(_ some: Kind...) -> Bool { some.contains { kinds.holds($0) } }

    /// First and last time of entries of some kinds; nil without any.
    func span(_ kinds: Kinds) -> (first: Int64, last: Int64)? {
        var span: (first: Int64, last: Int64)?
        guard !self.kinds.isDisjoint(with: kinds) else { return nil }
        for entry in entries where kinds.holds(entry.kind) {
            let end = entry.kind == .used ? entry.time + Int64(entry.value * 1e9) : entry.time
            span = (min(span?.first ?? entry.time, entry.time), max(span?.last ?? end, end))
        }
        return span
    }

    /// Sorts by time; entries of one instant keep their order.
    mutating func sort() {
        let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time }
        guard !isSorted else { return }
        let order = entries.indices.sorted { (entries[$0].time, $0) < (entries[$1].time, $1) }
        entries = order.map { entries[$0] }
    }

    /// Whether a package is the home screen or the frame around apps: launchers, and those that are not called so.
    static func isShell(_ package: String) -> Bool {
        let name = package.lowercased()
        return name.contains("launcher") || name.hasPrefix("com.android.systemui") || name == "com.miui.home"
            || name == "system ui" || name.hasPrefix("com.apple.springboard")
    }

    /// The entries of the screen and of apps.
    static let uses = Kinds(.screenOn, .unlocked, .screenOff, .front, .back, .used, .shutdown)
    /// The entries of the battery.
    static let charging = Kinds(.onCharger, .offCharger)
}

/// What every import of a recording is told.
public struct RecordingOptions: Sendable {
    /// Time zone of the phone: a name such as `Europe/Helsinki`, or a distance such as `+02:00`; empty when unknown.
    public var zone = ""
    /// One line that says where the files come from, for the head of the workload file.
    public var origin = ""
    /// The last day to take, in local time; nil for all.
    public var lastDay: CalendarDate?
    /// How many broken rows are left out.
    public var skip = SkipLimit.standard
    /// The user or device whose rows are read, where a file holds those of several; nil when it holds one.
    public var user: String?

    /// Creates options for a zone.
    public init(zone: String = "") { self.zone = zone }
}
