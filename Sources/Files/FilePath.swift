// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Names of files: joining, parting, and where they lead on this disk.
public enum FilePath {
    /// Whether something is there.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The folder that holds a path; `.` for a bare name.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// A path seen from a folder; an absolute path stays what it is.
    public static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder == "." || folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    /// The path without symbolic links and detours; nil when there is no such file.
    public static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// What a symbolic link says, which may lead to nothing; nil when the path is no link.
    public static func link(at path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// The folder of the running program, symbolic links followed.
    public static var programFolder: String? { real(OperatingSystem.program).map(folder) }

    /// Where a file or a folder was installed that a page names from the source folder; nil where it lies here, or is
    /// none of these.
    public static func shipped(_ path: String) -> String? {
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard ["experiments", "models"].contains(words[0]), !words.contains(".."), !exists(path), let programFolder
        else { return nil }
        let found = join(folder(of: programFolder), "share/flotsam/\(path)")
        return exists(found) ? short(found) : nil
    }

    /// A path as short as it can be said from the working folder.
    public static func short(_ path: String) -> String {
        guard let full = real(path), let here = real(".") else { return path }
        return full.hasPrefix(here + "/") ? String(full.dropFirst(here.utf8.count + 1)) : full
    }

    /// An environment variable, nil when it is not set or empty.
    public static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }
}
