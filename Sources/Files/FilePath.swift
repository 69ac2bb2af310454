// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

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
    public static var programFolder: String? { real("/proc/self/exe").map(folder) }

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
