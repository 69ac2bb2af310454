// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Quantities
import Workload

/// Log of a phone in any format.
///
/// Entries are in the order of the file; after sorting, they become a workload.
struct PhoneLog {
    /// Kinds of entries.
    enum Kind: UInt8 {
        case screenOn, unlocked, screenOff
        /// An app came to the screen, or left it.
        case front, back
        /// An app was on screen for `value` seconds.
        case used
        /// A notification of an app was shown.
        case notification
        /// Battery level `value` (0 to 1), on a charger or off it.
        case onCharger, offCharger
        /// The phone was switched off. This ends the use of all apps on screen.
        case shutdown
        /// The phone was switched on.
        case boot
        /// An app or a new version of it was installed.
        case installed, updated
    }

    /// A set of kinds, with one bit for each kind.
    struct Kinds: OptionSet {
        let rawValue: UInt32

        init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ kinds: Kind...) { rawValue = kinds.reduce(0) { $0 | 1 << UInt32($1.rawValue) } }

        @inline(__always)
        func holds(_ kind: Kind) -> Bool { rawValue & 1 << UInt32(kind.rawValue) != 0 }
    }

    /// One entry, in 16 bytes.
    struct Entry {
        /// Nanoseconds since 1970, as `ForeignTime` returns them.
        ///
        /// Times are local if `isLocal` is true, otherwise in UTC.
        let time: Int64
        /// Number of the app in `apps`; -1 without an app.
        let app: Int32
        /// Kind in the lowest four bits, and number of the value in the other bits.
        private let bits: UInt32

        var kind: Kind { Kind(rawValue: UInt8(bits & 15)) ?? .boot }
        fileprivate var number: Int { Int(bits >> 4) }

        fileprivate init(_ kind: Kind, at time: Int64, app: Int, number: Int) {
            self.time = time
            self.app = Int32(app)
            bits = UInt32(number) << 4 | UInt32(kind.rawValue)
        }
    }

    /// Names of the apps.
    var apps = NameTable()
    /// Entries in the order of the files, or sorted by time.
    var entries = Pieces<Entry>()
    /// Kinds that at least one entry has.
    private(set) var kinds = Kinds()
    /// Whether times are local, so that no zone is needed.
    var isLocal = false
    /// Whether entries of the charger are plugs and unplugs, not states that are logged again and again.
    var logsPlugs = false

    /// Values of entries, by the number of the value.
    private var values: [Double] = []
    private var isSorted = true
    private var last = Int64.min

    mutating func add(_ kind: Kind, at time: Int64, app: Int = -1, value: Double? = nil) {
        kinds.formUnion(Kinds(kind))
        if let value { values.append(value) }
        entries.append(Entry(kind, at: time, app: app, number: value == nil ? 0 : values.count - 1))
        if time < last { isSorted = false }
        last = time
    }

    /// The value of an entry that has one.
    func value(_ entry: Entry) -> Double { values[entry.number] }

    /// Whether the log has an entry of one of the given kinds.
    func holds(_ some: Kind...) -> Bool { some.contains { kinds.holds($0) } }

    /// First and last time of the entries of some kinds; nil if there are none.
    func span(_ kinds: Kinds) -> (first: Int64, last: Int64)? {
        guard !self.kinds.isDisjoint(with: kinds) else { return nil }
        var span = (first: Int64.max, last: Int64.min)
        entries.forEach { entry in
            guard kinds.holds(entry.kind) else { return }
            let end = entry.kind == .used ? entry.time + Int64(value(entry) * 1e9) : entry.time
            span = (min(span.first, entry.time), max(span.last, end))
        }
        return span
    }

    /// Sorts by time; entries of one instant keep their order.
    mutating func sort() {
        if !isSorted { entries.sort { $0.time < $1.time } }
        isSorted = true
    }

    /// Whether a package is the home screen or another part of the system.
    ///
    /// Such packages are launchers and a few packages with known names.
    static func isShell(_ package: String) -> Bool {
        let name = package.lowercased()
        return name.contains("launcher") || name.hasPrefix("com.android.systemui") || name == "com.miui.home"
            || name == "system ui" || name.hasPrefix("com.apple.springboard")
    }

    /// Kinds for the screen and for apps.
    static let uses = Kinds(.screenOn, .unlocked, .screenOff, .front, .back, .used, .shutdown)
    /// Kinds for the battery.
    static let charging = Kinds(.onCharger, .offCharger)
    /// Kinds with a value.
    static let withValue = Kinds(.onCharger, .offCharger, .used)
}

/// Options of every import of a recording.
public struct RecordingOptions: Sendable {
    /// Time zone of the phone: a name such as `Europe/Helsinki`, or an offset such as `+02:00`; empty when unknown.
    public var zone = ""
    /// One line on the source of the files, for the head of the workload file.
    public var origin = ""
    /// Last day to import, in local time; nil for all days.
    public var lastDay: CalendarDate?
    /// Largest number of broken rows that are skipped.
    public var skip = SkipLimit.standard
    /// User or device to import from files with several; nil for files with one.
    public var user: String?

    /// Creates options for a zone.
    public init(zone: String = "") { self.zone = zone }
}
