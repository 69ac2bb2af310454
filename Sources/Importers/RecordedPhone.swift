// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// Contents of a phone's exported files: the phone, its apps, its use and its events.
public struct RecordedPhone: Sendable {
    /// Family of systems.
    public enum Platform: String, Sendable {
        case android, ios
    }

    /// Recorded facts about an app.
    public struct App: Sendable {
        /// Largest recorded memory of the app's processes.
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
        /// Whether the user has exempted the app from battery restrictions.
        public var isUnrestricted = false
        /// Times of launches until the first frame in milliseconds, with the number of launches for each.
        var launches: [Double: Double] = [:]
        /// Number of launches and resumes, and seconds on screen, over all days.
        public internal(set) var opens = 0.0, foreground = 0.0
        /// Largest memory on each day.
        public internal(set) var peaks: [ByteCount] = []
        /// Ends of the app's processes by MetricKit category, for instance `bg_memory_pressure`.
        public internal(set) var exits: [String: Int] = [:]
        /// Number of days of these counts.
        public internal(set) var days = 0

        /// Creates an app without recorded facts.
        public init() {}

        /// Median time of a launch until the first frame; nil where no launch was recorded.
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
        /// Local time in nanoseconds since 1970; nil where it was not recorded.
        public var time: Int64?
        /// The process.
        public var process: String
        /// Band of the process: a jetsam priority, or an `oom_score_adj`.
        public var band: Int
        /// Reason, in the phone's words.
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
        /// Heading under which the phone lists the process, such as `Cached`; empty where there is none.
        public var band: String
    }

    /// Contents of the phone's memory when it listed its processes.
    public struct Machine: Sendable, Equatable {
        /// Free memory and pages of files.
        public var available: ByteCount
        /// Size of the data in swap space.
        public var swapped = ByteCount.zero
        /// Memory that swap space uses.
        public var pool = ByteCount.zero
    }

    /// Kind of file that was recognized for each file.
    public internal(set) var sources: [(file: String, form: String)] = []
    /// Family of systems; nil if no file contains it.
    public internal(set) var platform: Platform?
    /// Model of the phone, in its maker's words.
    public internal(set) var product: String?
    /// Version of its system, such as `14` or `18.5`.
    public internal(set) var system: String?
    /// Memory of the phone.
    public internal(set) var memory: ByteCount?
    /// Size of swap space.
    public internal(set) var swap: ByteCount?
    /// Charge of the full battery, in mAh.
    public internal(set) var capacity: Double?
    /// Recorded use of the phone.
    public internal(set) var workload: WorkloadFile?
    /// Apps of the phone, by name.
    public internal(set) var apps: [String: App] = [:]
    /// Processes in memory at the time of the list.
    public internal(set) var standing: [Standing] = []
    /// Memory around the processes; nil where the free memory was not recorded.
    public internal(set) var machine: Machine?
    /// Processes that it killed, in the order of the files.
    public internal(set) var deaths: [Death] = []
    /// Processes that it started, in the order of the files.
    public internal(set) var starts: [Start] = []
    /// Start and end of its log of processes, in local nanoseconds since 1970.
    public internal(set) var logged: ClosedRange<Int64>?
    /// Watt-hours by local hour since 1970 and part, where the phone records them by the hour.
    public internal(set) var hourly: [Int: [String: Double]] = [:]
    /// Time at each number of bars of the cellular signal, in an arbitrary unit.
    public internal(set) var bars: [Double: Double] = [:]
    /// Latest report of a shortage of memory.
    public internal(set) var report: JetsamReport?
    /// Power profile, as a device.
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
