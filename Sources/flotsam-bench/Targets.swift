// SPDX-License-Identifier: GPL-3.0-or-later

extension Target {
    /// Ratios that are printed if both of their sides were measured.
    static let all: [Target] =
        hold + reschedule + [
            Target(
                text:
                    "M/M/1: time of the engine with a heap, divided by the time of a two-clock loop with the same "
                    + "sampler",
                top: Side(name: "mm1", subject: "engine-heap", size: 1),
                bottom: Side(name: "mm1", subject: "two-clock-loop", size: 1), atMost: 1.6),
            faster("mm1", 1, "engine-wheel", than: "simpy-resource", 150),
            faster("mm1", 1, "engine-wheel", than: "c++-two-clock-loop", nil),
            faster("random", 1, "exponential", than: "gsl-mt19937-exponential", 4),
            Target(
                text: "phone: million events per second with 1,000 apps",
                top: Side(name: "phone", subject: "events", size: 1_000), bottom: .million, atLeast: 2),
            Target(
                text: "phone: events per second with 10,000 apps, divided by events per second with 100 apps",
                top: Side(name: "phone", subject: "events", size: 10_000),
                bottom: Side(name: "phone", subject: "events", size: 100), atLeast: 0.5),
        ] + memory + background + policies + workload

    private static let memory: [Target] =
        ["plain", "governed"].map { subject in
            Target(
                text: "memory: time per kill with 10,000 processes, divided by the time with 100 (\(subject))",
                top: Side(name: "memory", subject: "\(subject)-kill", size: 10_000),
                bottom: Side(name: "memory", subject: "\(subject)-kill", size: 100), atMost: 2)
        } + [
            Target(
                text: "memory: requests per second of the plain LRU cache, divided by 20 million",
                top: Side(name: "memory", subject: "lru-cache", size: 10_000), bottom: .twenty, atLeast: 1)
        ]

    private static let background = [
        ("decision", "background: time per decision with 10,000 apps, divided by the time with 100"),
        (
            "change-waking-64",
            "background: time for a change that 64 requests wait for, with 10,000 apps, divided by the time with 100"
        ),
    ].map { subject, text in
        Target(
            text: text, top: Side(name: "background", subject: subject, size: 10_000),
            bottom: Side(name: "background", subject: subject, size: 100), atMost: 2)
    }

    /// A decision of a policy in C may take 50 ns more than one in Swift.
    private static let policies = ["rank", "decision"].map { subject in
        Target(
            text: "policies: additional time of a \(subject) in C compared with Swift, divided by 50 ns",
            top: Side(name: "policies", subject: "c-\(subject)-over-swift", size: 1),
            bottom: Side(name: "", subject: "", size: 0, constant: 50), atMost: 1)
    }

    /// Targets of workloads.
    ///
    /// A month may take 5 ms, and a year of a heavy user with 10,000 apps 10 s and 100 MiB. An import must read 100 MB
    /// of an export in a second.
    private static let workload = [
        ("user-month", 120, "workload: time for a user's month, divided by 5 ms", 5.0, true),
        ("heavy-year", 10_000, "workload: time for a heavy user's year with 10,000 apps, divided by 10 s", 10, true),
        (
            "heavy-year-memory", 10_000,
            "workload: memory for a heavy user's year with 10,000 apps, divided by 100 MiB", 100, true
        ),
        (
            "import-app-usage", 400_000, "workload: imported MB of an App Usage export per second, divided by 100", 100,
            false
        ),
        ("import-aware", 400_000, "workload: imported MB of an AWARE table per second, divided by 100", 100, false),
        (
            "import-usagestats", 400_000, "workload: imported MB of dumped usagestats per second, divided by 100", 100,
            false
        ),
        ("import-lsapp", 400_000, "workload: imported MB of LSApp per second, divided by 100", 100, false),
        (
            "import-batterystats", 400_000, "workload: imported MB of a battery history per second, divided by 100",
            100, false
        ),
    ].map { subject, size, text, bound, isMost in
        Target(
            text: text, top: Side(name: "workload", subject: subject, size: size),
            bottom: Side(name: "", subject: "", size: 0, constant: bound), atLeast: isMost ? nil : 1,
            atMost: isMost ? 1 : nil)
    }

    private static let hold: [Target] =
        [
            faster("hold", 10_000, "best-queue", than: "std::priority_queue", 3.5),
            Target(
                text:
                    "hold with 4,096 events: time of the heap across modules, divided by its time in this module",
                top: Side(name: "hold", subject: "heap", size: 4_096),
                bottom: Side(name: "hold", subject: "local-heap", size: 4_096), atMost: 3),
        ]
        + ["simpy-processes": 45, "ns3-priority-queue": 4, "ns3-map": 7].sorted { $0.key < $1.key }.map {
            faster("hold", 10_000, "engine-wheel", than: $0.key, $0.value)
        }

    private static let reschedule: [Target] = [1_000, 10_000, 100_000].map {
        faster("reschedule3", $0, "engine-wheel", than: "std::priority_queue-lazy", $0 == 10_000 ? 4 : nil)
    }

    private static func faster(
        _ name: String, _ size: Int, _ subject: String, than other: String, _ atLeast: Double?
    ) -> Target {
        Target(
            text: "\(name) at \(size): speed of \(subject) divided by speed of \(other)",
            top: Side(name: name, subject: other, size: size),
            bottom: Side(name: name, subject: subject, size: size), atLeast: atLeast)
    }
}
