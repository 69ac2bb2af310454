// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics
import Files
import Foundation
import Phone
import Quantities
import Synchronization
import TestSupport
import Testing

@testable import Scenario

/// A key that is accepted must act: every key of device, apps and user is changed, and a run has to change with it.
///
/// A key that matters only under a condition stands in `KeyConditions` with that condition, under which it has to act.
/// A key that is for readers of the file, or of which other tests show what it does, stands there with the reason.
@Suite struct ActingKeyTests {
    @Test(arguments: KeyRun.sample(ModelKey.all.filter(\.mustAct)))
    func `a change of the key changes a run`(_ key: ModelKey) throws {
        let condition = KeyConditions.condition(of: key.path)
        #expect(try acts(key, under: condition?.settings ?? []), "\(key.path): no value of \(key.values) changed a run")
    }

    @Test func `every condition is about a key that there is`() {
        let paths = Set(ModelKey.all.map(\.path))
        #expect(paths.isSuperset(of: KeyConditions.values.keys), "\(Set(KeyConditions.values.keys).subtracting(paths))")
        for condition in KeyConditions.conditions {
            for pattern in condition.keys {
                #expect(paths.contains { KeyConditions.matches($0, pattern) }, "no key \(pattern)")
            }
        }
        #expect(ModelKey.all.count(where: \.mustAct) > 390)
    }

    /// Whether two settings of the key, the default among them, lead to different runs.
    private func acts(_ key: ModelKey, under settings: [String]) throws -> Bool {
        let before = try KeyRun.print(settings)
        for value in key.values {
            // A value that the reader refuses, for instance beside what else is set, says nothing.
            guard let after = try? KeyRun.print(settings + ["\(key.path)=\(value)"]) else { continue }
            if after != before { return true }
        }
        return false
    }
}

/// A run of everything that determines its outcome.
enum KeyRun {
    /// A full phone of which the tests' app is used, asks for work, and may do it: Friday and Saturday.
    static let text = """
        schema: 1
        name: keys
        seed: 7
        start: 2026-03-06 00:00
        duration: 2 d
        warmup: 0 s
        replications: 1
        device: {base: iphone-13, memory: {ram: 2 GiB}}
        apps:
          catalog: everyday
          count: 70
          apps: {pigeon: {memory: {windows: 2, window: 9 MiB}, refresh: {enabled: true}, processing: {per_day: 9}}}
        user: {persona: {base: average}}
        policies: {eviction: [jetsam], scheduling: [opportunistic]}
        """

    /// Fingerprint and metrics of the run.
    static func print(_ settings: [String]) throws -> [UInt64] {
        let key = settings.joined(separator: "\n")
        if let known = known.withLock({ $0[key] }) { return known }
        let experiment = try load(text, overrides: settings)
        let outcome = simulate(experiment.specification(point: 0, policy: 0, replication: 0))
        let found = [outcome.fingerprint] + outcome.metrics.map(\.bitPattern)
        known.withLock { $0[key] = found }
        return found
    }

    /// Runs that several keys are compared with.
    private static let known = Mutex<[String: [UInt64]]>([:])

    /// All cases; in a debug build, where runs take ten times as long, every tenth unless FLOTSAM_ALL_KEYS is set.
    static func sample<T>(_ cases: [T]) -> [T] {
        #if DEBUG
            if FilePath.environment("FLOTSAM_ALL_KEYS") == nil {
                return cases.indices.filter { $0.isMultiple(of: 10) }.map { cases[$0] }
            }
        #endif
        return cases
    }
}
