// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Recording
import Scenario

/// Directory of results: its files, the experiment that owns it, and a lock that admits one writing program.
public final class ResultDirectory {
    /// Path of the directory.
    public let path: String
    private var opened: Folder?
    private var lock: Folder?

    /// Creates the object; the directory is not accessed yet.
    public init(_ path: String) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The open folder, through which all its files are accessed.
    func folder() throws(FileError) -> Folder {
        if let opened { return opened }
        let folder = try Folder(path)
        opened = folder
        return folder
    }

    /// Path of a file in the directory.
    public func file(_ name: String) -> String { path + "/" + name }

    /// Path of the folder of segments.
    public var segments: String { file(ResultLayout.segments) }

    /// The folder of segments; nil when it does not exist.
    func segmentFolder() throws(FileError) -> Folder? {
        guard FilePath.exists(path) else { return nil }
        return try folder().folder(ResultLayout.segments)
    }

    /// Names of the segment files, in the order of their creation.
    func segmentNames() throws(FileError) -> [String] {
        (try segmentFolder()?.names() ?? []).filter { $0.hasSuffix(".seg") }
    }

    /// The manifest; nil when it does not exist.
    public func manifest() throws(Diagnostics) -> JSONValue? {
        guard FilePath.exists(path) else { return nil }
        let found: [UInt8]?
        do throws(FileError) {
            found = try folder().bytes(ResultLayout.manifest, upTo: ResultLayout.largestDocument)
        } catch {
            throw Diagnostics("\(error.path): cannot \(error.action): \(error.reason)")
        }
        guard let bytes = found else { return nil }
        guard ManifestSeal.holds(bytes), let value = try? JSONValue(parsing: bytes) else {
            throw Diagnostics(
                "\(file("manifest.json")) is damaged; the runs in \(segments) are not touched",
                hint: Self.manifestHint(path))
        }
        return value
    }

    /// Hint that lists folders of results inside this one; the user probably meant one of them.
    private var foldersHint: String? {
        let found = directoryEntries(path).sorted().filter { FilePath.exists("\(path)/\($0)/\(ResultLayout.manifest)") }
        let more = found.count > 5 ? ", … (\(found.count) in all)" : ""
        let names = found.prefix(5).map { "\(path)/\($0)" }.joined(separator: ", ")
        return found.isEmpty ? nil : "results are in \(names)\(more)"
    }

    /// The plan of the results.
    public func plan() throws(Diagnostics) -> Plan {
        guard isDirectory(path) else {
            if (try? InputFile(path)) != nil {
                throw Diagnostics("\(path) is a file", hint: "name the directory of results that flotsam run made")
            }
            throw Diagnostics("there is no directory \(path)", hint: "flotsam run EXPERIMENT.yaml -o \(path) makes it")
        }
        guard let manifest = try manifest() else {
            throw Diagnostics(
                "\(path) contains no results: it has no manifest.json",
                hint: (try? segmentNames())?.isEmpty ?? true ? foldersHint : Self.manifestHint(path))
        }
        let json = manifest["plan"]
        if let excess = json.flatMap(Plan.excess) {
            throw Diagnostics("\(file(ResultLayout.manifest)) \(excess)", hint: "no experiment has so many")
        }
        guard let plan = Plan(manifest: manifest) else {
            throw Diagnostics(
                "\(file(ResultLayout.manifest)) has no plan that this program can read: "
                    + "another version of the model wrote the plan, or the plan was changed",
                hint: "run the experiment again with this program")
        }
        return plan
    }

    /// Build of the program that last wrote the tables; 0 when the manifest contains none.
    public func build() throws(Diagnostics) -> UInt64 {
        try manifest()?["versions"]?["build"]?.string.flatMap { UInt64($0, radix: 16) } ?? 0
    }

    private static func manifestHint(_ path: String) -> String {
        "flotsam run EXPERIMENT.yaml -o \(path) writes the manifest again if the runs are of that experiment"
    }

