// SPDX-License-Identifier: GPL-3.0-or-later

// The C library under one name, and the few functions that differ between operating systems. All tests run on Linux.
// The code for Darwin is based on its manual and has never been run.
//
// All code that calls the system imports this module and no C library, so all differences between systems are here.

#if canImport(Darwin)
    @_exported import Darwin
#else
    @_exported import Glibc
#endif

/// Functions that differ between operating systems.
public enum OperatingSystem {
    /// A path to the running program; on Linux, it is valid even after the program's file was replaced.
    public static let program: String = {
        #if canImport(Darwin)
            var size: UInt32 = 4096
            var path = [CChar](repeating: 0, count: Int(size))
            guard _NSGetExecutablePath(&path, &size) == 0 else { return CommandLine.arguments.first ?? "" }
            return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
            return "/proc/self/exe"
        #endif
    }()

    /// The C library and its version.
    public static var cLibrary: String {
        #if canImport(Darwin)
            return "Darwin " + release
        #else
            var text = [CChar](repeating: 0, count: 64)
            guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return "unknown" }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #endif
    }

    /// The release of the system's kernel.
    public static var release: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        return withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The environment variables of this process, as `NAME=VALUE`.
    public static var environment: [String] {
        #if canImport(Darwin)
            var next = _NSGetEnviron().pointee
        #else
            var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        #endif
        var found: [String] = []
        while let entry = next?.pointee {
            found.append(String(cString: entry))
            next = next?.advanced(by: 1)
        }
        return found
    }

    /// Starts a program and gives it descriptors of this process under other numbers.
    ///
    /// Returns an error code and process 0, or code 0 and the process.
    public static func spawn(
        _ program: String, _ words: [String], environment: [String], descriptors: [(own: Int32, its: Int32)]
    ) -> (code: Int32, process: pid_t) {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        for (own, its) in descriptors { posix_spawn_file_actions_adddup2(&actions, own, its) }
        let (line, variables) = (words.map { strdup($0) } + [nil], environment.map { strdup($0) } + [nil])
        var process = pid_t()
        let code = posix_spawn(&process, program, &actions, nil, line, variables)
        posix_spawn_file_actions_destroy(&actions)
        for pointer in line + variables { free(pointer) }
        return (code, code == 0 ? process : 0)
    }

    /// Whether a signal is ignored.
    public static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self)
        #else
            let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        #endif
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Every process of the system with its parent, as far as this process may read them.
    public static var processes: [(process: pid_t, parent: pid_t)] {
        #if canImport(Darwin)
            var found = [pid_t](repeating: 0, count: Int(max(0, proc_listallpids(nil, 0))) + 64)
            let count = proc_listallpids(&found, Int32(found.count * MemoryLayout<pid_t>.size))
            return found.prefix(Int(max(0, count))).compactMap { process in
                var about = proc_bsdinfo()
                let size = Int32(MemoryLayout<proc_bsdinfo>.size)
                guard proc_pidinfo(process, PROC_PIDTBSDINFO, 0, &about, size) == size else { return nil }
                return (process, pid_t(about.pbi_ppid))
            }
        #else
            guard let folder = opendir("/proc") else { return [] }
            defer { closedir(folder) }
            var found: [(pid_t, pid_t)] = []
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if let process = pid_t(name), let parent = parent(of: process) { found.append((process, parent)) }
            }
            return found
        #endif
    }

    /// The parent, from the fourth field of `/proc/PID/stat`; the second field is a name in brackets with any
    /// characters.
    private static func parent(of process: pid_t) -> pid_t? {
        let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var block = [UInt8](repeating: 0, count: 512)
        let count = read(file, &block, block.count)
        guard count > 0, let bracket = block[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = block[(bracket + 1)..<count].split(separator: UInt8(ascii: " "))
        return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
    }
}
