import Quantities
import Testing
import Vocabulary
import Workload

/// Means over twenty replications of four weeks against users-and-traces, section 6 (persona `average`).
///
/// The day factor has a spread of 0.35, so a mean over 560 days is good to about 2 % (one standard deviation); the limits
/// are those of section 7, test 8 (10 %), five deviations away. Seeds are fixed.
@Suite struct PersonaFiguresStatisticalTests {
    private static let days = 28
    private static let replications = 20

    private static let runs: [[[Intent]]] = (0..<replications).map {
        allDays(averagePersona(), seed: 20_260_101, replication: $0, days: days).days
    }

    private func perDay(_ count: ([Intent]) -> Double) -> Double {
        let total = Self.runs.joined().reduce(0) { $0 + count($1) }
        return total / Double(Self.days * Self.replications)
    }

    @Test func `95 sessions a day`() {
        let sessions = perDay { Double($0.count { $0.kind == .unlock }) }
        #expect(abs(sessions / (95 * (5 + 2 * 0.93) / 7) - 1) < 0.1, "\(sessions)")
    }

    @Test func `about 196 launches and 21 apps a day`() {
        let launches = perDay { Double($0.count { $0.kind == .open }) }
        let apps = perDay { Double(Set($0.filter { $0.kind == .open }.map(\.app)).count) }
        #expect(abs(launches / 196 - 1) < 0.1, "\(launches)")
        #expect(abs(apps / 21.2 - 1) < 0.1, "\(apps)")
    }

    @Test func `about three and a half hours with an app`() {
        let hours = perDay { $0.reduce(0) { $0 + ($1.kind == .open ? $1.value : 0) } / 3600 }
        #expect(abs(hours / 3.5 - 1) < 0.15, "\(hours)")
    }

    @Test func `three nights of four on the charger`() {
        let nights = perDay { Double($0.count { $0.kind == .plug }) }
        #expect(abs(nights - 0.75) < 0.08, "\(nights)")
    }

    @Test func `Wi-Fi most of the time`() {
        var onWiFi = 0.0
        for run in Self.runs {
            var last: Intent?
            for intent in run.joined() where intent.kind == .network {
                if let last, last.value == Double(Network.wifi.rawValue) { onWiFi += (intent.time - last.time).seconds }
                last = intent
            }
        }
        let share = onWiFi / Double(86400 * Self.days * Self.replications)
        // The minute study has .78 (section 2.6); the persona's shares by place give somewhat more.
        #expect(share > 0.74 && share < 0.9, "\(share)")
    }

    @Test func `the hours follow the persona's profile`() {
        var counts = [Double](repeating: 0, count: 24)
        var total = 0.0
        for run in Self.runs {
            for (day, intents) in run.enumerated() where day % 7 < 5 {
                for intent in intents where intent.kind == .unlock {
                    counts[Int(intent.time.hourOfDay)] += 1
                    total += 1
                }
            }
        }
        let weights = averagePersona().workdayHours
        let sum = weights.reduce(0, +)
        let distance = zip(counts, weights).reduce(0) { $0 + abs($1.0 / total - $1.1 / sum) } / 2
        #expect(distance < 0.08, "total variation \(distance)")
    }
}
