// SPDX-License-Identifier: GPL-3.0-or-later
// This file reads what an Android phone prints about itself, except its histories of battery and use.
// In: a bug report, or the output of `getprop`, `dumpsys meminfo`, `procstats`, `batterystats`, `jobscheduler`,
// `deviceidle`, `alarm`, or of `logcat`. Lines are recognized by their form, anywhere in the file. The code that prints
// them is in Android's `frameworks/base`, `services/core/java/com/android/server`.

import Diagnostics
import Quantities

/// Reads the lines of a phone's dumps in sequence.
struct PhoneDump {
    var phone = RecordedPhone()
    /// Number of recognized lines.
    private(set) var known = 0
    var log = PhoneEventLog()

    private var section = Section.none
    private var band = ""
    /// Rows of listed processes without a known band, by name, from the last row to the first.
    private var unbanded: [String: [Int]] = [:]
    /// Package name for each user id, such as `u0a123`.
    private var packages: [String: String] = [:]
    private var user = ""
    private var jobApp = ""

    /// Largest number of processes that are kept.
    private static let mostProcesses = 20_000

    private enum Section { case none, processes, bands, accounts, exempt }

    /// Reads a line.
    mutating func read(_ line: Substring) {
        let text = line.drop { $0 == " " || $0 == "\t" }
        guard let first = text.first else { return }
        let before = known
        switch first {
        case "[": readProperty(text)
        case "0"..."9":
            if text.hasPrefix("9,") {
                readCheckin(text)
            } else if isUser(text) {
                user = String(text.dropLast())
            } else if !readSize(text), log.read(text) {
                known += 1
            }
        default: readWords(text)
        }
        if known == before, !text.hasSuffix("kB"), section != .none { leaveSection(text) }
    }

    /// Forgets the list and the owner that the last line of the previous file belonged to.
    mutating func beginFile() { (section, band, user, jobApp) = (.none, "", "", "") }

    /// Combines values from several parts of the dumps.
    mutating func finish() {
        phone.deaths = log.deaths
        phone.starts = log.starts
        phone.logged = log.span
    }

    private mutating func leaveSection(_ text: Substring) {
        // A heading, or the end of a service's output, ends a list.
        if text.hasPrefix("---") || text.hasPrefix("DUMP OF") || (text.hasSuffix(":") && section == .exempt) {
            section = .none
        }
    }

    // MARK: Properties

    /// Reads a line such as `[ro.product.model]: [Pixel 7]`.
    private mutating func readProperty(_ text: Substring) {
        let parts = text.split(separator: "]: [", maxSplits: 1)
        guard parts.count == 2, parts[1].hasSuffix("]") else {
            if log.read(text) { known += 1 }
            return
        }
        let value = String(parts[1].dropLast())
        switch parts[0].dropFirst() {
        case "ro.product.model": phone.product = value
        case "ro.build.version.release": phone.system = value
        case "persist.sys.timezone": if log.zone.isEmpty { log.zone = value }
        default: return
        }
        phone.platform = .android
        known += 1
    }

    // MARK: Words

    private mutating func readWords(_ text: Substring) {
        if text.hasPrefix("MemTotal:") {
            phone.memory = kibibytes(text.dropFirst(9)).map(Self.nominal)
        } else if text.hasPrefix("SwapTotal:") {
            phone.swap = kibibytes(text.dropFirst(10))
        } else if text.hasPrefix("Build fingerprint:") {
            readFingerprint(text)
        } else if text.hasPrefix("== dumpstate:") {
            log.takeYear(text.dropFirst(13))
        } else if text.hasPrefix("Total PSS by process:") {
            section = .processes
            // If there are several lists, the last one shows the current state of the phone.
            (phone.standing, unbanded) = ([], [:])
        } else if text.hasPrefix("Total PSS by OOM adjustment:") {
            section = .bands
        } else if text.hasPrefix("Total PSS by category:") || text.hasPrefix("Total RSS by") {
            section = .none
        } else if text.hasPrefix("Total RAM:") {
            phone.memory = phone.memory ?? kibibytes(text.dropFirst(10)).map(Self.nominal)
        } else if text.hasPrefix("Free RAM:") {
            readAvailable(text)
        } else if text.hasPrefix("ZRAM:") {
            readPool(text)
        } else if text.hasPrefix("Estimated battery capacity:") {
            phone.capacity = Self.number(text.dropFirst(27))
        } else if text.hasPrefix("Estimated power use") {
            section = .accounts
        } else if section == .accounts {
            return readAccount(text)
        } else if text.hasPrefix("Apk ") || text.hasPrefix("Proc ") {
            readPackage(text)
        } else if text.hasPrefix("JOB #") {
            readJob(text)
        } else if text.hasPrefix("PERIODIC: interval=") {
            readPeriod(text)
        } else if text.hasPrefix("Whitelist user apps:") {
            section = .exempt
        } else if section == .exempt, text.contains("."), !text.contains(" ") {
            phone.change(String(text)) { $0.isUnrestricted = true }
        } else if isUser(text) {
            user = String(text.dropLast())
            return
        } else if readAlarms(text) || log.read(text) {
            // The line was read by one of the two calls.
        } else {
            return
        }
        known += 1
    }

