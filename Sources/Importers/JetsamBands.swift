// SPDX-License-Identifier: GPL-3.0-or-later
import Processes
import Quantities

extension JetsamReport {
    /// Band of every process on the scale of iOS 16 and later, 0 to 210.
    ///
    /// Bands on the older scale (0 to 21) are multiplied by ten.
    var bands: [Int16] { hasBands ? processes.map { band(of: $0) } : estimatedBands }

    /// Whether the report uses the scale of iOS 15 and before, which has no band above 21.
    var usesOldScale: Bool { processes.allSatisfy { ($0.priority ?? 0) <= 21 || $0.isUntouchable } }

    private func band(of process: JetsamProcess) -> Int16 {
        let priority = max(0, process.priority ?? 0)
        return Int16(usesOldScale ? 10 * min(21, priority) : min(210, priority))
    }

    /// Bands for layouts without bands (iOS 9 to 12), estimated from the order of the rows and the states of the
    /// processes.
    ///
    /// Rows are in the order of bands. Idle daemons and suspended apps at the beginning are in band 0 or about to enter
    /// it. After them, daemons are in band 30, working apps in 40, and apps in view of the user in 100. Later daemons
    /// are in 140, the band of most system daemons. SpringBoard is in 160, backboardd in 170, and later rows are in
    /// 180.
    ///
    /// From iOS 12 on, frozen apps follow the working daemons in a separate band, with docked apps among them. In a
    /// report of iOS 14 with bands, every suspended app after a working daemon is frozen. Before iOS 12, all rows
    /// before the foreground app are in band 0, up to the last idle or suspended process.
    ///
    /// The exact number of a band matters little, because the order of victims depends only on the order of the rows.
    private var estimatedBands: [Int16] {
        let visible = processes.firstIndex { $0.isFrontmost } ?? processes.count
        let freezes = system.flatMap(Self.version).map { $0.major >= 12 } ?? false
        let ahead = processes[..<visible]
        let lastIdle =
            freezes
            ? (ahead.firstIndex { !$0.isStill } ?? visible) - 1 : ahead.lastIndex { $0.isStill } ?? -1
        let profile = OSProfile.named(rules.name, ram: nominalMemory ?? .gibibytes(4))
        let (docked, frozen) = (profile?.elevatedBand ?? 30, profile?.frozenBand ?? 80)
        let working = ahead.count { !$0.isStill && $0.isDaemon }
        var passed = 0
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
            } else if process.isSuspended {
                own = 2 * passed < working ? docked : frozen
            } else {
                own = process.isDaemon ? 30 : 40
            }
            if index < visible, !process.isStill, process.isDaemon { passed += 1 }
            own = max(own, reached)
            reached = own
            return own
        }
    }
}

extension JetsamProcess {
    /// Whether the process is idle or suspended.
    fileprivate var isStill: Bool { isIdle || isSuspended }
}

extension JetsamReport {
    /// Finds the generation of the system among names such as `ios-14` and `ios-18.4`.
    ///
    /// The result is the newest generation that is not newer than the report's system; nil when the report has no
    /// version.
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

    /// The first number in a text, and the number after its decimal point.
    static func version(_ text: String) -> (major: Int, minor: Int)? {
        let digits = text.drop { !("0"..."9").contains($0) }.prefix { ("0"..."9").contains($0) || $0 == "." }
        let parts = digits.split(separator: ".").map { Int($0.prefix(6)) ?? 0 }
        return parts.first.map { (major: $0, minor: parts.count > 1 ? parts[1] : 0) }
    }
}
