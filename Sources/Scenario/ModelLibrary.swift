// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario reads experiment and model files. It finds the files, applies overrides, and checks every key, unit and
// range.
// All problems are reported together, with file, line and column.
// In: an experiment file, `--set` options, the folders of models, a catalog of policies. Out: a typed `Experiment`.
// The module runs and writes nothing. The meaning of a value is defined in the module that owns the parameters.
// Read first: this file, then `ModelTrees.swift` (bases and overrides), `ExperimentLoader.swift`, `Experiment.swift`.

import Files

/// Folders with models, in search order.
public struct ModelLibrary: Sendable {
    /// Kind of model.
    ///
    /// Each kind has its own folder.
    public enum Kind: String, Sendable, CaseIterable {
        case devices, apps, personas, populations, processors, radios, cells, chargers

        /// Singular noun for the kind, for messages.
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
    /// The first folder is the one in FLOTSAM_MODELS. Folders named `models` are next: in or above the folder of the
    /// experiment, the working folder and the program's folder, in this order. The last folders are
    /// `share/flotsam/models` next to the `bin` folder of the program, and folders `models` above the source files of
    /// the build.
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

    /// Path of a model's file; nil if there is no such file.
    public func path(_ kind: Kind, _ name: String) -> String? {
        folders.map { "\($0)/\(kind.rawValue)/\(name).yaml" }.first { FilePath.exists($0) }.map(FilePath.short)
    }

    /// Names of all models of a kind, in alphabetical order.
    public func names(_ kind: Kind) -> [String] {
        var names: Set<String> = []
        for folder in folders {
            for file in directoryEntries("\(folder)/\(kind.rawValue)") where file.hasSuffix(".yaml") {
                names.insert(String(file.dropLast(5)))
            }
        }
        return names.sorted()
    }

    /// Path of a file for assumptions.
    ///
    /// The path starts at the `models` folder; the path of a file elsewhere does not change.
    public func label(_ path: String) -> String {
        guard let full = FilePath.real(path) else { return path }
        for folder in folders where full.hasPrefix(folder + "/") {
            return "models/" + full.dropFirst(folder.utf8.count + 1)
        }
        return path
    }
}