    /// Reads a line such as `Build fingerprint: 'google/panther/panther:14/UQ1A…:user/release-keys'`.
    private mutating func readFingerprint(_ text: Substring) {
        let parts = text.split(separator: "'").dropFirst().first?.split(separator: ":") ?? []
        guard parts.count > 1 else { return }
        phone.platform = .android
        phone.system = phone.system ?? parts[1].split(separator: "/").first.map(String.init)
        phone.product = phone.product ?? parts[0].split(separator: "/").dropFirst().first.map(String.init)
    }

    // MARK: Memory

    /// Reads `312,508K: com.example.chat (pid 5190 / activities)`, or the heading of a band.
    private mutating func readSize(_ text: Substring) -> Bool {
        guard section == .processes || section == .bands, let colon = text.firstIndex(of: ":"),
            text[..<colon].hasSuffix("K"), let size = kibibytes(text[..<colon])
        else { return false }
        let rest = text[text.index(after: colon)...].drop { $0 == " " }
        known += 1
        guard let bracket = rest.firstRange(of: " (pid ") else {
            if section == .bands {
                band =
                    rest.split(separator: "(").first.map { String($0.split(separator: " ").joined(separator: " ")) }
                    ?? ""
            }
            return true
        }
        guard phone.standing.count < Self.mostProcesses else { return true }
        let name = String(rest[..<bracket.lowerBound])
        let app = RecordedPhone.app(of: name)
        if section == .bands {
            if let index = unbanded[name]?.popLast() {
                phone.standing[index].band = band
            } else {
                phone.standing.append(standing(name, size, rest, band: band))
            }
            return true
        }
        unbanded[name, default: []].insert(phone.standing.count, at: 0)
        phone.standing.append(standing(name, size, rest, band: ""))
        guard app.contains(".") else { return true }
        let isInFront = rest.contains("activities")
        phone.change(app) {
            let isNew = $0.processes.insert(name).inserted
            let sum = isNew ? ($0.footprint ?? ByteCount(0)) + size : max($0.footprint ?? size, size)
            $0.footprint = sum
            if !isInFront { $0.backgroundFootprint = sum }
        }
        return true
    }

    /// Creates a process whose part in swap space is in a text such as `(   12,345K in swap)`.
    private func standing(
        _ name: String, _ size: ByteCount, _ rest: Substring, band: String
    ) -> RecordedPhone.Standing {
        let swapped =
            rest.hasSuffix("K in swap)") ? rest.lastIndex(of: "(").flatMap { kibibytes(rest[$0...].dropFirst()) } : nil
        return RecordedPhone.Standing(
            name: name, footprint: size, swapped: min(size, swapped ?? .zero), band: band)
    }

    /// Reads `Free RAM: 3,214,872K (  231,700K cached pss + 2,768,300K cached kernel +   214,872K free)`.
    private mutating func readAvailable(_ text: Substring) {
        let parts = text.split { $0 == "(" || $0 == "+" }
        func size(_ word: String) -> ByteCount? { parts.first { $0.contains(word) }.flatMap(kibibytes) }
        guard let files = size("K cached kernel"), let free = size("K free") else { return }
        phone.machine = RecordedPhone.Machine(available: files + free)
    }

    /// Reads a line such as `ZRAM:   512,000K physical used for 1,300,000K in swap (3,067,592K total swap)`.
    ///
    /// This line follows the line with the free memory.
    private mutating func readPool(_ text: Substring) {
        let parts = text.dropFirst(5).split(separator: " physical used for ", maxSplits: 1)
        guard parts.count == 2, parts[1].contains("K in swap"), let pool = kibibytes(parts[0]),
            let swapped = kibibytes(parts[1])
        else { return }
        phone.machine?.pool = pool
        phone.machine?.swapped = swapped
    }

