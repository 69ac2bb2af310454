// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// What the files that a phone gives away tell of it: the phone, its apps, how it was used, and what it did.
public struct RecordedPhone: Sendable {
    /// Family of systems.
    public enum Platform: String, Sendable {
        case android, ios
    }

    /// Recorded facts about an app.
    public struct App: Sendable {
        /// Memory of its processes, the largest that was seen.
        public internal(set) var footprint: ByteCount?
        /// Memory of its processes in the background.
        public internal(set) var backgroundFootprint: ByteCount?
        /// Processes of the app, by name.
        public internal(set) var processes: Set<String> = []
        /// Bytes over Wi-Fi and over the mobile network.
        public internal(set) var wifiBytes = 0.0, cellularBytes = 0.0
        /// Alarms that woke the phone.
        public internal(set) var alarms = 0
        /// Periods of its repeating jobs.
        public internal(set) var periods: [SimDuration] = []
        /// Whether the user lets it do what it wants with the battery.
        public var isUnrestricted = false
        /// Times of its launches until the first picture in milliseconds, and how many there were of each.
        var launches: [Double: Double] = [:]
        /// How often it was launched or resumed, and seconds on screen, over all days.
        public internal(set) var opens = 0.0, foreground = 0.0
        /// The largest memory of each day.
        public internal(set) var peaks: [ByteCount] = []
        /// Ends of its processes by the categories of MetricKit, as `bg_memory_pressure`.
        public internal(set) var exits: [String: Int] = [:]
        /// Days that they were counted over.
        public internal(set) var days = 0

        /// An app of which nothing is told.
        public init() {}

        /// Time of a launch until the first picture, the median; nil where no launch is told.
        public var launch: SimDuration? {
            let lengths = launches.sorted { $0.key < $1.key }
            let half = lengths.reduce(0) { $0 + $1.value } / 2
            var sum = 0.0
            for (length, count) in lengths {
                sum += count
                if sum >= half, half > 0 { return .seconds(length / 1000) }
            }
            return nil
        }
    }

    /// A process that the phone killed.
    public struct Death: Sendable, Equatable {
        /// Local time in nanoseconds since 1970; nil where it is not told.
        public var time: Int64?
        /// The process.
        public var process: String
        /// Band of the process: a jetsam priority, or an `oom_score_adj`.
        public var band: Int
        /// Why, in the words of the phone.
        public var reason: String
    }

    /// A process that was started.
    public struct Start: Sendable, Equatable {
        /// Local time in nanoseconds since 1970.
        public var time: Int64
        /// The process.
        public var process: String
        /// Whether the user opened the app.
        public var isByUser: Bool
    }

    /// A process in memory.
    public struct Standing: Sendable, Equatable {
        /// Name of the process.
        public var name: String
        /// Memory of the process, including its part in swap space.
        public var footprint: ByteCount
        /// The part in swap space.
        public var swapped = ByteCount.zero
        /// The heading under which the phone lists it, such as `Cached`; empty where none is told.
        public var band: String
    }

    /// What the memory of the phone held when it wrote of its processes.
    public struct Machine: Sendable, Equatable {
        /// Free, or pages of files.
        public var available: ByteCount
        /// What is in swap space.
        public var swapped = ByteCount.zero
        /// The memory that it takes there.
        public var pool = ByteCount.zero
    }

    /// What each file was taken for.
    public internal(set) var sources: [(file: String, form: String)] = []
    /// Family of systems; nil if no file contains it.
    public internal(set) var platform: Platform?
    /// Model of the phone, in its maker's words.
    public internal(set) var product: String?
    /// Version of its system, such as `14` or `18.5`.
    public internal(set) var system: String?
    /// Memory of the phone.
    public internal(set) var memory: ByteCount?
    /// Memory that swap space takes.
    public internal(set) var swap: ByteCount?
    /// Charge of the full battery, in mAh.
    public internal(set) var capacity: Double?
    /// Recorded use of the phone.
    public internal(set) var workload: WorkloadFile?
    /// Apps of the phone, by name.
    public internal(set) var apps: [String: App] = [:]
    /// Processes in memory at the time of the list.
    public internal(set) var standing: [Standing] = []
    /// The machine around them; nil where it is not told how much was free.
    public internal(set) var machine: Machine?
    /// Processes that it killed, in the order of the files.
    public internal(set) var deaths: [Death] = []
    /// Processes that it started, in the order of the files.
    public internal(set) var starts: [Start] = []
    /// From when to when its log of processes goes, in local nanoseconds since 1970.
    public internal(set) var logged: ClosedRange<Int64>?
    /// Watt-hours by local hour since 1970 and part, where it keeps books by the hour.
    public internal(set) var hourly: [Int: [String: Double]] = [:]
    /// Time at each number of bars of the cellular signal, in whatever unit.
    public internal(set) var bars: [Double: Double] = [:]
    /// The latest report of memory that ran short.
    public internal(set) var report: JetsamReport?
    /// A power profile, as a device.
    public internal(set) var profile: ImportedDevice?
    /// Assumptions and omissions.
    public internal(set) var notes: [String] = []

    init() {}

    /// The app that a process belongs to: `com.example.mail:push` is one of `com.example.mail`.
    public static func app(of process: String) -> String {
        process.split(separator: ":", maxSplits: 1).first.map(String.init) ?? process
    }

    mutating func change(_ app: String, _ body: (inout App) -> Void) { body(&apps[app, default: App()]) }
}
