// SPDX-License-Identifier: GPL-3.0-or-later
import Quantities
import Workload

/// Contents of a phone's exported files: the phone, its apps, their use, and events.
public struct RecordedPhone: Sendable {
    /// Family of the phone's system.
    public enum Platform: String, Sendable {
        case android, ios
    }

    /// Recorded facts about an app.
    public struct App: Sendable {
        /// Largest recorded memory of the app's processes, in bytes.
        public internal(set) var footprint: ByteCount?
        /// Memory of the app's processes in the background, in bytes.
        public internal(set) var backgroundFootprint: ByteCount?
        /// Names of the app's processes.
        public internal(set) var processes: Set<String> = []
        /// Bytes transferred over Wi-Fi and over the mobile network.
        public internal(set) var wifiBytes = 0.0, cellularBytes = 0.0
        /// Number of alarms that woke the phone.
        public internal(set) var alarms = 0
        /// Periods of the app's repeating jobs.
        public internal(set) var periods: [SimDuration] = []
        /// Whether the user has exempted the app from battery restrictions.
        public var isUnrestricted = false
        /// Number of launches for each time from launch to first frame, in milliseconds.
        var launches: [Double: Double] = [:]
        /// Number of launches and resumes, and time on screen in seconds, over all days.
        public internal(set) var opens = 0.0, foreground = 0.0
        /// Largest memory on each recorded day.
        public internal(set) var peaks: [ByteCount] = []
        /// Number of exits of the app's processes by MetricKit category, for instance `bg_memory_pressure`.
        public internal(set) var exits: [String: Int] = [:]
        /// Number of days that the counts cover.
        public internal(set) var days = 0

        /// Creates an app without recorded facts.
        public init() {}

        /// Median time from launch to first frame; nil when no launch was recorded.
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
        /// Local time in nanoseconds since 1970; nil when it was not recorded.
        public var time: Int64?
        /// Name of the process.
        public var process: String
        /// Band of the process: a jetsam priority or an `oom_score_adj`.
        public var band: Int
        /// Reason, as the phone reports it.
        public var reason: String
    }

    /// The start of a process.
    public struct Start: Sendable, Equatable {
        /// Local time in nanoseconds since 1970.
        public var time: Int64
        /// Name of the process.
        public var process: String
        /// Whether the process started because the user opened the app.
        public var isByUser: Bool
    }

    /// A process in the phone's list of processes.
    public struct Standing: Sendable, Equatable {
        /// Name of the process.
        public var name: String
        /// Memory of the process, including its part in swap space.
        public var footprint: ByteCount
        /// Part of the memory that is in swap space.
        public var swapped = ByteCount.zero
        /// Heading of the process in the phone's list, such as `Cached`; empty if there is none.
        public var band: String
    }

    /// Memory of the phone when it listed its processes.
    public struct Machine: Sendable, Equatable {
        /// Free memory plus file pages.
        public var available: ByteCount
        /// Size of the data in swap space.
        public var swapped = ByteCount.zero
        /// Memory that swap space occupies.
        public var pool = ByteCount.zero
    }

    /// Each file, with the kind that was recognized.
    public internal(set) var sources: [(file: String, form: String)] = []
    /// Family of the system; nil when no file contains it.
    public internal(set) var platform: Platform?
    /// Model name of the phone.
    public internal(set) var product: String?
    /// Version of the system, such as `14` or `18.5`.
    public internal(set) var system: String?
    /// Memory of the phone.
    public internal(set) var memory: ByteCount?
    /// Size of swap space.
    public internal(set) var swap: ByteCount?
    /// Charge of the full battery, in mAh.
    public internal(set) var capacity: Double?
    /// Recorded use of the phone, as a workload.
    public internal(set) var workload: WorkloadFile?
    /// Apps of the phone, by the name of the app.
    public internal(set) var apps: [String: App] = [:]
    /// Processes in the phone's list.
    public internal(set) var standing: [Standing] = []
    /// Memory of the phone outside processes; nil when the free memory was not recorded.
    public internal(set) var machine: Machine?
    /// Processes that the phone killed, in the order of the files.
    public internal(set) var deaths: [Death] = []
    /// Processes that the phone started, in the order of the files.
    public internal(set) var starts: [Start] = []
    /// First and last time of the log of processes, in local nanoseconds since 1970.
    public internal(set) var logged: ClosedRange<Int64>?
    /// Energies in watt-hours, by local hour since 1970 and by part of the phone; empty if the phone does not record
    /// them.
    public internal(set) var hourly: [Int: [String: Double]] = [:]
    /// Time at each number of bars of the cellular signal, in an arbitrary unit.
    public internal(set) var bars: [Double: Double] = [:]
    /// Latest JetsamEvent report.
    public internal(set) var report: JetsamReport?
    /// Power profile, converted to a device.
    public internal(set) var profile: ImportedDevice?
    /// Assumptions and omissions.
    public internal(set) var notes: [String] = []

    init() {}

    /// Name of the app that a process belongs to.
    ///
    /// For example, `com.example.mail:push` belongs to `com.example.mail`.
    public static func app(of process: String) -> String {
        process.split(separator: ":", maxSplits: 1).first.map(String.init) ?? process
    }

    mutating func change(_ app: String, _ body: (inout App) -> Void) { body(&apps[app, default: App()]) }
}
