// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// A text that every worker inherits from its coordinator, which has read the files that it comes from: workers open
/// none of them.
public final class InheritedText: Sendable {
    /// The descriptor under which a worker finds the text.
    static let descriptor: Int32 = 4

    /// The open memory.
    let file: Int32

    /// Keeps a text for workers; nil where the system has no shared memory.
    public init?(_ text: String) {
        guard let file = Self.memory() else { return nil }
        self.file = file
        var text = text
        let isWhole = text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)[...]
            while !rest.isEmpty, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
                let count = write(file, start, rest.count)
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        guard isWhole else { return nil }
    }

    deinit { close(file) }

    /// The text, in the worker; nil where it inherited none.
    public static func inherited() -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        defer { close(descriptor) }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let start = buffer.baseAddress {
                // Workers share the position in the memory, so that each says from where it reads.
                let read = pread(descriptor, start + count, size - count, off_t(count))
                guard read > 0 else { return }
                count += read
            }
        }
        return bytes.count == size ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Memory that no other process finds, as an open file; nil where the system has none.
    static func memory() -> Int32? {
        let name = "/flotsam-\(getpid())"
        let made = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { return nil }
        shm_unlink(name)
        // Clear of the numbers that a worker's own descriptors get.
        let file = fcntl(made, F_DUPFD_CLOEXEC, 10)
        close(made)
        return file >= 0 ? file : nil
    }
}
