// SPDX-License-Identifier: GPL-3.0-or-later
import Platform

/// Text that every worker inherits from its coordinator, so that workers need not open the source files.
public final class InheritedText: Sendable {
    /// Descriptor under which a worker finds the text.
    static let descriptor: Int32 = 4

    /// Descriptor of the memory.
    let file: Int32

    /// Stores a text for workers; nil where the system has no shared memory.
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

    /// Text in the worker; nil where the worker inherited none.
    public static func inherited() -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        defer { close(descriptor) }
        let size = Int(status.st_size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let start = buffer.baseAddress {
                // Workers share the position in the memory, so each states its offset.
                let read = pread(descriptor, start + count, size - count, off_t(count))
                guard read > 0 else { return }
                count += read
            }
        }
        return bytes.count == size ? String(decoding: bytes, as: UTF8.self) : nil
    }

    /// Memory that no other process can open, as an open file; nil where the system has none.
    static func memory() -> Int32? {
        let name = "/flotsam-\(getpid())"
        let made = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { return nil }
        shm_unlink(name)
        // Outside of the numbers of a worker's own descriptors.
        let file = fcntl(made, F_DUPFD_CLOEXEC, 10)
        close(made)
        return file >= 0 ? file : nil
    }
}
