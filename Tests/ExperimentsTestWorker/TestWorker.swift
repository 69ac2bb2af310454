// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Quantities
import Recording
import Scenario

/// A worker whose runs are made up and which obeys the tests: `PLAN.json ORDER... SEGMENT`.
///
/// Orders: `trap=N` traps at run N, `fail=N` reports an error, `wait=MS` dawdles in every run, `workload=N` sees
/// another workload in run N, `babble` prints in every run, `noise` blurs the metrics, `refuse` never starts, `build=N`
/// claims to be another build, whose metrics differ, `drawn=N` has N workloads that replications take in
/// turn. Once only, as a file beside the plan remembers: `stop-once=N` stops itself in run N, `kill-once=N` kills
/// itself there; `die-first=N` lets the first N workers die before they are ready.
@main
struct TestWorker {
    static func main() throws {
        let words = CommandLine.arguments.dropFirst()
        guard let planPath = words.first, let segment = words.last, words.count >= 2 else { exit(64) }
        let orders = words.dropFirst().dropLast()
        if orders.contains("refuse") {
            fputs("the experiment file has changed\n", stderr())
            exit(1)
        }
        for order in orders where order.hasPrefix("die-first=") {
            for start in 0..<(Int(order.dropFirst(10)) ?? 0) where Once.happens("start-\(start)", beside: planPath) {
                kill(getpid(), SIGKILL)
            }
        }
        guard let plan = Plan(manifest: try JSONValue(parsing: try readFile(planPath))) else { exit(65) }
        let executor = ObedientExecutor(plan: plan, planPath: planPath, orders: Array(orders))
        let other = orders.first { $0.hasPrefix("build=") }.flatMap { UInt64($0.dropFirst(6)) }
        exit(WorkerLoop.serve(executor: executor, segmentPath: segment, build: other ?? Build.current))
    }

    private static func stderr() -> UnsafeMutablePointer<FILE>? { fdopen(2, "w") }
}

private struct Ordered: Error {}

/// What happens only the first time, in whichever process.
private enum Once {
    static func happens(_ name: String, beside path: String) -> Bool {
        let file = open("\(path).\(name)", O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        if file >= 0 { close(file) }
        return file >= 0
    }
}

private struct ObedientExecutor: RunExecutor {
    let plan: Plan
    let planPath: String
    let orders: [String]

    func appNames(in run: PlannedRun) -> [String] { ["mail", "maps"] }

    func execute(_ run: PlannedRun, sink: any RowSink, watch: RunWatch?) throws -> RunOutcome {
        watch?.mark(RunPosition(time: .seconds(Double(200_000 + run.number)), event: UInt64(50 + run.number)))
        for (order, signal) in [("stop-once", SIGSTOP), ("kill-once", SIGKILL)]
        where orders.contains("\(order)=\(run.number)") && Once.happens("\(order)-\(run.number)", beside: planPath) {
            kill(getpid(), signal)
        }
        if orders.contains("trap=\(run.number)") { fatalError("ordered to trap") }
        if orders.contains("fail=\(run.number)") { throw Ordered() }
        if orders.contains("babble") { print("hello") }
        for order in orders where order.hasPrefix("wait=") { usleep((UInt32(order.dropFirst(5)) ?? 0) * 1000) }
        if plan.tables.contains(.deviceHours) {
            for hour in 0..<3 {
                var row = DeviceHourRow()
                row.hour = hour
                row.kills = run.number
                sink.write(row)
            }
        }
        let drawn = orders.first { $0.hasPrefix("drawn=") }.flatMap { Int($0.dropFirst(6)) } ?? .max
        let strange = orders.contains("workload=\(run.number)")
        let luck = Double((run.replication &* 7919) % 31)
        let isOther = orders.contains { $0.hasPrefix("build=") }
        let noise = orders.contains("noise") ? Double(run.identity % 1000) / 500 : 0
        let values = MetricCatalog.catalogue.metrics.indices.map {
            100 + luck + Double(run.policy * (5 + $0 % 3)) + luck / 64 + noise + (isOther ? 1 : 0)
        }
        return RunOutcome(
            metrics: values, events: UInt64(1000 + run.number), userActions: 10,
            fingerprint: run.identity ^ 0xabcd,
            workloadFingerprint: UInt64(run.replication % drawn) + (strange ? 999 : 0))
    }
}
