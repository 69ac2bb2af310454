// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Importers
import PhoneCore
import Power
import Quantities
import Scenario
import Workload

/// Phone as its own files describe it, in the form of models for an experiment; `flotsam twin` writes these models.
public struct TwinModel: Sendable {
    /// App of the phone, with the facts that the files contain.
    public struct App: Sendable {
        /// Name of the app in the model files.
        public var name: String
        /// Category, which provides the values that the files do not contain.
        public var category: String
        /// Facts about the app from the files.
        public var told: RecordedPhone.App
        /// Time between jobs; nil if the files contain no jobs at all.
        public var period: SimDuration?
        /// Fitted number of cores that the app keeps busy on screen; nil for the category's value.
        public var load: Double?
    }

    /// Device in the library, which provides the values that the files do not contain.
    public var base: String
    /// Profile of the operating system.
    public var os: String
    /// Apps of the phone, with the most opened app first.
    public internal(set) var apps: [App]
    /// Recorded use of the phone, in whole days; nil if no file contains a recording.
    public var trace: WorkloadFile?
    /// Start and end of the recording, in the time of the trace.
    public internal(set) var covered = SimTime.zero..<SimTime.zero
    /// Fitted power of the sleeping phone; nil for the base device's value.
    public var suspendPower: Power?
    /// Device with the fitted power of the system's own activity; nil if it was not fitted.
    var calmed: DeviceModel?
    /// Fitted brightness of the display; nil for the base device's value.
    public var brightness: Double?
    /// Power of the charger in watts, estimated from the recorded levels; nil if it is unknown.
    public var chargerWatts: Double?
    /// Battery level at the start of the recording, from 0 to 1.
    public var initialLevel = 1.0
    /// Scenario text with the state in which runs start; nil if no file contains such a state.
    public private(set) var startText: String?
    /// Fitted values, as clauses.
    public var fitted: [String] = []
    /// Contents of the files.
    public let phone: RecordedPhone
    /// Assumed values, as clauses.
    public private(set) var notes: [String] = []

    /// Largest number of apps of a twin; beyond it, the apps with the fewest opens are omitted.
    private static let mostApps = 300

    /// Creates the models of a phone.
    ///
    /// - Parameter isAnonymous: Whether names of apps are replaced by numbers.
    public init(_ phone: RecordedPhone, library: ModelLibrary, isAnonymous: Bool = false) throws(Diagnostics) {
        self.phone = phone
        let isIOS = phone.platform == .ios
        base = Self.base(of: phone, among: library.names(.devices))
        os = Self.system(of: phone)
        if !isIOS, let major = Self.version(phone.system).first, !(13...16).contains(major) {
            notes.append("there are no rules for Android \(major), so those of \(os) are used")
        }
        if phone.platform == nil { notes.append("no file names the kind of phone; Android is assumed") }
        var file = phone.workload
        var names = file?.apps ?? []
        let opens = Self.opens(file)
        let working = Set(file?.response.jobs.map(\.app) ?? [])
        let told = phone.apps.keys.filter { Self.isApp($0) && Self.doesSomething(phone.apps[$0]) }
        names += working.union(told).subtracting(names).sorted()
        let order = names.indices.sorted { left, right in
            let (one, other) = (opens[names[left]] ?? 0, opens[names[right]] ?? 0)
            return (-one, names[left]) < (-other, names[right])
        }
        var renamed: [String: String] = [:]
        var taken: Set<String> = []
        for (rank, index) in order.enumerated() {
            let own = isAnonymous ? "app-\(rank + 1)" : Self.plain(names[index])
            var name = own
            var number = 1
            while !taken.insert(name).inserted {
                number += 1
                name = "\(own)-\(number)"
            }
            renamed[names[index]] = name
        }
        let own = file?.apps.map { renamed[$0] ?? $0 }
        file?.apps = own ?? []
        apps = order.prefix(Self.mostApps).map { index in
            let name = names[index]
            var told = phone.apps[name] ?? RecordedPhone.App()
            // An app that works and is never opened belongs to the system, which does not restrict it.
            if working.contains(name), opens[name] == nil { told.isUnrestricted = true }
            return App(name: renamed[name] ?? name, category: TwinCategory.of(name), told: told)
        }
        startText = try startState(names: renamed, isAnonymous: isAnonymous)
        guard var file else { return }
        covered = file.covered
        for index in file.response.jobs.indices {
            let app = file.response.jobs[index].app
            file.response.jobs[index].app = renamed[app] ?? app
        }
        Self.rest(&file)
        Self.dropJumps(&file.response)
        initialLevel = file.response.levels.first?.level ?? 1
        trace = file
    }

