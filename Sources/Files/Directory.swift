// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Creates a directory and its parents; an existing directory is no error.
public func createDirectory(_ path: String) throws(FileError) {
    if mkdir(path, 0o755) == 0 { return }
    if errno == EEXIST, isDirectory(path) { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
        throw FileError(action: "create", path: path, code: code == EEXIST ? ENOTDIR : code)
    }
    try createDirectory(String(path[..<slash]))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
        throw FileError(action: "create", path: path, code: errno)
    }
}

/// Whether there is a directory at a path; symbolic links are followed.
public func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Whether there is a regular file at a path; symbolic links are followed.
public func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Waits until the names in a directory are on the disk, so that a power cut does not undo a rename.
public func synchronizeDirectory(_ path: String) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError(action: "open", path: path, code: errno) }
    defer { close(descriptor) }
    // Some file systems do not support this call for directories and return an error.
    guard fsync(descriptor) == 0 || errno == EINVAL else {
        throw FileError(action: "write", path: path, code: errno)
    }
}

/// Names in a directory, sorted; empty when the directory does not exist or cannot be read.
public func directoryEntries(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
            tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}
