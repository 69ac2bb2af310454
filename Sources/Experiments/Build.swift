// SPDX-License-Identifier: GPL-3.0-or-later
import Diagnostics
import Files
import Numerics
import Platform
import Recording
import Synchronization

/// What a program was built from.
public struct Source: Sendable {
    /// A hash of all its source files.
    public let hash: String
    /// The commit that was checked out; empty outside of a repository.
    public let commit: String

    /// Creates what a build says of itself.
    public init(hash: String, commit: String) {
        self.hash = hash
        self.commit = commit
    }
}

/// Which build of a program made a record: results of two builds are never mixed.
///
/// The identity is a hash of the program's source, of the compiler, of the versions of the libraries for arithmetic and
/// of what their functions give on this processor: a wheel, a package and a build at home from one source are one
/// build. A program with policies of its own, whose source is not known here, is known by what it was linked from.
public enum Build {
    private static let source = Mutex<Source?>(nil)

    /// Says what the running program was built from, before anything asks.
    public static func begin(_ built: Source) { source.withLock { $0 = built } }

    /// The commit that the running program was built from; nil when it is not known.
    public static var commit: String? { source.withLock { $0?.commit }.flatMap { $0.isEmpty ? nil : $0 } }

    /// The identity of the running program.
    public static let current =
        source.withLock { $0 }.map { identity(of: compiler + $0.hash) }
        ?? identity(ofProgram: OperatingSystem.program)

    /// The identity of a program by its file; 0 when it cannot be read.
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

    /// The compiler's release, and whether it optimized: what it folds is what its own machine's functions gave.
    private static var compiler: String {
        #if DEBUG
            return HostDescription.swiftVersion + " debug "
        #else
            return HostDescription.swiftVersion + " release "
        #endif
    }

    /// Refuses a build that is not known: its results would look like those of any other such build.
    static func require(_ identity: UInt64) throws(Diagnostics) {
        guard identity == 0 else { return }
        throw Diagnostics(
            "the program cannot read its own file, so that its results could not be told from another build's",
            hint: "is /proc mounted, and may the program be read?")
    }

    /// What tells a program's content from another's: what its linker hashed it to, or else a hash of its bytes.
    private static func content(ofFile path: String) throws(FileError) -> String {
        let file = try InputFile(path)
        if let identity = try file.linkerIdentity() { return identity.map { "\($0)" }.joined(separator: ".") }
        return hexadecimal(try hash(file))
    }

    /// A hash of a file's bytes, eight at a time: a program is large, and every worker asks.
    private static func hash(_ file: borrowing InputFile) throws(FileError) -> UInt64 {
        let length = file.length()
        var hash = UInt64(length) ^ 0xcbf2_9ce4_8422_2325
        var offset = 0
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while offset < length {
            let count = try file.read(at: offset, into: &block)
            if count == 0 { break }
            offset += count
            // A word that the file does not fill ends in zeros.
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