    /// Creates the directory if necessary and locks it for a plan; a directory of another experiment is not changed.
    ///
    /// A lost or damaged manifest is repaired if the segments contain runs of the plan. The damaged file is moved to
    /// another name, and the session writes a new one.
    ///
    /// - Parameter plan: the plan with its largest number of replications.
    /// - Returns: messages for the user about repairs.
    public func claim(for plan: Plan) throws -> [String] {
        let existed = isDirectory(path)
        if existed {
            _ = try checkOwner(plan)
        } else {
            try createDirectory(path)
            try synchronizeDirectory(FilePath.folder(of: path))
        }
        let folder = try folder()
        lock = try folder.locked()
        guard lock != nil else {
            throw Diagnostics(
                "another flotsam process is writing to \(path)", hint: "wait for it, or name another directory with -o")
        }
        let orphans = existed ? try checkOwner(plan) : 0
        try ResultLayout.check(folder)
        let finished = SessionNotices.texts(of: try FileSet.finish(in: folder), in: self)
        _ = try folder.makeFolder(ResultLayout.segments)
        guard orphans > 0 else { return finished }
        let isDamaged = folder.kind(ResultLayout.manifest) != nil
        if isDamaged {
            _ = try EarlierFiles(of: folder).keep([ResultLayout.manifest])
            folder.remove(ResultLayout.manifest)
            try folder.synchronize()
        }
        let found =
            "\(file("manifest.json")) \(isDamaged ? "is damaged (now in \(ResultLayout.earlier))" : "is lost"): "
            + "it is written again from \(orphans == 1 ? "1 run" : "\(orphans) runs") of this experiment in segments"
        return finished + [found]
    }

    /// Throws an error for a directory that does not belong to the plan.
    ///
    /// - Returns: number of the plan's runs, if the manifest is lost or damaged; otherwise 0.
    private func checkOwner(_ plan: Plan) throws -> Int {
        let manifest: JSONValue?
        do {
            manifest = try self.manifest()
        } catch {
            let orphans = try runsWithoutManifest(plan)
            guard orphans > 0 else { throw error }
            return orphans
        }
        guard let manifest, let name = manifest["name"]?.string else {
            // A session that was killed early leaves only these files.
            let beginnings = [ResultLayout.manifest + ".partial", ResultLayout.segments]
            if try folder().names().allSatisfy(beginnings.contains), try segmentNames().isEmpty { return 0 }
            let orphans = try runsWithoutManifest(plan)
            if orphans > 0 { return orphans }
            throw Diagnostics(
                "\(path) contains files that are not results of this experiment; nothing was touched",
                hint: "name another directory with -o")
        }
        let schema = manifest["schema"]?.integer
        guard name == plan.name, schema == plan.schema else {
            let owner = "\"\(name)\" (schema \(schema.map(String.init) ?? "?"))"
            throw Diagnostics(
                "\(path) contains the results of experiment \(owner), not of \"\(plan.name)\" (schema \(plan.schema)); "
                    + "nothing was touched",
                hint: "name another directory with -o")
        }
        return 0
    }

    /// Number of the plan's runs in the segments, regardless of their builds.
    private func runsWithoutManifest(_ plan: Plan) throws(FileError) -> Int {
        let numbers = RunIndex(plan.runs)
        var isFound = [Bool](repeating: false, count: plan.runs.count)
        let folder = try segmentFolder()
        for name in try segmentNames() {
            guard let folder else { break }
            let reader = try SegmentReader(name, in: folder)
            while let run = try reader.next() {
                if let number = numbers[run.run] { isFound[number] = true }
            }
        }
        return isFound.count { $0 }
    }

    /// Path for the next segment, which does not exist yet.
    func newSegment() throws -> String {
        let names = try segmentFolder()?.names() ?? []
        newest = try ResultLayout.next(after: names + ["\(newest)"], in: segments)
        let digits = String(newest)
        return segments + "/" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".seg"
    }

    private var newest = 0
}
