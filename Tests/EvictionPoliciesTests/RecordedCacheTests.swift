// SPDX-License-Identifier: GPL-3.0-or-later
import Foundation
import Quantities
import TestSupport
import Testing
import Vocabulary
import Workload

@testable import EvictionPolicies
@testable import Importers

/// The folder of recordings that are not shipped; nil where none is named.
private let recordings = ProcessInfo.processInfo.environment["FLOTSAM_RECORDINGS"]

/// The table of plain caches in docs/policies.md, from the logs of two users (NOTICE).
///
/// `FLOTSAM_RECORDINGS=FOLDER swift test --filter RecordedCacheTests`; the folder holds `exports/app_usage_android`.
@Suite(.enabled(if: recordings != nil, "FLOTSAM_RECORDINGS names no folder: the logs are not shipped"))
struct RecordedCacheTests {
    /// The weights of `learned` for either user, from the opens of the other one (`Tests/Reference/learned_ranker.py`).
    private static let weights = [(0.07, 0.90, 0.05), (0.07, 0.63, 0.15)]

    private static func opens(of user: Int) throws -> [(time: SimTime, app: Int)] {
        let folder = try #require(recordings) + "/exports/app_usage_android"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let paths = names.filter { $0.hasPrefix("user\(user)_") && $0.contains("_Activity_") }.map { "\(folder)/\($0)" }
        var opens: [(SimTime, Int)] = []
        for event in try importAppUsage(paths: paths, AppUsageOptions()).events
        where event.kind == .open && opens.last?.1 != Int(event.app) { opens.append((event.time, Int(event.app))) }
        return opens
    }

    @Test(arguments: [1, 2])
    func `hits of two recorded users are those of the table`(user: Int) throws {
        let opens = try Self.opens(of: user)
        #expect(opens.count == [5097, 2122][user - 1])
        let table = try SourceTree.text("docs/policies.md").split(separator: "\n")
        let head = try #require(table.firstIndex { $0.hasPrefix("| seats | user |") })
        let names = Self.cells(table[head]).dropFirst(2)
        for line in table[(head + 2)...].prefix(6) where Self.cells(line)[1] == String(user) {
            let room = try #require(Int(Self.cells(line)[0]))
            for (name, share) in zip(names, Self.cells(line).dropFirst(2)) {
                let entry = try #require(EvictionPolicies.all.first { $0.descriptor.name == name })
                var policy = entry.make(entry.descriptor.defaultArguments(seed: 3))
                if name == "learned" {
                    let (recency, opens, hour) = Self.weights[user - 1]
                    policy = adjusted(LearnedRanker()) { ($0.recency, $0.opens, $0.hour) = (recency, opens, hour) }
                }
                let hits = CacheMode.hits(
                    opens.map(\.app), at: opens.map(\.time), apps: 1 + (opens.map(\.app).max() ?? 0), room: room,
                    policy: policy)
                let found = String(format: "%.1f", 100 * Double(hits) / Double(opens.count))
                #expect(found == share, "\(name), \(room) seats")
            }
        }
    }

    @Test(arguments: [(1, 5, 40), (2, 5, 28)])
    func `raw distances are a bad guide`(user: Int, room: Int, percent: Double) throws {
        let opens = try Self.opens(of: user)
        let hits = CacheMode.hits(
            opens.map(\.app), apps: 1 + (opens.map(\.app).max() ?? 0), room: room,
            policy: adjusted(RelaunchDistance()) { $0.isCalibrated = false })
        #expect((100 * Double(hits) / Double(opens.count)).rounded() == percent)
    }

    private static func cells(_ line: Substring) -> [String] {
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
