// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Operations on the names of files.
public enum FilePath {
    /// Whether a file, folder or other entry exists at a path.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Folder of a path; `.` for a bare name.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last component of a path.
    public static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// Joins a folder and a path; an absolute path is returned unchanged.
    public static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder == "." || folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    /// Absolute path without symbolic links, `.` and `..`; nil when the file does not exist.
    public static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Target of a symbolic link, which need not exist; nil when the path is not a symbolic link.
    public static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// Folder of the running program, after symbolic links are followed.
    public static var programFolder: String? { real(OperatingSystem.program).map(folder) }

    /// Installed path of a file or folder that the documentation names relative to the source folder.
    ///
    /// The result is nil if the path exists in the working folder or is not installed.
    public static func shipped(_ path: String) -> String? {
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard ["experiments", "models"].contains(words[0]), !words.contains(".."), !exists(path), let programFolder
        else { return nil }
        let found = join(folder(of: programFolder), "share/flotsam/\(path)")
        return exists(found) ? short(found) : nil
    }

    /// Shortest form of a path: relative if it is in the working folder, otherwise absolute.
    public static func short(_ path: String) -> String {
        guard let full = real(path), let here = real(".") else { return path }
        return short(full, below: here)
    }

    /// A path relative to a folder, if it is below that folder; both are absolute.
    static func short(_ full: String, below folder: String) -> String {
        full.hasPrefix(folder + "/") ? String(full.dropFirst(folder.count + 1)) : full
    }

    /// Value of an environment variable; nil when the variable is not set or is empty.
    public static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
