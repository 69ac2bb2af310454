// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Platform
import Recording
import Scenario
import Vocabulary

/// Copy of an experiment, with every file that it reads, in a folder of its directory of results.
///
/// Machines that have neither the experiment nor its models run the experiment from this copy. The folder `files/`
/// contains the files at their relative paths, and `models/` contains the library's models by name. The file
/// `bundle.json` contains the path of the experiment file, and the versions that a program must have to continue the
/// runs.
public struct Bundle {
    /// Name of the folder in a directory of results.
    static let folderName = "bundle"
    private static let description = "bundle.json"
    /// Largest depth of nested folders.
    private static let deepest = 64

    /// Path of the folder.
    public let folder: String
    /// Path of the experiment file in the folder.
    public let file: String
    /// Path of the experiment as the user gave it.
    public let path: String
    /// Settings that the command line made.
    public let overrides: [String]
    /// Versions of the program and properties of the machine that made the bundle, as far as results depend on them.
    private let versions: JSONValue

    /// Opens the bundle of a directory.
    public init(in directory: ResultDirectory) throws(Diagnostics) {
        folder = directory.file(Self.folderName)
        guard isDirectory(directory.path) else { throw Diagnostics("there is no directory \(directory.path)") }
        let found: [UInt8]?
        do throws(FileError) {
            let bundle = try directory.folder().folder(Self.folderName)
            if let bundle { try Self.check(bundle) }
            found = try bundle?.bytes(Self.description, upTo: ResultLayout.largestDocument)
        } catch {
            throw Diagnostics("\(error.path): cannot \(error.action): \(error.reason)")
        }
        guard let bytes = found, let json = try? JSONValue(parsing: bytes),
            let file = json["file"]?.string, Self.isInside(file), let path = json["path"]?.string,
            let versions = json["versions"]
        else {
            throw Diagnostics(
                "\(directory.path) contains no bundle of an experiment",
                hint: "flotsam cluster init EXPERIMENT.yaml -o \(directory.path) makes one")
        }
        self.file = folder + "/" + file
        self.path = path
        overrides = (json["overrides"]?.array ?? []).compactMap(\.string)
        self.versions = versions
    }

    /// Whether a path stays inside the folder.
    private static func isInside(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
    }

    /// Throws an error for anything but files and folders, because the files of a bundle are read by path.
    private static func check(_ folder: Folder, depth: Int = 0) throws(FileError) {
        guard depth < deepest else { throw FileError(action: "read", path: folder.path, code: ENAMETOOLONG) }
        for name in try folder.names() {
            if folder.kind(name) == .file { continue }
            if folder.kind(name) == .folder, let inner = try folder.folder(name) {
                try check(inner, depth: depth + 1)
            } else {
                _ = try folder.file(name)
            }
        }
    }

    /// Folder of the library's models.
    public var models: String { folder + "/models" }

    /// Loads the experiment with files of this folder only.
    ///
    /// - Throws: `Diagnostics` when the running program could give results that differ from those of the program that
    ///   made the bundle.
    public func experiment(policies: PolicyCatalog) throws(Diagnostics) -> Experiment {
        let own = HostDescription.versions
        let names = [
            ("model", "version of the model"), ("gsl", "version of GSL"), ("c_library", "C library"),
            ("arithmetic", "arithmetic of the processor"), ("build", "build of flotsam"),
        ]
        for (key, name) in names where own[key] != versions[key] {
            throw Diagnostics(
                "\(folder) was made with another \(name) (\(versions[key]?.string ?? "unknown") there, "
                    + "\(own[key]?.string ?? "unknown") here); results would not be the same",
                hint: "use one program, on processors of one kind, for init, exec and merge")
        }
        let experiment = try loadExperiment(
            path: file, overrides: overrides, catalog: policies, library: ModelLibrary(folders: [models]))
        if let input = outside(experiment) { throw Diagnostics("\(file) names \(input), which is not in \(folder)") }
        return experiment
    }

    /// First file that the experiment reads from outside the folder; nil when there is none.
    private func outside(_ experiment: Experiment) -> String? {
        guard let home = FilePath.real(folder) else { return folder }
        return experiment.inputs.first { FilePath.real($0)?.hasPrefix(home + "/") != true }
    }

    /// Writes the bundle of an experiment, replaces an earlier bundle, and loads the new one as a check.
    ///
    /// - Throws: `Diagnostics` when the experiment cannot be loaded from the folder alone, or `FileError`.
    public static func write(
        _ experiment: Experiment, overrides: [String], policies: PolicyCatalog, to directory: ResultDirectory
    ) throws {
        let folder = try directory.folder().makeFolder(folderName)
        let inputs = try ([experiment.path] + experiment.inputs).map(locate)
        let root = commonFolder(inputs)
        let libraries = ModelLibrary.located(experiment: experiment.path).folders
        for input in inputs {
            let bytes = try readFile(input)
            try copy(bytes, to: "files/" + input.dropFirst(root.utf8.count), in: folder)
            if let library = libraries.first(where: { input.hasPrefix($0 + "/") }) {
                try copy(bytes, to: "models" + input.dropFirst(library.utf8.count), in: folder)
            }
        }
        let json = JSONValue.object([
            "file": .string("files/" + inputs[0].dropFirst(root.utf8.count)), "path": .string(experiment.path),
            "overrides": .array(overrides.map { .string($0) }), "versions": HostDescription.versions,
        ])
        try folder.replace(description) { file in try file.write(Array(json.pretty.utf8)) }
        try check(experiment, directory, policies)
    }

    /// Loads the bundle as a check: it must describe the same runs and use only its own files.
    private static func check(
        _ experiment: Experiment, _ directory: ResultDirectory, _ policies: PolicyCatalog
    ) throws {
        let hint = "name files by paths relative to the file that names them, without symbolic links"
        let again: Experiment
        do {
            again = try Bundle(in: directory).experiment(policies: policies)
        } catch {
            throw Diagnostics("\(experiment.path) cannot be bundled:\n\(error)", hint: hint)
        }
        guard Plan(again).hash == Plan(experiment).hash else {
            throw Diagnostics("\(experiment.path) cannot be bundled: the bundle would describe other runs", hint: hint)
        }
    }

    private static func copy(_ bytes: [UInt8], to path: String, in folder: Folder) throws {
        let home = try folder.makeFolder(FilePath.folder(of: path))
        try home.replace(FilePath.name(of: path)) { file in try file.write(bytes) }
    }

    private static func locate(_ path: String) throws(FileError) -> String {
        guard let real = FilePath.real(path) else { throw FileError(action: "read", path: path, code: 2) }
        return real
    }

    /// Deepest folder that contains all files, with a slash at the end.
    private static func commonFolder(_ paths: [String]) -> String {
        var folder = FilePath.folder(of: paths[0])
        while folder != "/", !paths.allSatisfy({ $0.hasPrefix(folder + "/") }) {
            folder = FilePath.folder(of: folder)
        }
        return folder == "/" ? folder : folder + "/"
    }
}
