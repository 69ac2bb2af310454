// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario owns experiment and model files: it finds them, lays overrides over them, checks every key, unit and range,
// and explains what is wrong, all of it at once, with file, line and column.
// In: an experiment file, `--set` options, the folders of models, a catalog of policies. Out: an `Experiment`, typed.
// It runs nothing and writes nothing; what a value means belongs to the module whose parameters it fills.
// Read first: this file, then `ModelTrees.swift` (bases and overrides), `ExperimentReader.swift`, `Experiment.swift`.

import Files

/// Folders of models, in search order.
public struct ModelLibrary: Sendable {
    /// Kind of model with a folder of its own.
    public enum Kind: String, Sendable, CaseIterable {
        case devices, apps, personas, populations, processors, radios, cells, chargers

        /// Singular name of the kind, for messages.
        public var noun: String {
            switch self {
            case .devices: "device"
            case .apps: "app catalogue"
            case .personas: "persona"
            case .populations: "population"
            case .processors: "processor"
            case .radios: "radio"
            case .cells: "cell"
            case .chargers: "charger"
            }
        }
    }

    /// Folders named `models`, in search order.
    public let folders: [String]

    /// Creates a library with given folders.
    public init(folders: [String]) { self.folders = folders }

    /// Finds the folders for an experiment.
    ///
    /// The first are the folder named by FLOTSAM_MODELS, and folders `models` next to the experiment or above it.
    ///
    /// Next are folders `models` in or above the working folder, then in or above the program's folder. The last are
    /// `share/flotsam/models` of the prefix in whose `bin` the program is installed, and the source folder of the
    /// build.
    public static func located(experiment path: String? = nil) -> ModelLibrary {
        var found: [String] = []
        func add(_ folder: String) {
            guard isDirectory(folder), let real = FilePath.real(folder) else { return }
            if !found.contains(real) { found.append(real) }
        }
        func addUpward(from start: String?) {
            guard var folder = start.flatMap(FilePath.real) else { return }
            while true {
                add(FilePath.join(folder, "models"))
                let above = FilePath.folder(of: folder)
                if above == folder { return }
                folder = above
            }
        }
        if let named = FilePath.environment("FLOTSAM_MODELS") { add(named) }
        if let path { addUpward(from: FilePath.folder(of: path)) }
        addUpward(from: ".")
        addUpward(from: FilePath.programFolder)
        if let program = FilePath.programFolder {
            add(FilePath.join(FilePath.folder(of: program), "share/flotsam/models"))
        }
        addUpward(from: FilePath.folder(of: #filePath))
        return ModelLibrary(folders: found)
    }

    /// Path of a model's file; nil where there is none.
    public func path(_ kind: Kind, _ name: String) -> String? {
        folders.map { "\($0)/\(kind.rawValue)/\(name).yaml" }.first { FilePath.exists($0) }.map(FilePath.short)
    }

    /// Names of all models of a kind, sorted.
    public func names(_ kind: Kind) -> [String] {
        var names: Set<String> = []
        for folder in folders {
            for file in directoryEntries("\(folder)/\(kind.rawValue)") where file.hasSuffix(".yaml") {
                names.insert(String(file.dropLast(5)))
            }
        }
        return names.sorted()
    }

    /// Path of a file as written in assumptions: from its `models` folder on, or unchanged if it is in no such
    /// folder.
    public func label(_ path: String) -> String {
        guard let full = FilePath.real(path) else { return path }
        for folder in folders where full.hasPrefix(folder + "/") {
            return "models/" + full.dropFirst(folder.utf8.count + 1)
        }
        return path
    }
}
