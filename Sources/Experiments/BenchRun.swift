// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Power
import Scenario

/// Measures the cases of a bench.
public enum BenchRun {
    /// Findings for all targets of a bench, in the order of its file.
    ///
    /// - Throws: `Diagnostics` when a cell's tables are invalid or an integration fails.
    public static func findings(of bench: Bench) throws -> [TargetFinding] {
        var values: [String: [String: Double]] = [:]
        for each in bench.cases {
            do {
                values[each.name] = try measure(each.subject)
            } catch {
                throw Diagnostics("\(bench.path): \(each.name): \(error)")
            }
        }
        func value(_ quantity: TargetQuantity) -> Double {
            guard case .bench(let name, let value) = quantity else { return .nan }
            return values[name]?[value] ?? .nan
        }
        return bench.targets.map { target in
            var found = value(target.quantity)
            if let reference = target.reference { found /= value(reference.quantity) }
            found *= target.unit.scale
            return TargetFinding(target: target, policy: "", found: found, halfWidth: .infinity, count: 1)
        }
    }

    /// Measured values of a case by their names.
    static func measure(_ subject: Bench.Subject) throws -> [String: Double] {
        switch subject {
        case .radio(let bench): bench.measure()
        case .cell(let bench): try bench.measure()
        case .heat(let bench): bench.measure()
        }
    }
}