    /// Nominal memory of the phone.
    ///
    /// The reported total is smaller, because it excludes the kernel's memory.
    static func nominal(_ total: ByteCount) -> ByteCount {
        let sizes = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 18, 24, 32].map { ByteCount.gibibytes($0) }
        return sizes.first { $0 >= total } ?? total
    }

    // MARK: Battery

    /// Reads `Capacity: 4270, Computed drain: …`, and the rows of parts and apps around it.
    private mutating func readAccount(_ text: Substring) {
        if text.hasPrefix("Global") { return known += 1 }
        guard let colon = text.firstIndex(of: ":"), let value = Self.number(text[text.index(after: colon)...]) else {
            section = .none
            return readWords(text)
        }
        known += 1
        if text[..<colon] == "Capacity" { phone.capacity = phone.capacity ?? value }
    }

    private func isUser(_ text: Substring) -> Bool {
        guard text.hasSuffix(":"), text.hasPrefix("u") || text.first?.isNumber == true else { return false }
        return text.dropLast().allSatisfy { $0.isASCII && ($0.isNumber || "uai".contains($0)) }
    }

    private mutating func readPackage(_ text: Substring) {
        guard !user.isEmpty, let name = text.split(separator: " ").last?.split(separator: ":").first else { return }
        if text.hasPrefix("Apk ") || packages[user] == nil, name.contains(".") { packages[user] = String(name) }
    }

    /// Reads `9,10123,l,jb,"com.example/.Service",ms,count`, and other rows of `batterystats -c`.
    private mutating func readCheckin(_ text: Substring) {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count > 4, fields[1].allSatisfy(\.isNumber) else { return }
        func value(_ index: Int) -> Double? { fields.count > index ? Self.number(fields[index], upTo: 1e15) : nil }
        let owner = String(fields[1])
        switch fields[3] {
        case "uid" where fields.count > 5 && fields[2] == "i": packages[String(fields[4])] = String(fields[5])
        case "pwi": break
        case "pws": phone.capacity = value(4)
        case "nt" where fields.count > 7:
            guard let package = packages[owner] else { return }
            phone.change(package) {
                $0.cellularBytes += (value(4) ?? 0) + (value(5) ?? 0)
                $0.wifiBytes += (value(6) ?? 0) + (value(7) ?? 0)
            }
        case "wua":
            guard let package = packages[owner], let count = value(5) else { return }
            phone.change(package) { $0.alarms = min($0.alarms, 1 << 40) + Int(min(count, 1e9)) }
        case "vers" where fields.count > 5: phone.platform = .android
        default: return
        }
        phone.platform = phone.platform ?? .android
        known += 1
    }

    // MARK: Jobs and alarms

    /// Reads a line such as `JOB #u0a123/77: 5e1f2a com.example.mail/.SyncService`.
    private mutating func readJob(_ text: Substring) {
        let component = text.split(separator: " ").last { $0.contains("/") && !$0.hasPrefix("#") }
        jobApp = component?.split(separator: "@").last?.split(separator: "/").first.map(String.init) ?? ""
    }

    /// Reads a line such as `PERIODIC: interval=+15m0s0ms flex=+5m0s0ms`.
    private mutating func readPeriod(_ text: Substring) {
        guard !jobApp.isEmpty, jobApp.contains("."), let word = text.split(separator: "=").dropFirst().first,
            let length = word.split(separator: " ").first
        else { return }
        let bytes = Array(length.utf8)
        guard let period = BatterystatsForm.offset(0..<bytes.count, in: bytes), period >= 60_000_000_000 else { return }
        phone.change(jobApp) { $0.periods.append(SimDuration(nanoseconds: period)) }
        jobApp = ""
    }

    /// Reads a line such as `u0a123:com.example.mail +1s234ms running, 34 wakeups:`.
    private mutating func readAlarms(_ text: Substring) -> Bool {
        let words = text.split(separator: " ")
        guard words.count == 5, words[2] == "running,", words[4] == "wakeups:", let count = Int(words[3]),
            let package = words[0].split(separator: ":").last, package.contains("."), (0...1_000_000).contains(count)
        else { return false }
        phone.change(String(package)) { $0.alarms = max($0.alarms, count) }
        return true
    }

    // MARK: Numbers

    /// Reads a size such as `312,508K` or `1234 kB`.
    private func kibibytes(_ text: Substring) -> ByteCount? {
        let digits = text.drop { $0 == " " }.prefix { $0.isASCII && ($0.isNumber || $0 == ",") }.filter { $0 != "," }
        // Sizes above 64 GiB are implausible for the memory of a phone or a process.
        guard let count = Int64(digits), (0...(1 << 26)).contains(count) else { return nil }
        return ByteCount(count * 1024)
    }

    private static func number(_ text: Substring, upTo most: Double = 1e9) -> Double? {
        let digits = text.drop { $0 == " " }.prefix {
            $0.isASCII && ($0.isNumber || $0 == "." || $0 == "E" || $0 == "-")
        }
        guard let value = Double(digits), (0...most).contains(value) else { return nil }
        return value
    }
}