    /// Text of the state in which runs start, from an iPhone's report or an Android phone's list of processes.
    private mutating func startState(
        names: [String: String], isAnonymous: Bool
    ) throws(Diagnostics) -> String? {
        if let report = phone.report {
            let start = try report.start(ram: phone.memory)
            return report.scenario(start, name: "start of a twin", generation: report.rules.name)
        }
        var others = 0
        func name(_ process: String) -> String {
            let app = RecordedPhone.app(of: process)
            if let known = names[app] { return Self.plain(known + process.dropFirst(app.count)) }
            others += 1
            return isAnonymous ? "process-\(others)" : Self.plain(process)
        }
        do throws(Diagnostics) {
            return try phone.start(name: name)?.scenario(name: "start of a twin", generation: os)
        } catch {
            notes.append("runs begin without apps in memory: " + (error.list.first?.message ?? ""))
            return nil
        }
    }

    private static func opens(_ file: WorkloadFile?) -> [String: Int] {
        var opens: [String: Int] = [:]
        for event in file?.events ?? [] where event.kind == .open {
            opens[file?.apps[Int(event.app)] ?? "", default: 0] += 1
        }
        return opens
    }

    /// Whether a package may be an app.
    ///
    /// Parts of the system without a screen are processes of the device.
    static func isApp(_ name: String) -> Bool {
        name.contains(".")
            && !["android.", "com.android.", "com.google.android.gms", "com.qualcomm.", "vendor."]
                .contains { name.hasPrefix($0) }
    }

    private static func doesSomething(_ app: RecordedPhone.App?) -> Bool {
        guard let app else { return false }
        return app.alarms > 0 || !app.periods.isEmpty || !app.exits.isEmpty
            || app.footprint.map { $0 > .zero } ?? false || app.wifiBytes + app.cellularBytes > 0
    }

