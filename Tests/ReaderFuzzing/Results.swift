// SPDX-License-Identifier: GPL-3.0-or-later
import Experiments
import Files
import Glibc
import Measures
import Phone
import PhoneCore
import Recording
import Scenario

extension ReaderTarget {
    /// A plan whose results are read.
    static let plan = Plan(
        definition,
        PlanLayout(
            points: [
                PlannedPoint(values: ["3 GiB"], configuration: 3), PlannedPoint(values: ["4 GiB"], configuration: 4),
            ], policies: ["lru", "jetsam"].map { PlannedPolicy(eviction: $0, scheduling: "immediate") },
            replications: 2))

    private static var definition: ExperimentDefinition {
        var definition = ExperimentDefinition(name: "small", seed: 1)
        definition.axes = ["device.memory.ram"]
        definition.output.tables = .deviceHours
        return definition
    }

    /// What a manifest keeps of it.
    private static let resolved = """
        {"experiment":{"schema":"1","name":"small","seed":"1","start":"1970-01-01","duration":"1 d",\
        "output":{"tables":["device_hours"]},\
        "sweep":{"axes":{"device.memory.ram":["3 GiB","4 GiB"]}}}}
        """

    private static let manifest = JSONValue.object([
        "plan": plan.json, "versions": .object(["build": .string("0123456789abcdef")]),
        "experiment": .object([
            "path": .string("small.yaml"), "written": .string("name: small 🦭\n"), "resolved": .string(resolved),
        ]),
    ])
    private static let marks = ("<script type=\"application/json\" id=\"flotsam-results\">", "</script>")
    private static let page = JSONValue.object([
        "name": .string("small"), "replications": .integer(2), "fingerprints": .array([.string("0123"), .null]),
        "versions": .object([:]), "experiment": manifest["experiment"] ?? .null,
    ])
    private static let failure =
        #"{"identity":"\#(String(plan.runs[0].identity, radix: 16))","reason":"died","kind":"crash","policy":"lru"}"#

    private static func answers(seed: String, values: String) -> String {
        #"{"answers":[{"question":"cold","figures":[{"name":"cold_share","values":[\#(values)]}]}],"seed":"\#(seed)","#
            + #""model":"\#(modelVersion)","users":{"device":"00ff"}}"#
    }

    /// The readers of what the program wrote itself, once somebody else had it.
    static let results: [ReaderTarget] = [
        ReaderTarget("json", texts: [manifest.compact, manifest.pretty, "[1e400, -0, \"\\ud83d\"]"]) { bytes in
            let text = try JSONValue(parsing: bytes).compact
            precondition((try? JSONValue(parsing: text).compact) == text, "JSON that was written is read as another")
        },
        ReaderTarget("plan", texts: [manifest.compact]) { bytes in
            guard let plan = Plan(manifest: try JSONValue(parsing: bytes)) else { return }
            _ = plan.runs.count
        },
        ReaderTarget("manifest", texts: [manifest.pretty]) { bytes in
            let folder = try Scratch.folder("manifest")
            _ = try Scratch.file("manifest/manifest.json", bytes)
            let directory = ResultDirectory(folder)
            _ = try directory.plan().runs.count
            _ = try directory.build()
        },
        ReaderTarget(
            "bundle", texts: [#"{"file":"small.yaml","path":"small.yaml","versions":{},"overrides":["seed=2"]}"#]
        ) { bytes in
            _ = try Scratch.folder("bundled")
            _ = try Scratch.folder("bundled/bundle")
            _ = try Scratch.file("bundled/bundle/bundle.json", bytes)
            _ = try Bundle(in: ResultDirectory(Scratch.folder + "/bundled"))
        },
        ReaderTarget("failures", texts: [failure + "\n", failure + "\n" + failure + "\n{}\n"]) { bytes in
            let folder = try Scratch.folder("failures")
            _ = try Scratch.file("failures/failures.jsonl", bytes)
            _ = try RememberedFailures(in: ResultDirectory(folder), plan: plan).damage
        },
        ReaderTarget("page", texts: ["<html>" + marks.0 + page.compact + marks.1 + "</html>"]) { bytes in
            let page = try Reproduction(page: try Scratch.file("page.html", bytes))
            _ = page.written.utf8.count + page.overrides.count
        },
        ReaderTarget("answers", texts: [answers(seed: "7", values: "0.25, null, 1e3"), answers(seed: "", values: "")]) {
            _ = try EarlierAnswers(bytes: $0, of: "answers.json")
        },
        ReaderTarget("segment", made: segments) { try readSegment($0) },
        // The same, past the checksums that guard every record.
        ReaderTarget("records", made: segments) { try readSegment(sealed($0)) },
    ]

    private static func readSegment(_ bytes: [UInt8]) throws {
        let folder = try Scratch.folder("results")
        let segments = try Scratch.folder("results/segments")
        _ = try Scratch.file("results/segments/1.seg", bytes)
        let reader = try SegmentReader("1.seg", in: Folder(segments))
        while let run = try reader.next() {
            let segment = try SegmentFile(reader.segment)
            let again = try segment.run(at: run.spot)
            precondition(again?.agrees(with: run) == true, "a run that was found cannot be read again")
            try segment.eachMetric(0..<1000, at: run.spot) { _, _ in }
        }
        _ = try RunStore(plan: plan, directory: ResultDirectory(folder))
    }

    /// A segment with two runs of the plan.
    private static func segments() throws -> [[UInt8]] {
        let path = Scratch.folder + "/seed.seg"
        unlink(path)
        let segment = try SegmentWriter(path: path, build: Build.current)
        for run in plan.runs.prefix(2) {
            let recorder = try RunRecorder(run: run.identity, names: RowNames(apps: []), segment: segment)
            let outcome = RunOutcome(
                metrics: [1, 2.5, .nan], events: 1, userActions: 1, fingerprint: 7, workloadFingerprint: 8)
            try recorder.finish(outcome, tables: [], seconds: 0)
        }
        return [try readFile(path)]
    }

    /// The bytes with a right checksum behind each record, as `Segment.swift` of `Recording` lays them out.
    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        var offset = 18
        while offset + 24 <= bytes.count {
            let length = (4...7).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
            let end = offset + 16 + length
            guard end + 8 <= bytes.count else { break }
            let sum = Checksum.of(bytes[offset..<end])
            for index in 0..<8 { bytes[end + index] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * index)) }
            offset = end + 8
        }
        return bytes
    }
}
