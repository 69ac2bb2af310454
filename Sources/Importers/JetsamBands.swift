// SPDX-License-Identifier: GPL-3.0-or-later

extension JetsamReport {
    /// The band of every process on the scale of iOS 16 and later, 0 to 210.
    ///
    /// Where the report has bands, those of the older scale (0 to 21) are multiplied by ten.
    var bands: [Int16] { hasBands ? processes.map { band(of: $0) } : estimatedBands }

    /// Whether the report uses the scale of iOS 15 and before: no band is above 21.
    var usesOldScale: Bool { processes.allSatisfy { ($0.priority ?? 0) <= 21 || $0.isUntouchable } }

    private func band(of process: JetsamProcess) -> Int16 {
        let priority = max(0, process.priority ?? 0)
        return Int16(usesOldScale ? 10 * min(21, priority) : min(210, priority))
    }

    /// Bands from the order of the rows and their states, for layouts that do not say (iOS 9 to 12).
    ///
    /// Rows stand in the order of bands. Up to the last one that is suspended or idle all are in band 0, or on their
    /// way to it; behind, daemons are in 30, working apps in 40, what the user sees in 100; daemons behind that are in
    /// 140, the band of most of the system's, SpringBoard in 160, backboardd in 170, what follows in 180. Which of
    /// these bands is right to the number matters little: what counts in an order of victims is that no row overtakes
    /// one before it.
    private var estimatedBands: [Int16] {
        let visible = processes.firstIndex { $0.isFrontmost } ?? processes.count
        let lastIdle = processes[..<visible].lastIndex { $0.isIdle || $0.isSuspended } ?? -1
        var reached: Int16 = 0
        return processes.indices.map { index in
            let process = processes[index]
            var own: Int16
            if index <= lastIdle {
                own = 0
            } else if process.name == "SpringBoard" {
                own = 160
            } else if process.name == "backboardd" {
                own = 170
            } else if process.isFrontmost {
                own = 100
            } else if index > visible {
                own = process.isSuspended ? 0 : reached >= 170 ? 180 : 140
            } else {
                own = process.isDaemon ? 30 : 40
            }
            own = max(own, reached)
            reached = own
            return own
        }
    }
}

extension JetsamReport {
    /// The generation of the system among names such as `ios-14` and `ios-18.4`: the newest that is not newer; nil when
    /// the report does not name a version.
    public func generation(among names: [String]) -> String? {
        guard let system, let own = Self.version(system) else { return nil }
        var best: (name: String, version: (Int, Int))?
        for name in names {
            guard let version = Self.version(name), version <= own else { continue }
            if let best, best.version > version { continue }
            best = (name, version)
        }
        return best?.name
    }

    /// The first number of a text and the one behind its point.
    private static func version(_ text: String) -> (Int, Int)? {
        let digits = text.drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) || $0 == "." }
        let parts = digits.split(separator: ".").map { Int($0.prefix(6)) ?? 0 }
        return parts.first.map { ($0, parts.count > 1 ? parts[1] : 0) }
    }
}
