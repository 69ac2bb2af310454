// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files

/// A text with its name and its lines, which all nodes of the text share.
public final class SourceText: Sendable {
    /// Path of the file, as the user entered it.
    public let name: String
    /// The whole text.
    public let text: String
    /// The lines without their line ends.
    public let lines: [String]

    /// Creates a text from memory.
    public init(name: String, text: String) {
        self.name = name
        self.text = text
        // Splitting by bytes takes a tenth of the time of splitting by characters, and every model file is split.
        lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false).map { line in
            String(Substring(line.last == 0x0d ? line.dropLast() : line))
        }
    }

    /// Reads a file.
    ///
    /// If this fails, the problem contains the system's reason.
    public static func read(path: String) -> Result<SourceText, Diagnostics> {
        do throws(Diagnostics) {
            let bytes = try readBytes(of: path, upTo: Limits.bytes)
            return .success(SourceText(name: path, text: try validText(bytes, from: path)))
        } catch {
            return .failure(error)
        }
    }

    /// Line by its number from 1; nil if there is no such line.
    func line(_ number: Int) -> String? { lines.indices.contains(number - 1) ? lines[number - 1] : nil }
}

/// Reads the bytes of a file that the user named, or of the standard input for `-`.
///
/// If this fails, the problem contains the system's reason.
public func readBytes(of path: String, upTo limit: Int) throws(Diagnostics) -> [UInt8] {
    do throws(FileError) {
        return try readOperand(path, upTo: limit)
    } catch {
        throw Diagnostics(reading: path, error)
    }
}

extension Diagnostics {
    /// Creates the problem for a file that the user named and that cannot be read.
    public init(reading path: String, _ error: FileError) {
        self.init("cannot read \(path): \(error.reason)", hint: missingHint(path))
    }
}

/// Hint for a path that cannot be read: a similar name, or the information that the path is a folder.
private func missingHint(_ path: String) -> String? {
    if isDirectory(path) { return "it is a folder: name a file in it" }
    guard path != "-", !FilePath.exists(path) else { return nil }
    if let shipped = FilePath.shipped(path) { return "the installed file is \(shipped)" }
    let folder = FilePath.folder(of: path)
    guard isDirectory(folder) else { return "there is no folder \(folder)" }
    func named(_ name: String) -> String { path.contains("/") ? FilePath.join(folder, name) : name }
    let entries = directoryEntries(folder)
    if let near = nearest(to: FilePath.name(of: path), in: entries) { return "did you mean \(named(near))?" }
    let ending = path.split(separator: ".").last.map { "." + $0 } ?? ""
    let alike = entries.sorted().filter { path.contains(".") && $0.hasSuffix(ending) }
    if alike.isEmpty { return ending == ".yaml" ? "flotsam new \(path) writes an experiment" : nil }
    let more = alike.count > 5 ? ", … (\(alike.count) in all)" : ""
    return "the folder contains " + alike.prefix(5).map(named).joined(separator: ", ") + more
}

/// Text of a file's bytes.
///
/// If the bytes are not UTF-8, a problem at the first invalid byte is thrown.
private func validText(_ bytes: [UInt8], from path: String) throws(Diagnostics) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Diagnostics([.notUTF8(bytes, file: path)]) }
    return text
}

/// Limits that prevent a malicious file from exhausting memory.
enum Limits {
    /// Deepest nesting.
    static let depth = 64
    /// Largest number of values after aliases are expanded.
    static let nodes = 200_000
    /// Largest size of a file, and of all its values after aliases are expanded, in bytes.
    static let bytes = 16 << 20
    /// Longest key, in bytes.
    static let key = 1000
    /// Largest number of names that `&` defines.
    ///
    /// For every use of a name, libyaml searches all names.
    static let anchors = 1000
    /// Largest number of uses of names that `&` defines.
    static let aliases = 10_000
    /// Largest number of directives such as `%TAG`, because libyaml compares each directive with all earlier ones.
    static let directives = 100
}