    /// Name in the form that models allow: letters, digits, points, hyphens and underscores.
    private static func plain(_ name: String) -> String {
        let plain = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) ? $0 : "-" })
        return plain.isEmpty || plain.allSatisfy { "-.".contains($0) } ? "app" : String(plain.prefix(100))
    }

    // MARK: Device

    /// Device with the phone's name, or else a device of the same platform.
    ///
    /// For an iPhone, the size of the device's memory is similar.
    static func base(of phone: RecordedPhone, among devices: [String]) -> String {
        let product = (phone.product ?? "").lowercased()
        let words = product.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
        if devices.contains(words) { return words }
        if let near = devices.filter({ !$0.hasSuffix("-imported") && words.hasPrefix($0) }).max(by: {
            $0.count < $1.count
        }) {
            return near
        }
        guard phone.platform == .ios else { return "pixel-7" }
        switch phone.memory.map({ $0.mebibytes / 1024 }) ?? 4 {
        case ..<4.5: return "iphone-13"
        case ..<7: return product.hasPrefix("iphone14,3") ? "iphone-13-pro-max" : "iphone-13-pro"
        default: return "iphone-15-pro"
        }
    }

    private static func version(_ text: String?) -> [Int] {
        let digits = (text ?? "").drop { !$0.isNumber }.prefix { $0.isNumber || $0 == "." }
        return digits.split(separator: ".").compactMap { Int($0) }
    }

    /// Profile of the phone's operating system.
    public static func system(of phone: RecordedPhone) -> String {
        let isIOS = phone.platform == .ios
        let parts = version(phone.system)
        guard let major = parts.first else { return isIOS ? "ios-18" : "android-15" }
        guard isIOS else { return "android-\(min(max(major, 13), 16))" }
        switch (major, parts.dropFirst().first ?? 0) {
        case (..<10, _): return major < 9 ? "ios-6" : "ios-9"
        case (10...11, _): return "ios-10"
        case (12...17, _): return "ios-\(major)"
        case (18, 0..<4): return "ios-18"
        case (18, 4): return "ios-18.4"
        case (18, _): return "ios-18.5"
        default: return "ios-26"
        }
    }

    // MARK: Recording

    /// Longest time between jobs; an app whose files state a longer one practically never works.
    private static let longestPeriod = SimDuration.days(100)

    /// Sets each app's time between jobs from the recorded jobs within a span, or else from the periods in the files.
    mutating func useJobs(in span: Range<SimTime>) {
        let jobs = trace?.response.jobs ?? []
        guard !jobs.isEmpty || apps.contains(where: { !$0.told.periods.isEmpty }) else { return }
        var counts: [String: Int] = [:]
        for job in jobs where span.contains(job.time) { counts[job.app, default: 0] += 1 }
        let length = span.upperBound - span.lowerBound
        for index in apps.indices {
            apps[index].period =
                counts[apps[index].name].map { max(.minutes(1), length * (1 / Double($0))) }
                ?? apps[index].told.periods.min().map { min($0, Self.longestPeriod) } ?? .zero
        }
    }

    /// Extends the trace to whole days.
    ///
    /// The phone is idle in the hours that are added to the first and the last day.
    private static func rest(_ file: inout WorkloadFile) {
        let days = (file.covered.upperBound - SimTime.zero) / .day
        file.covered = .zero..<(.zero + .days(days.rounded(.up)))
    }

    /// Removes levels that last at most ten seconds, because they are corrections by the fuel gauge.
    ///
    /// A real change of that speed would need 70 W in a phone of 20 Wh.
    private static func dropJumps(_ response: inout RecordedResponse) {
        let levels = response.levels
        response.levels = levels.indices.filter { index in
            index + 1 == levels.count || levels[index + 1].time - levels[index].time > .seconds(10)
        }.map { levels[$0] }
    }

    /// Sets the power of the recorded charger, in watts; nil if it is unknown.
    mutating func charge(with watts: Double?) {
        chargerWatts = watts
        guard let watts, var file = trace else { return }
        for index in file.events.indices where file.events[index].kind == .plug {
            file.events[index].watts = (watts * 10).rounded() / 10
        }
        trace = file
    }

    // MARK: Texts

    /// Text of the device's model file.
    public var deviceText: String {
        var lines = [
            "# " + heading, "schema: 1", "name: twin", "base: \(phone.profile == nil ? base : "./profile.yaml")",
        ]
        lines.append(
            "os: \(os)" + (phone.system.map { "    # system version in the files: \(Self.comment($0))" } ?? ""))
        if let memory = phone.memory {
            lines.append("memory:")
            lines.append("  ram: \(UnitText.format(Double(memory.bytes), as: .bytes))")
            if phone.platform == .android {
                let limit = phone.swapLimit ?? memory
                lines.append("  compressor_limit: \(UnitText.format(Double(limit.bytes), as: .bytes))")
            }
        }
        if let capacity = phone.capacity { lines.append("battery: {capacity: \(Int(capacity.rounded())) mAh}") }
        // The recording also contains the ends of charges, so the phone need not control them.
        if trace != nil { lines.append("charging: {mode: plain}") }
        if let power = suspendPower {
            let awake =
                calmed.map { ", awake_power: \(Self.short($0.power.platform.awakePower.watts * 1000)) mW" } ?? ""
            lines.append("platform: {suspend_power: \(Self.short(power.watts * 1000)) mW\(awake)}    # fitted")
        }
        if let calmed {
            lines.append("daemons: {work_time: \(Self.short(calmed.daemons.workTime.seconds * 1000)) ms}    # fitted")
            if let services = calmed.services {
                lines.append("services:    # fitted")
                lines += ServiceParameters.keys.compactMap { key in key.text(services).map { "  \(key.name): \($0)" } }
            }
        }
        if let brightness {
            lines.append("habits: {brightness: \(Self.short(brightness * 100)) %}    # fitted")
        }
        if startText != nil { lines.append("start_state: start.yaml") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Text of the experiment file, for the folder of the device and the trace.
    public func experimentText(replications: Int, seed: UInt64 = 1) -> String {
        let days = trace.map { Int(($0.covered.upperBound - SimTime.zero) / .day) } ?? 8
        var lines = [
            "# " + heading, "schema: 1", "name: twin",
            "question: What would another phone, policy or app have changed on these days?", "seed: \(seed)",
            "start: \(trace.map { $0.start.isEmpty ? "2026-03-02" : $0.start } ?? "2026-03-02") 00:00",
            "duration: \(days) d",
            "warmup: \(trace == nil ? 86400 : Int((covered.lowerBound - SimTime.zero).seconds)) s",
            "replications: \(replications)",
            "device: {base: ./device.yaml, habits: {initial_level: \(Self.short(initialLevel * 100)) %}}",
            "apps:", "  catalog: everyday", "  count: \(max(apps.count, trace == nil ? 60 : 1))", "  apps:",
        ]
        if apps.isEmpty { lines[lines.count - 1] = "  apps: {}" }
        lines += apps.map { "    \(JSONText.quoted($0.name)): {\(Self.keys(of: $0).joined(separator: ", "))}" }
        lines.append("user: {\(trace == nil ? "" : "trace: trace.csv, ")persona: average}")
        lines.append("policies: {eviction: system, scheduling: system}")
        lines.append("metrics: {primary: relaunches_per_day}")
        lines.append("output: {tables: [runs, device_hours]}")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func keys(of app: App) -> [String] {
        var keys = ["category: \(app.category)"]
        var memory: [String] = []
        func size(_ value: ByteCount) -> String { "\(max(1, Int(value.mebibytes.rounded()))) MiB" }
        if let footprint = app.told.footprint, footprint.mebibytes >= 1 {
            memory.append("foreground: \(size(footprint))")
            memory.append("background: \(size(app.told.backgroundFootprint ?? footprint))")
        }
        if !memory.isEmpty { keys.append("memory: {\(memory.joined(separator: ", "))}") }
        if let launch = app.told.launch { keys.append("launch: {cold: \(Int((launch.seconds * 1000).rounded())) ms}") }
        if let load = app.load { keys.append("use: {load: \(short(load))}") }
        if let period = app.period {
            keys.append("refresh: {every: \(Int(period.seconds.rounded())) s}")
            keys.append("processing: {per_day: 0}")
        }
        if app.told.isUnrestricted { keys.append("battery: unrestricted") }
        return keys
    }

    private var heading: String {
        let system = phone.system.map { (phone.platform == .ios ? "" : "Android ") + $0 }
        let parts = [phone.product, system].compactMap { $0 }
        let name = parts.isEmpty ? "a phone" : Self.comment(parts.joined(separator: ", "))
        return "The twin of \(name), from its own files."
    }

    /// Text from a file, without the characters that a comment cannot contain.
    static func comment(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(100).filter { $0.value >= 32 && $0.value < 127 }))
    }

    static func short(_ value: Double) -> String { Figures.short(value, digits: 4) }

    /// Recorded levels as a CSV table: seconds since the midnight before the recording, and the level in percent.
    public var levelsText: String {
        var text = "t_s,battery_pct\n"
        for level in trace?.response.levels ?? [] {
            text += "\(Int((level.time - SimTime.zero).seconds.rounded())),\(Self.short(level.level * 100))\n"
        }
        return text
    }
}
