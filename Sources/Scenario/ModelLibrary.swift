// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario owns experiment and model files: it finds them, lays overrides over them, checks every key, unit and range,
// and explains what is wrong, all of it at once, with file, line and column.
// In: an experiment file, `--set` options, the folders of models, a catalog of policies. Out: an `Experiment`, typed.
// It runs nothing and writes nothing; what a value means belongs to the module whose parameters it fills.
// Read first: this file, then `ModelTrees.swift` (bases and overrides), `ExperimentReader.swift`, `Experiment.swift`.

import Files

/// The folders in which models are looked for, first come first served.
public struct ModelLibrary: Sendable {
    /// A kind of model with a folder of its own.
    public enum Kind: String, Sendable, CaseIterable {
        case devices, apps, personas, populations, processors, radios, cells, chargers

        /// One of the kind, in words.
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

    /// The `models` folders, in the order in which they are searched.
    public let folders: [String]

    /// Creates a library of given folders.
    public init(folders: [String]) { self.folders = folders }

    /// Finds the folders for an experiment.
    ///
    /// In this order: the folder named by FLOTSAM_MODELS; a folder `models` beside the experiment or anywhere above it;
    /// the same from the working folder; the same from the program; `share/flotsam/models` of the prefix in whose `bin`
    /// it is installed; the source folder it was built from.
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

    /// The file of a model, or nil.
    public func path(_ kind: Kind, _ name: String) -> String? {
        folders.map { "\($0)/\(kind.rawValue)/\(name).yaml" }.first { FilePath.exists($0) }.map(FilePath.short)
    }

    /// The names of all models of a kind, sorted.
    public func names(_ kind: Kind) -> [String] {
        var names: Set<String> = []
        for folder in folders {
            for file in directoryEntries("\(folder)/\(kind.rawValue)") where file.hasSuffix(".yaml") {
                names.insert(String(file.dropLast(5)))
            }
        }
        return names.sorted()
    }

    /// A file as assumptions name it: from its `models` folder on, or as it is when it lies in none.
    public func label(_ path: String) -> String {
        guard let full = FilePath.real(path) else { return path }
        for folder in folders where full.hasPrefix(folder + "/") {
            return "models/" + full.dropFirst(folder.utf8.count + 1)
        }
        return path
    }
}
