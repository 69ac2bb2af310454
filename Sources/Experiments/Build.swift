// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Numerics
import Platform
import Recording
import Synchronization

/// Origin of the source from which a program was built.
public struct Source: Sendable {
    /// Hash of all source files.
    public let hash: String
    /// Commit that was checked out; empty if the source was not in a repository.
    public let commit: String

    /// Creates the description of an origin.
    public init(hash: String, commit: String) {
        self.hash = hash
        self.commit = commit
    }
}

/// Build of the program that wrote a result; results of two builds are never mixed.
///
/// The identity is a hash of the program's source, the compiler, the versions of the numerical libraries and their
/// results on this processor. A wheel, a package and a local build from the same source therefore have the same
/// identity. A program with its own policies has unknown source, so its identity comes from its linked code.
public enum Build {
    private static let source = Mutex<Source?>(nil)

    /// Sets the origin of the running program.
    ///
    /// Call this function before the identity is read.
    public static func begin(_ built: Source) { source.withLock { $0 = built } }

    /// Commit of the running program; nil when it is unknown.
    public static var commit: String? { source.withLock { $0?.commit }.flatMap { $0.isEmpty ? nil : $0 } }

    /// Identity of the running program.
    public static let current =
        source.withLock { $0 }.map { identity(of: compiler + $0.hash) }
        ?? identity(ofProgram: OperatingSystem.program)

    /// Identity of a program file; 0 when it cannot be read.
    static func identity(ofProgram path: String) -> UInt64 {
        (try? content(ofFile: path)).map(identity(of:)) ?? 0
    }

    private static func identity(of content: String) -> UInt64 {
        var checksum = Checksum()
        checksum.add(part: content)
        checksum.add(part: gslVersion)
        checksum.add(part: HostDescription.cLibrary)
        checksum.add(part: hexadecimal(ArithmeticProbe.value))
        return max(1, checksum.value)
    }

    /// Version of the compiler, and whether the program was built for debugging or for release.
    ///
    /// An optimizing compiler evaluates some functions at build time, with the results of the build machine.
    private static var compiler: String {
        #if DEBUG
            return HostDescription.swiftVersion + " debug "
        #else
            return HostDescription.swiftVersion + " release "
        #endif
    }

    /// Throws an error for an unknown build, because the results of two unknown builds cannot be distinguished.
    static func require(_ identity: UInt64) throws(Diagnostics) {
        guard identity == 0 else { return }
        throw Diagnostics(
            "the program cannot read its own file, so it cannot mark results with its build",
            hint: "check that /proc is mounted and that you may read the program")
    }

    /// Identity of a program's content: the build ID that the linker set, or else a hash of all bytes.
    private static func content(ofFile path: String) throws(FileError) -> String {
        let file = try InputFile(path)
        if let identity = try file.linkerIdentity() { return identity.map { "\($0)" }.joined(separator: ".") }
        return hexadecimal(try hash(file))
    }

    /// Hash of a file's bytes.
    ///
    /// Eight bytes are hashed at a time for speed, because programs are large and every worker computes this hash.
    private static func hash(_ file: borrowing InputFile) throws(FileError) -> UInt64 {
        let length = file.length()
        var hash = UInt64(length) ^ 0xcbf2_9ce4_8422_2325
        var offset = 0
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while offset < length {
            let count = try file.read(at: offset, into: &block)
            if count == 0 { break }
            offset += count
            // The last word is padded with zeros.
            let words = (count + 7) / 8
            for index in count..<words * 8 { block[index] = 0 }
            block.withUnsafeBytes { raw in
                for index in stride(from: 0, to: words * 8, by: 8) {
                    let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    hash = (hash ^ word) &* 0x9e37_79b9_7f4a_7c15
                    hash ^= hash >> 29
                }
            }
        }
        return hash
    }
}
