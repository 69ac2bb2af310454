// SPDX-License-Identifier: GPL-3.0-or-later
import ConfigText
import Diagnostics

/// Probable kind of a file, by its top-level keys.
///
/// Messages name the kind if a command receives the wrong file.
public enum FileKind: Sendable, Equatable {
    case experiment, bench, knownMisses, scenario, recording
    case model(ModelLibrary.Kind)

    /// Top-level keys that occur in only one kind of file, in the order of the search.
    private static let marks: [(kind: FileKind, keys: Set<String>)] = [
        (.experiment, ["policies", "replications", "duration", "user", "question"]),
        (.scenario, ["steps", "processes"]),
        (.model(.populations), ["traits", "kinds", "correlations"]),
        (
            .model(.personas),
            ["pickups", "visit", "glance", "wifi", "installed_apps", "workday_hours", "places", "installs"]
        ),
        (.model(.processors), ["performance", "frequency_policy"]),
        (.model(.radios), ["interface", "promotion_power", "promotion_extra_energy", "idle_power"]),
        (.model(.cells), ["voltages", "voltage_states", "cutoff"]),
        (.model(.chargers), ["link", "sustained_power"]),
        (.model(.devices), ["memory", "battery", "display", "radios", "processor", "os", "heat", "daemons"]),
        (.model(.apps), ["categories", "defaults"]),
    ]

    /// Kind of a file, by its tree; nil if no key identifies a kind.
    public static func of(_ root: Node) -> FileKind? {
        let keys = Set((root.entries ?? []).map(\.key))
        if root["kind"]?.scalar == "bench" { return .bench }
        if root["kind"] != nil, keys.contains("misses") { return .knownMisses }
        if root.scalar?.contains("t_s,event,app,value") == true { return .recording }
        return marks.first { !$0.keys.isDisjoint(with: keys) }?.kind
    }

    /// Noun for the kind, with an article.
    public var noun: String {
        switch self {
        case .experiment: "an experiment"
        case .bench: "a bench"
        case .knownMisses: "a list of known misses"
        case .scenario: "a scenario script"
        case .recording: "a recording of a user"
        case .model(let kind) where [.apps, .personas, .populations].contains(kind): article(kind.noun)
        case .model(let kind): article(kind.noun) + " model"
        }
    }

    /// Command or key that uses a file of this kind.
    public func use(_ file: String) -> String {
        switch self {
        case .experiment: "flotsam run \(file)"
        case .bench: "flotsam validate \(file)"
        case .knownMisses: "flotsam check \(file)"
        case .scenario: "flotsam lab scenario \(file)"
        case .recording: "flotsam data workload stats \(file), or in an experiment user: {trace: \(file)}"
        case .model(let kind): "name it in an experiment, as in \(Self.example(kind, file))"
        }
    }

    private static func example(_ kind: ModelLibrary.Kind, _ file: String) -> String {
        switch kind {
        case .devices: "device: \(file)"
        case .apps: "apps: \(file)"
        case .personas: "user: {persona: \(file)}"
        case .populations: "user: {population: \(file), size: 200}"
        case .processors: "device: {base: iphone-13, processor: \(file)}"
        case .radios: "device: {base: iphone-13, radios: {cellular: \(file)}}"
        case .cells: "device: {base: iphone-13, battery: {cell: \(file)}}"
        case .chargers: "user: {persona: {base: average, charging: {charger: \(file)}}}"
        }
    }

    /// Throws if the keys of a file identify it as a file of another kind.
    public static func require(_ expected: FileKind, _ root: Node) throws(Diagnostics) {
        guard let found = of(root), found != expected else { return }
        let file = root.location.source.name
        throw Diagnostics([
            Diagnostic("\(file) is \(found.noun), not \(expected.noun)", hint: found.use(file))
        ])
    }
}
